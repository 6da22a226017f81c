"""The room of the archive for open runs: what each was opened with, what it is judged by, and what it becomes."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

from reportgen.archive.files import remove_parts, sync_folder, write_whole
from reportgen.archive.store import parse, read_lines
from reportgen.errors import RunError, StreamingError
from reportgen.model.opening import Closing, Limit, Opening, Terms
from reportgen.record import Record, canonical

OPEN: Final = "open"
"""A folder among those of the runs; in it a folder for each collection, and in that one for each period."""
ASIDE: Final = "aside.jsonl"

_OPENING, _TERMS, _LIMIT, _CLOSING = "opening.json", "terms.json", "limit.json", "closing.json"
TURNS, FROZEN = "turns", "turns-frozen"
"""The folders of the turns: while they are taken in, and from when closing begins."""
_WORKERS: Final = "workers"
_NUMBERS = count()
_Kind = TypeVar("_Kind", bound=Record)


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
        return (self.folder / TURNS).is_dir()


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
    # What begins with a dot is not in its place yet, or was left by a process that was killed before.
    for path in sorted((runs / OPEN).glob(f"{collection or '*'}/[!.]*/{_OPENING}")):
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
        for name in (TURNS, _WORKERS):
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


def clear_closed(run: OpenRun, closing: Closing) -> None:
    """Removes turns and verdicts of an open run once all of them are in a finished run; the rest says which.

    The marks of what was erased stay, since it may be handed in again at any time.
    """
    for name in (FROZEN, _WORKERS):
        shutil.rmtree(run.folder / name, ignore_errors=True)
    (run.folder / _LIMIT).unlink(missing_ok=True)
    remove_parts(run.folder)
    # Last, since it says that nothing is left to be done.
    write_whole(run.folder / _CLOSING, [canonical(closing.to_data()) + b"\n"])


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
