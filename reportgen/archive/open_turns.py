"""The turns that were handed in for an open run, one file each.

A turn is stored under the digest of its id by a link, which the file system makes once or not at all, on one machine
or on several. So no lock is held, a turn that is handed in twice is stored once, and a process that is killed leaves no
half of one.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Literal

from reportgen.archive.files import sync_folder
from reportgen.archive.open_marks import is_erased, name_of
from reportgen.archive.open_runs import FROZEN, TURNS, OpenRun
from reportgen.errors import StreamingError

_NUMBERS = count()

Accepted = Literal["new", "known", "other", "closed", "erased"]
"""What became of a turn: stored, stored before, or refused: another of its id is, it is too late, it was erased."""


def accept_turn(run: OpenRun, turn: str, line: bytes) -> Accepted:
    """Stores a turn so that neither a crash nor a power cut loses it.

    Args:
        run: Where to.
        turn: Its id.
        line: The turn in canonical form, with its line feed.

    Raises:
        OSError: It could not be stored, and is not.
    """
    folder = run.folder / TURNS
    place = folder / name_of(turn)
    aside = folder / f".{os.getpid()}-{next(_NUMBERS)}.{place.name[:16]}.part"
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:
        return "erased" if is_erased(run, turn) else "closed"
    try:
        _write_all(handle, line)
        accepted = _link_in_time(handle, aside, place, line)
        # Whoever erases says so before looking for the file, so that one of the two sees the other.
        if is_erased(run, turn):
            place.unlink(missing_ok=True)
            return "erased"
        return accepted
    finally:
        os.close(handle)
        with suppress(OSError):
            aside.unlink()


def list_turns(run: OpenRun) -> Iterator[Path]:
    """The files of all turns that were handed in, in no order."""
    return (folder / name for folder, name in list_names(run))


def list_names(run: OpenRun) -> Iterator[tuple[Path, str]]:
    """The same as the folder and the name of each file, which takes a tenth of the time."""
    for folder in (run.folder / TURNS, run.folder / FROZEN):
        with suppress(FileNotFoundError), os.scandir(folder) as entries:
            yield from ((folder, entry.name) for entry in entries if entry.name[0] != ".")


def find_turn(run: OpenRun, turn: str) -> Path | None:
    """The file of the turn of that id; None if it is not in the open run."""
    return next((place for place in _places_of(run, turn) if place.exists()), None)


def read_stored(path: Path) -> bytes | None:
    """The line of a turn; None where a power cut came before the turn had been accepted.

    Raises:
        StreamingError: It cannot be read, for instance since another user has handed it in.
    """
    try:
        line = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StreamingError(
            f"{path} cannot be read: {error.strerror}", "Have whoever hands in, judges and closes run as one user."
        ) from None
    return line if line.endswith(b"\n") else None


def is_stored(run: OpenRun, turn: str, line: bytes) -> bool:
    """Whether the very same turn was handed in, and is still there; while a run is closed too."""
    return any(read_stored(place) == line for place in _places_of(run, turn))


def _places_of(run: OpenRun, turn: str) -> Iterator[Path]:
    """Where a turn may lie, in the order in which closing moves it."""
    return (run.folder / folder / name_of(turn) for folder in (TURNS, FROZEN))


def freeze_turns(run: OpenRun) -> None:
    """From here on no turn is accepted: the folder that each is linked into goes away, at one moment for all."""
    with suppress(FileNotFoundError):
        (run.folder / TURNS).rename(run.folder / FROZEN)
        sync_folder(run.folder)


def thaw_turns(run: OpenRun) -> None:
    """Turns are accepted again."""
    with suppress(FileNotFoundError):
        (run.folder / FROZEN).rename(run.folder / TURNS)
        sync_folder(run.folder)


def _link_in_time(handle: int, aside: Path, place: Path, line: bytes) -> Accepted:
    try:
        return _link(handle, aside, place, line)
    except FileNotFoundError:
        # Closing took the folder away, or erasing the turn.
        return "closed"


def _link(handle: int, aside: Path, place: Path, line: bytes) -> Accepted:
    """The file in its place, and safe; whatever stands there already stays, unless a power cut had left it torn."""
    try:
        os.link(aside, place)
    except FileExistsError:
        stored = read_stored(place)
        if stored is not None:
            return _confirm(place) if stored == line else "other"
        aside.replace(place)
    try:
        # The name is a link to the file, and file systems sync it together with the file; so the folder is not synced.
        os.fsync(handle)
    except OSError:
        with suppress(OSError):
            place.unlink()
        raise
    return "new"


def _confirm(place: Path) -> Accepted:
    """Another process may have stored it this very moment and not be done yet."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return "known"


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
