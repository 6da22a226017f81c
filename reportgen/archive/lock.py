"""One process at a time: the lock of a run, or of a place, that is being written."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from reportgen.errors import ReportgenError, RunError

LOCK = ".lock"
"""Held while a process writes to the run; the kernel lets go of it when the process dies, however it dies."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the run's lock; its file is removed afterwards.

    Raises:
        RunError: Another process holds it, or the folder cannot be written.
    """
    with hold(folder / LOCK, f"The run {folder}"):
        yield


@contextmanager
def hold(path: Path, what: str, failure: Callable[[str, str], ReportgenError] = RunError) -> Iterator[None]:
    """Holds a lock; its file is removed afterwards.

    Args:
        path: The file of the lock.
        what: What it keeps others from, for the message.
        failure: The error of the caller.

    Raises:
        ReportgenError: Another process holds it, or its folder cannot be written.
    """
    handle = _lock(path, what, failure)
    try:
        yield
    finally:
        # It is removed while it is still held, so that nobody holds a removed one unnoticed.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)


def _lock(path: Path, what: str, failure: Callable[[str, str], ReportgenError]) -> int:
    """The handle of the lock."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise failure(f"{what} cannot be written to: {error.strerror}", "Make its folder writable.") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise failure(f"{what} is in use by another process", "Wait until that has ended, or stop it.") from None
        # Its last holder may have removed the file between the opening and the locking.
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(handle).st_ino == path.stat().st_ino:
                return handle
        os.close(handle)
