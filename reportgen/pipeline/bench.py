"""What a worker has in hand: the turns that it was given, and a journal of its own for each open run."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from reportgen.archive.journal import Journal
from reportgen.archive.open_erasing import forget_verdicts
from reportgen.archive.open_marks import is_erased, whole_of
from reportgen.archive.open_runs import OpenRun, create_open, find_open
from reportgen.archive.open_verdicts import Answered
from reportgen.archive.store import VERDICTS
from reportgen.capture.segments import split_segments
from reportgen.judging.keeping import Sync
from reportgen.judging.prompts import JudgeRequest, build_requests
from reportgen.model.opening import Opening, Terms
from reportgen.model.rubric import Rubric
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.pipeline.allowance import Allowance, Allowances
from reportgen.pipeline.terms import pin

Place = tuple[str, str]
"""A turn and a key: what a verdict is known by."""


@dataclass(frozen=True, slots=True)
class Work:
    """A turn that a worker is given.

    `done` is called once its verdicts are safe, `give_back` if they will not come from this worker, and `leave` if no
    worker may ask for them at the moment, so that the turn waits in the archive.
    """

    opening: Opening
    turn: Turn
    done: Callable[[], None]
    give_back: Callable[[], None]
    leave: Callable[[], None]


@dataclass(eq=False, slots=True)
class _InHand:
    """A piece of work, and which verdicts it still waits for."""

    work: Work
    left: set[Place]


@dataclass(frozen=True, slots=True)
class _Drawer:
    """What belongs to one open run; `close` lets go of its journal."""

    run: OpenRun
    path: Path
    journal: Journal
    answered: Answered
    allowance: Allowance
    close: Callable[[], None]


@dataclass(slots=True)
class _Awaited:
    """A verdict that the judge is being asked for: where it goes, and what waits for it."""

    drawer: _Drawer
    waiting: list[_InHand]


class Bench:
    """The work of one worker, to be used in a `with` block inside of the engine's loop.

    Args:
        runs: The archive.
        name: The worker's own name, under which its journals are kept, so that no two processes write to one file.
        rubric: What it judges by.
        terms: The same as an open run is pinned to it.
        allowances: What judging each open run may cost.
    """

    def __init__(self, runs: Path, name: str, rubric: Rubric, terms: Terms, allowances: Allowances) -> None:
        self.judged = 0
        self._allowances = allowances
        self._runs, self._name, self._rubric, self._terms = runs, name, rubric, terms
        self._loop = asyncio.get_running_loop()
        self._drawers: dict[Path, _Drawer] = {}
        self._awaited: dict[Place, _Awaited] = {}
        self._written: deque[Place] = deque()
        self._held: list[Work] = []
        self.take_again: Callable[[Work], None] = lambda _work: None
        """Is given work that waited for what is in flight to be answered, since that may cost all that is left."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for drawer in self._drawers.values():
            drawer.close()

    def take(self, work: Work) -> list[JudgeRequest]:
        """Takes a turn in hand, and gives what the judge is to be asked about it: nothing that was asked already.

        Raises:
            TermsError: The open run is pinned to other terms.
            ReportgenError: Its folder cannot be used.
        """
        opening = work.opening
        run = find_open(self._runs, opening.collection, opening.period) or create_open(self._runs, opening)
        drawer = self._drawer(run) if run.closing is None and not is_erased(run, work.turn.id) else None
        if drawer is not None and (room := drawer.allowance.find_room()) != "now":
            if room == "later":
                self._held.append(work)
            else:
                work.leave()
            return []
        missing = {(request.turn, request.key): request for request in self._missing(drawer, work.turn)}
        if drawer is None or not missing:
            work.done()
            return []
        in_hand = _InHand(work, set(missing))
        asked = [request for place, request in missing.items() if place not in self._awaited]
        for place in missing:
            self._awaited.setdefault(place, _Awaited(drawer, [])).waiting.append(in_hand)
        drawer.allowance.reserve(asked, self._terms.judge)
        return asked

    def keep(self, verdicts: Sequence[Verdict]) -> Sync:
        """Writes verdicts to the journals of their runs, and gives what makes them safe."""
        for verdict in verdicts:
            place = (verdict.turn, verdict.key)
            drawer = self._awaited[place].drawer
            drawer.journal.append([verdict])
            drawer.allowance.answered()
            if is_erased(drawer.run, verdict.turn):
                forget_verdicts(drawer.path, whole_of(verdict.turn))
            # Where the worker has to stop, the turn stays in hand, to be given back.
            if not verdict.was_stopped:
                self._written.append(place)
        held, self._held = self._held, []
        for work in held:
            self._loop.call_soon(self.take_again, work)
        return self._sync

    def give_back(self) -> None:
        """Gives back each turn in hand, since its verdicts will not come."""
        for work in (*self._held, *self._list_works(self._awaited)):
            work.give_back()
        self._held.clear()
        self._awaited.clear()

    def _missing(self, drawer: _Drawer | None, turn: Turn) -> list[JudgeRequest]:
        if drawer is None:
            return []
        drawer.answered.refresh()
        requests = build_requests(split_segments(turn), self._rubric, self._terms.judge, self._terms.evidence)
        return [request for request in requests if not drawer.answered.has(request.turn, request.key)]

    def _drawer(self, run: OpenRun) -> _Drawer:
        if run.folder not in self._drawers:
            pin(run, self._terms)
            self._close_drawers()
            folder = run.workers / self._name
            folder.mkdir(parents=True, exist_ok=True)
            exit_stack = contextlib.ExitStack()
            journal = exit_stack.enter_context(Journal(folder, "start the worker again"))
            allowance, path = self._allowances.of(run), folder / VERDICTS
            self._drawers[run.folder] = _Drawer(run, path, journal, Answered(run), allowance, exit_stack.close)
        return self._drawers[run.folder]

    def _close_drawers(self) -> None:
        """Lets go of runs that have been closed, since a worker may live for many periods."""
        in_use = {awaited.drawer.run.folder for awaited in self._awaited.values()}
        for folder, drawer in list(self._drawers.items()):
            if folder not in in_use and drawer.run.closing is not None:
                self._drawers.pop(folder).close()

    def _sync(self) -> None:
        """Makes all safe that has been written; it is called in a thread."""
        written = len(self._written)
        for drawer in list(self._drawers.values()):
            drawer.journal.sync()
        self._loop.call_soon_threadsafe(self._settle, [self._written.popleft() for _ in range(written)])

    def _settle(self, places: Iterable[Place]) -> None:
        for place in places:
            awaited = self._awaited.pop(place, None)
            for in_hand in awaited.waiting if awaited else ():
                in_hand.left.discard(place)
                if not in_hand.left:
                    self.judged += 1
                    in_hand.work.done()

    @staticmethod
    def _list_works(awaited: dict[Place, _Awaited]) -> list[Work]:
        found = {id(in_hand): in_hand for item in awaited.values() for in_hand in item.waiting}
        return [in_hand.work for in_hand in found.values()]
