"""Erasing turns from open runs, of which they are no turns any more, and from what was refused."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.lock import locked
from reportgen.archive.open_erasing import count_refused, forbid_turn, forget_refused, has_verdicts, remove_turn
from reportgen.archive.open_marks import is_erased, whole_of
from reportgen.archive.open_runs import ASIDE, OPEN, OpenRun, find_open, list_open
from reportgen.archive.open_turns import find_turn
from reportgen.errors import RunError
from reportgen.pipeline.stored import read_turn_file

Wanted = Mapping[str, datetime | None]
"""Turns with their times of capture; None for one that is known by its id alone."""


@dataclass(frozen=True, slots=True)
class ErasedOpen:
    """What was erased, or is to be: turns of an open run in that folder, or refused exchanges in that file."""

    place: Path
    turns: tuple[str, ...] = ()
    refused: int = 0


def find_named(name: str, runs: Path) -> OpenRun | None:
    """The open run that is named as COLLECTION/PERIOD; None where there is none of that name."""
    collection, _, period = name.partition("/")
    known = {(run.opening.collection, run.opening.period) for run in list_open(runs)}
    return find_open(runs, collection, period) if (collection, period) in known else None


def find_wanted(run: OpenRun, turns: Iterable[str]) -> dict[str, datetime | None]:
    """The turns to erase as an open run has them.

    Raises:
        RunError: It has no such turn.
    """
    found: dict[str, datetime | None] = {}
    for turn in turns:
        stored = _find_stored(run, turn)
        if stored is None and not is_erased(run, turn) and not has_verdicts(run, turn):
            raise RunError(f"The open run {run.opening} has no turn {turn}", "Give the ids as they were handed in.")
        found[turn] = stored
    return found


def find_in_open(runs: Path, wanted: Wanted, named: OpenRun | None) -> list[tuple[OpenRun, tuple[str, ...]]]:
    """The open runs that hold the turns, by id and time of capture; the one that is named in any case.

    Raises:
        RunError: One of them is being closed.
    """
    whole = {whole_of(turn): at for turn, at in wanted.items()}
    found = [(run, _find_held(run, whole, named)) for run in list_open(runs) if not run.is_closed]
    holding = [(run, turns) for run, turns in found if turns]
    for run, _ in holding:
        _require_open(run)
    return holding


def erase_open(holding: Iterable[tuple[OpenRun, tuple[str, ...]]], now: datetime, reason: str) -> None:
    """Erases turns from open runs; interrupted, the same call goes on.

    Raises:
        RunError: One is in use by `close` or was closed meanwhile, or cannot be written.
    """
    for run, turns in holding:
        with locked(run.folder):
            _require_open(run)
            for turn in turns:
                forbid_turn(run, turn, now, reason)
                remove_turn(run, turn)


def erase_refused(runs: Path, wanted: Wanted, *, dry: bool) -> Iterator[ErasedOpen]:
    """Erases refused exchanges that name one of the turns, wherever they are kept."""
    names = {whole_of(turn) for turn in wanted}
    for path in sorted([*(runs / OPEN).glob(f"*/{ASIDE}"), runs / OPEN / ASIDE]):
        if count := count_refused(path, names) if dry else forget_refused(path, names):
            yield ErasedOpen(path, refused=count)


def _require_open(run: OpenRun) -> None:
    """Makes sure that closing has not begun, after which the turns are to go from the run that the open one becomes."""
    if closing := run.closing:
        raise RunError(
            f"The open run {run.opening} is being closed as the run {closing.run}",
            f"Once `reportgen close` is done, erase from {closing.run}.",
        )


def _find_held(run: OpenRun, wanted: Wanted, named: OpenRun | None) -> tuple[str, ...]:
    if named is not None and run.folder == named.folder:
        return tuple(wanted)
    return tuple(turn for turn, at in wanted.items() if at is not None and _find_stored(run, turn) == at)


def _find_stored(run: OpenRun, turn: str) -> datetime | None:
    """When the turn of that id was captured; None if it is not in the open run."""
    path = find_turn(run, turn)
    stored = read_turn_file(path) if path else None
    return stored.turn.captured_at if stored else None
