"""Files that are whole or absent: written aside, synced, and moved into place."""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from reportgen.archive.lock import hold
from reportgen.errors import ReportgenError, RunError


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Writes a file so that a reader, or a crash, finds the old one or the whole new one.

    Raises:
        RunError: The disk is full or the folder cannot be written.
    """
    write_together({path: lambda file: file.writelines(chunks)})


def write_together(writers: Mapping[Path, Callable[[BinaryIO], None]]) -> None:
    """Writes several files aside, and moves them into place only when each of them is whole.

    Args:
        writers: For each path what writes the content.

    Raises:
        RunError: The disk is full or a folder cannot be written.
    """
    asides = {path: _aside(path) for path in map(Path.resolve, writers)}
    path = Path()
    try:
        for path, write in zip(asides, writers.values(), strict=True):
            _write_aside(asides[path], write)
        for path, aside in asides.items():
            aside.replace(path)
        for folder in {path.parent for path in asides}:
            sync_folder(folder)
    except BaseException as error:
        for aside in asides.values():
            with suppress(OSError):
                aside.unlink()
        if not isinstance(error, OSError):
            raise
        raise RunError(f"{path} cannot be written: {error.strerror}", "Free space or choose another folder.") from None


def _aside(path: Path) -> Path:
    if path.exists() and not path.is_file():
        raise RunError(f"{path} is not a plain file", "Give the name of a file to write.")
    return path.with_name(f".{path.name[:100]}.{os.getpid()}.part")


def _write_aside(aside: Path, write: Callable[[BinaryIO], None]) -> None:
    with aside.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def write_folder(folder: Path, files: Iterable[tuple[str, Iterable[bytes]]], is_ours: Callable[[Path], bool]) -> None:
    """Writes a folder with these files beside its place and moves it there when it is whole.

    Args:
        folder: What stands there already makes way, if it is ours.
        files: The name of each file within the folder, with or without folders of its own, and its content.
        is_ours: Whether a folder was made by this program, so that it may be replaced.

    Raises:
        RunError: Something else stands in that place, the disk is full, or the folder cannot be written.
    """
    require_replaceable(folder, is_ours)
    with folder_aside(folder) as aside:
        _fill_folder(aside, files)
        replace_folder(aside, folder, is_ours)


@contextmanager
def folder_aside(place: Path, failure: Callable[[str, str], ReportgenError] = RunError) -> Iterator[Path]:
    """A folder beside a place, to be filled and moved there when it is whole; gone afterwards.

    One process at a time writes to a place. What others that were killed have left beside it is cleared away first.

    Args:
        place: Where it is to go; folders around it that are missing are made.
        failure: The error of the caller, which is raised where the disk fails, in the block too.

    Raises:
        ReportgenError: Another process writes to the place, the disk is full, or the folder cannot be written.
    """
    whole = place.resolve()
    aside = _name_aside(whole, "part")
    try:
        whole.parent.mkdir(parents=True, exist_ok=True)
        with hold(whole.with_name(f".{_shorten(whole.name)}.lock"), str(place), failure):
            _clear_dead(whole)
            try:
                aside.mkdir()
                yield aside
            finally:
                shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        why = error.strerror or error
        raise failure(f"{place} cannot be written: {why}", "Free space or choose another folder.") from None


def _clear_dead(place: Path) -> None:
    """Removes what processes that were killed have left beside a place; an old folder that has no heir goes back.

    Whoever makes such folders holds the lock of the place, as the caller does, so none of them is in use.
    """
    name = re.compile(rf"\.{re.escape(_shorten(place.name))}\.[0-9]+\.(part|old)")
    for path in sorted(place.parent.iterdir()):
        if name.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            if path.suffix == ".old":
                _put_back(path, place)
            shutil.rmtree(path, ignore_errors=True)


def replace_folder(new: Path, folder: Path, is_ours: Callable[[Path], bool]) -> None:
    """Moves a whole folder into its place; what stands there makes way, if it is ours.

    Raises:
        RunError: Something else stands in that place.
        OSError: It cannot be moved; what stood there is in its place again.
    """
    folder = folder.resolve()
    require_replaceable(folder, is_ours)
    old = _name_aside(folder, "old")
    try:
        if folder.exists():
            folder.replace(old)
        new.replace(folder)
        sync_folder(folder.parent)
    finally:
        _put_back(old, folder)
        shutil.rmtree(old, ignore_errors=True)


def require_replaceable(folder: Path, is_ours: Callable[[Path], bool]) -> None:
    """Makes sure that there is nothing in that place, or a folder of ours.

    Raises:
        RunError: There is something else.
    """
    if os.path.lexists(folder) and not (folder.is_dir() and is_ours(folder)):
        raise RunError(f"{folder} is in the way and was not made by reportgen", "Move it, or choose another folder.")


def _name_aside(folder: Path, state: str) -> Path:
    return folder.with_name(f".{_shorten(folder.name)}.{os.getpid()}.{state}")


def _shorten(name: str) -> str:
    """A name to which something can be added, and that no other name is shortened to."""
    return name if len(name) <= 100 else f"{name[:60]}-{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def _fill_folder(folder: Path, files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    for name, chunks in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())


def _put_back(old: Path, folder: Path) -> None:
    """The old folder in its place again, where the new one did not get there."""
    if old.exists() and not folder.exists():
        old.replace(folder)


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
