"""The room of the archive for open runs: turns that were handed in, one file each, and the verdicts of each worker.

A turn is stored under the digest of its id by a link, which the file system makes once or not at all, on one machine
or on several. So no lock is held, a turn that is handed in twice is stored once, and a process that is killed leaves no
half of one.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Literal, TypeVar

from reportgen.archive.files import remove_parts, sync_folder, write_whole
from reportgen.archive.open_marks import ERASED, is_erased, name_of
from reportgen.archive.store import parse, read_lines
from reportgen.errors import RunError, StreamingError
from reportgen.model.opening import Closing, Limit, Opening, Terms
from reportgen.record import Record, canonical

OPEN: Final = "open"
"""A folder among those of the runs; in it a folder for each collection, and in that one for each period."""
ASIDE: Final = "aside.jsonl"

_OPENING, _TERMS, _LIMIT, _CLOSING = "opening.json", "terms.json", "limit.json", "closing.json"
_TURNS, _FROZEN, _WORKERS = "turns", "turns-frozen", "workers"
_NUMBERS = count()
_Kind = TypeVar("_Kind", bound=Record)

Accepted = Literal["new", "known", "other", "closed", "erased"]
"""What became of a turn: stored, stored before, or refused: another of its id is, it is too late, it was erased."""


@dataclass(frozen=True, slots=True)
class OpenRun:
    """One open run and its folder."""

    folder: Path
    opening: Opening

    @property
    def workers(self) -> Path:
        """Where each worker has a folder with its verdicts."""
        return self.folder / _WORKERS

    @property
    def terms(self) -> Terms | None:
        """What it is judged by; None as long as nobody has pinned it."""
        return _read(Terms, self.folder / _TERMS)

    @property
    def limit(self) -> Limit | None:
        """What judging it may cost; None where nobody has said so."""
        return _read(Limit, self.folder / _LIMIT)

    @property
    def closing(self) -> Closing | None:
        """Which run it becomes or has become; None while it is open."""
        return _read(Closing, self.folder / _CLOSING)

    @property
    def is_closed(self) -> bool:
        """Whether all that it held is in a finished run."""
        closing = self.closing
        return closing is not None and closing.seal is not None

    @property
    def is_taking(self) -> bool:
        """Whether turns may still be handed in."""
        return (self.folder / _TURNS).is_dir()


def collection_of(runs: Path, collection: str) -> Path:
    """The folder of a collection's open runs."""
    return runs / OPEN / collection


def find_open(runs: Path, collection: str, period: str) -> OpenRun | None:
    """The open run of that collection and period, closed or not; None where there was never one."""
    folder = collection_of(runs, collection) / period
    opening = _read(Opening, folder / _OPENING)
    return OpenRun(folder, opening) if opening else None


def list_open(
    runs: Path, collection: str | None = None, on_damage: Callable[[RunError], None] | None = None
) -> list[OpenRun]:
    """The open runs of a collection, or of all, in order of collection and period; those that are closed too.

    Args:
        runs: The archive.
        collection: Whose.
        on_damage: Is told of one that cannot be read, which is left out then.

    Raises:
        RunError: One cannot be read, and there is nobody to be told.
    """
    found: list[OpenRun] = []
    for path in sorted((runs / OPEN).glob(f"{collection or '*'}/*/{_OPENING}")):
        try:
            run = find_open(runs, path.parent.parent.name, path.parent.name)
        except RunError as error:
            if on_damage is None:
                raise
            on_damage(error)
        else:
            found += [run] if run else []
    return found


def create_open(runs: Path, opening: Opening) -> OpenRun:
    """Opens a run, whole or not at all; where another process was quicker, its own is given.

    Raises:
        StreamingError: The archive cannot be written to.
    """
    place = collection_of(runs, opening.collection) / opening.period
    aside = place.with_name(f".{place.name}.{os.getpid()}-{next(_NUMBERS)}.part")
    try:
        for name in (_TURNS, _WORKERS):
            (aside / name).mkdir(parents=True)
        write_whole(aside / _OPENING, [canonical(opening.to_data()) + b"\n"])
        # It fails where the place is taken, since nothing but an empty folder gives way to a folder.
        aside.rename(place)
        sync_folder(place.parent)
    except OSError as error:
        if not (place / _OPENING).exists():
            raise _cannot_write(place, error) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    found = find_open(runs, opening.collection, opening.period)
    assert found is not None
    return found


def pin_terms(run: OpenRun, terms: Terms) -> Terms:
    """The terms of an open run: these, if it had none before."""
    _write_once(run.folder / _TERMS, terms)
    pinned = run.terms
    assert pinned is not None
    return pinned


def save_limit(run: OpenRun, limit: Limit) -> None:
    """What judging an open run may cost from now on, in the place of what was said before.

    Raises:
        RunError: It cannot be written.
    """
    write_whole(run.folder / _LIMIT, [canonical(limit.to_data()) + b"\n"])


def name_closing(run: OpenRun, closing: Closing) -> Closing:
    """Which run an open run becomes: this one, unless another was named before."""
    _write_once(run.folder / _CLOSING, closing)
    named = run.closing
    assert named is not None
    return named


def accept_turn(run: OpenRun, turn: str, line: bytes) -> Accepted:
    """Stores a turn so that neither a crash nor a power cut loses it.

    Args:
        run: Where to.
        turn: Its id.
        line: The turn in canonical form, with its line feed.

    Raises:
        OSError: It could not be stored, and is not.
    """
    folder = run.folder / _TURNS
    place = folder / name_of(turn)
    aside = folder / f".{os.getpid()}-{next(_NUMBERS)}.{place.name[:16]}.part"
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:
        return "closed"
    try:
        _write_all(handle, line)
        accepted = _link(handle, aside, place, line)
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
    for name in (_TURNS, _FROZEN):
        with suppress(FileNotFoundError), os.scandir(run.folder / name) as entries:
            yield from (Path(entry.path) for entry in entries if entry.name[0] != ".")


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
    return (run.folder / folder / name_of(turn) for folder in (_TURNS, _FROZEN))


def freeze_turns(run: OpenRun) -> None:
    """From here on no turn is accepted: the folder that each is linked into goes away, at one moment for all."""
    with suppress(FileNotFoundError):
        (run.folder / _TURNS).rename(run.folder / _FROZEN)
        sync_folder(run.folder)


def thaw_turns(run: OpenRun) -> None:
    """Turns are accepted again."""
    with suppress(FileNotFoundError):
        (run.folder / _FROZEN).rename(run.folder / _TURNS)
        sync_folder(run.folder)


def clear_closed(run: OpenRun, closing: Closing) -> None:
    """Removes turns and verdicts of an open run once all of them are in a finished run; the rest says which."""
    for name in (_FROZEN, _WORKERS, ERASED):
        shutil.rmtree(run.folder / name, ignore_errors=True)
    (run.folder / _LIMIT).unlink(missing_ok=True)
    remove_parts(run.folder)
    # Last, since it says that nothing is left to be done.
    write_whole(run.folder / _CLOSING, [canonical(closing.to_data()) + b"\n"])


def _link(handle: int, aside: Path, place: Path, line: bytes) -> Accepted:
    """The file in its place, and safe; whatever stands there already stays, unless a power cut had left it torn."""
    try:
        os.link(aside, place)
    except FileNotFoundError:
        return "closed"
    except FileExistsError:
        stored = read_stored(place)
        if stored is not None:
            return _confirm(place) if stored == line else "other"
        aside.replace(place)
    try:
        # The link is of the same file, so one sync makes both of them last; the folder's own is for other systems.
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


def _write_once(path: Path, record: Record) -> None:
    """Writes a record where there is none yet, whole or not at all."""
    if path.exists():
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}-{next(_NUMBERS)}.part")
    try:
        write_whole(aside, [canonical(record.to_data()) + b"\n"])
        with suppress(FileExistsError):
            os.link(aside, path)
        sync_folder(path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from None
    finally:
        aside.unlink(missing_ok=True)


def _read(kind: type[_Kind], path: Path) -> _Kind | None:
    return parse(kind, b"".join(read_lines(path)), str(path)) if path.exists() else None


def _cannot_write(path: Path, error: OSError) -> StreamingError:
    return StreamingError(f"{path} cannot be written: {error.strerror}", "Make room, or make the archive writable.")
