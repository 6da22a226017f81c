"""The turns of open runs as they lie in the archive: how far each is, and what a worker needs to know of it."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.archive.open_marks import is_erased
from reportgen.archive.open_runs import OpenRun, find_open, list_open
from reportgen.archive.open_turns import is_stored, list_names, list_turns, read_stored
from reportgen.archive.open_verdicts import Answered
from reportgen.capture.flaws import Flaw
from reportgen.capture.segments import segment_ids
from reportgen.capture.turns import read_single_turn
from reportgen.errors import RunError
from reportgen.model.opening import Opening
from reportgen.model.turn import Turn
from reportgen.pipeline.periods import read_period
from reportgen.record import canonical

if TYPE_CHECKING:
    # Handing in needs this module and nothing of what judging does.
    from reportgen.pipeline.allowance import Allowances

FindKeys = Callable[[Turn], Iterable[tuple[str, str]]]
"""A turn -> the verdicts that it needs, each by the id of the turn or its part, and the key."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A turn that was handed in: the name of its file, its line, and what it says."""

    name: str
    line: bytes
    turn: Turn


def build_parcel(opening: Opening, line: bytes) -> dict[str, Any]:
    """What a worker is sent: the turn itself, since it may not see the archive, and which open run it belongs to."""
    return {"opening": opening.to_data(), "turn": line.decode()}


def read_parcel(parcel: dict[str, Any], collection: str) -> tuple[Opening, Turn]:
    """The open run and the turn of a parcel out of the queue of a collection.

    Raises:
        Flaw: It is none of ours, or damaged.
    """
    try:
        opening = Opening.from_data(parcel.get("opening"))
    except ValueError as error:
        raise Flaw("opening", f"is of no open run: {str(error)[:200]}") from None
    if opening.collection != collection:
        raise Flaw("opening", f"is of another collection: {opening.collection}")
    turn = read_single_turn(str(parcel.get("turn")).encode())
    if turn.captured_at not in read_period(opening.period, opening.timezone):
        raise Flaw("opening", f"is of {opening.period}, and the turn was captured at {turn.captured_at.isoformat()}")
    return opening, turn


def read_turn_file(path: Path) -> Stored | None:
    """The turn in a file; None where a power cut left half of one, which had not been accepted yet."""
    line = read_stored(path)
    try:
        return Stored(path.name, line, read_single_turn(line)) if line else None
    except Flaw:
        return None


class Unjudged:
    """The turns of one open run on which verdicts are missing; a turn that was found to be done is not read again.

    Args:
        run: The open run.
        find_keys: Gives the verdicts that a turn needs, so that one on other content under its id does not count.
        calls: Where nobody knows the rubric, the judge calls on which each turn needs a verdict, on whatever content.
    """

    def __init__(self, run: OpenRun, find_keys: FindKeys | None, calls: Collection[str] = ()) -> None:
        self.run = run
        self.handed_in = 0
        self._answered = Answered(run, "key" if find_keys else "call")
        self._find_needed = find_keys or (lambda turn: product(segment_ids(turn) or (turn.id,), calls))
        self._done: set[str] = set()
        self._judged: set[str] = set()

    def find(self, *, final: bool = False, quiet: float = 0.0) -> Iterator[Stored]:
        """Those without a verdict, for instance to put them into the queue.

        Args:
            final: Also those on which the judge was given up, since closing asks for them once more.
            quiet: So many seconds must have gone by since a turn was stored, before which somebody may be about to
                send it.
        """
        self._answered.refresh()
        self.handed_in = 0
        for folder, name in list_names(self.run):
            self.handed_in += 1
            if name in self._judged or (not final and name in self._done) or _is_fresh(folder / name, quiet):
                continue
            stored = read_turn_file(folder / name)
            if stored is None:
                self.handed_in -= 1
            elif self._is_done(stored.turn, final=final):
                (self._judged if final else self._done).add(name)
            else:
                yield stored

    def _is_done(self, turn: Turn, *, final: bool) -> bool:
        return all(self._answered.has(part, name, final=final) for part, name in self._find_needed(turn))


class Backlog:
    """The turns without a verdict in all open runs of a collection for which the judge may be asked.

    Args:
        runs: The archive.
        collection: Whose turns.
        find_keys: Gives the verdicts that a turn needs.
        allowances: What judging each open run may cost.
    """

    def __init__(self, runs: Path, collection: str, find_keys: FindKeys, allowances: "Allowances") -> None:
        self._runs, self._collection, self._find_keys, self._allowances = runs, collection, find_keys, allowances
        self._unjudged: dict[Path, Unjudged] = {}

    def require_stored(self, opening: Opening, turn: Turn) -> None:
        """Makes sure that a turn out of the queue was handed in: nobody opens a run or has texts judged in another way.

        Raises:
            Flaw: No such run is open or can be read, or the turn is not in it or has other content there.
        """
        try:
            run = find_open(self._runs, opening.collection, opening.period)
        except RunError as error:
            raise Flaw("opening", f"is of a run that cannot be read: {error.what}") from None
        if run is None:
            raise Flaw("opening", f"is of {opening.period}, for which no run of {opening.collection} is open")
        if is_stored(run, turn.id, canonical(turn.to_data()) + b"\n") or is_erased(run, turn.id):
            return
        if run.closing is None:
            raise Flaw("turn", f"is not what was handed in for {run.opening} as {turn.id!r}")

    def find(self, quiet: float = 0.0) -> Iterator[tuple[OpenRun, Stored]]:
        """Each of them with its open run; see `Unjudged.find`."""
        # What is damaged was named when the worker began.
        found = [run for run in list_open(self._runs, self._collection, lambda _damage: None) if run.closing is None]
        known = self._unjudged
        self._unjudged = {run.folder: known.get(run.folder) or Unjudged(run, self._find_keys) for run in found}
        for unjudged in self._unjudged.values():
            if self._allowances.of(unjudged.run).find_room() != "none":
                yield from ((unjudged.run, stored) for stored in unjudged.find(quiet=quiet))


def _is_fresh(path: Path, quiet: float) -> bool:
    """Whether a file was made just now; a time that lies ahead, since the clock was set back, does not count."""
    with suppress(FileNotFoundError):
        return quiet > 0 and 0 <= time.time() - path.stat().st_mtime < quiet
    return False


def list_in_order(run: OpenRun) -> list[Path]:
    """The files of all turns that were accepted, in order of the time of capture and then of the id."""
    found = ((_order_of(path), path) for path in list_turns(run))
    return [path for order, path in sorted((order, path) for order, path in found if order)]


def _order_of(path: Path) -> tuple[float, str] | None:
    stored = read_turn_file(path)
    return (stored.turn.captured_at.timestamp(), stored.turn.id) if stored else None
