"""One process at a time: the lock of a run that is being written."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reportgen.errors import RunError

LOCK = ".lock"
"""Held while a process writes to the run; the kernel lets go of it when the process dies, however it dies."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the run's lock; its file is removed afterwards.

    Raises:
        RunError: Another process holds it, or the folder cannot be written.
    """
    handle = _lock(folder)
    try:
        yield
    finally:
        # It is removed while it is still held, so that nobody holds a removed one unnoticed.
        with contextlib.suppress(OSError):
            (folder / LOCK).unlink()
        os.close(handle)


def _lock(folder: Path) -> int:
    """The handle of the lock.

    Raises:
        RunError: Another process holds it, or the folder cannot be written.
    """
    while True:
        handle = _open_lock(folder)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise RunError(
                f"The run {folder} is in use by another process", "Wait until that has ended, or stop it."
            ) from None
        # Its last holder may have removed the file between the opening and the locking.
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(handle).st_ino == (folder / LOCK).stat().st_ino:
                return handle
        os.close(handle)


def _open_lock(folder: Path) -> int:
    try:
        return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise RunError(
            f"The run {folder} cannot be written to: {error.strerror}", "Make its folder writable."
        ) from None
