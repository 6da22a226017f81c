"""Files that are whole or absent: written aside, synced, and moved into place."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from reportgen.errors import RunError


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Writes a file so that a reader, or a crash, finds the old one or the whole new one.

    Raises:
        RunError: The disk is full or the folder cannot be written.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise RunError(f"{path} is not a plain file", "Give the name of a file to write.")
    aside = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    try:
        with aside.open("wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
        sync_folder(path.parent)
    except BaseException as error:
        with suppress(OSError):
            aside.unlink()
        if not isinstance(error, OSError):
            raise
        raise RunError(f"{path} cannot be written: {error.strerror}", "Free space or choose another folder.") from None


def remove_parts(folder: Path) -> None:
    """Removes what writers that were killed have left aside; nobody else may be writing in the folder."""
    for part in folder.glob(".*.part"):
        with suppress(OSError):
            part.unlink()


def sync_folder(folder: Path) -> None:
    """Makes a rename in the folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
