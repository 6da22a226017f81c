"""Where a worker gets its work from. A source is a thread beside the engine, since it waits.

This is the archive itself, where there is no Redis; `queue_source` is the queue.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from reportgen.archive.lock import locked
from reportgen.archive.open_runs import OpenRun, collection_of
from reportgen.errors import RunError, StreamingError
from reportgen.pipeline.allowance import Allowances
from reportgen.pipeline.bench import Work
from reportgen.pipeline.stored import Backlog, FindKeys, Stored

_LOOK = 1.0
"""Seconds between two looks into the archive."""

Give = Callable[[Work], None]
"""Hands work over to the engine; it is called in the thread of the source."""


class Source(threading.Thread):
    """What all sources have in common.

    Args:
        give: Takes one piece of work.
        on_end: Is called when it gives no more, whatever the reason.
    """

    def __init__(self, give: Give, on_end: Callable[[], None]) -> None:
        super().__init__(daemon=True, name="source")
        self.failure: Exception | None = None
        self._give, self._on_end = give, on_end
        self._stop_asked = threading.Event()
        self._is_over = threading.Event()

    def ask_to_stop(self) -> None:
        """No more work is wanted; what has been given is finished, or given back."""
        self._stop_asked.set()

    def end(self) -> None:
        """All that was given is finished or has been given back, so that the thread may end."""
        self._stop_asked.set()
        self._is_over.set()

    def run(self) -> None:
        """Gives work, then waits until all of it is finished."""
        try:
            self.give_work()
            self._on_end()
            self.finish()
        except Exception as failure:  # noqa: BLE001 - the worker raises it
            self.failure = failure
            self._on_end()

    def give_work(self) -> None:
        """Gives work until there is none left, or it is asked to stop."""
        raise NotImplementedError

    def finish(self) -> None:
        """Waits until all that was given is finished or given back."""
        self._is_over.wait()


class Archive(Source):
    """The turns of the archive that have no verdict, where there is no Redis: one worker at a time for a collection.

    Args:
        runs: The archive.
        collection: Whose turns.
        find_keys: Gives the verdicts that a turn needs.
        most: How many turns may be in hand at once.
        allowances: What judging each open run may cost.
        is_patient: Whether it goes on looking when there is nothing left.
        give: Takes one piece of work.
        on_end: Is called when it gives no more.
    """

    def __init__(
        self,
        runs: Path,
        collection: str,
        find_keys: FindKeys,
        most: int,
        allowances: Allowances,
        *,
        is_patient: bool,
        give: Give,
        on_end: Callable[[], None],
    ) -> None:
        super().__init__(give, on_end)
        self._runs, self._collection, self._most = runs, collection, most
        self._is_patient = is_patient
        self._backlog = Backlog(runs, collection, find_keys, allowances)
        self._room = threading.Semaphore(most)
        self._given: set[tuple[Path, str]] = set()

    def give_work(self) -> None:
        """Gives each turn without a verdict once.

        Raises:
            StreamingError: Another worker does so already.
        """
        with self._alone():
            while not self._stop_asked.is_set():
                self._give_all()
                if not self._is_patient:
                    break
                self._stop_asked.wait(_LOOK)
            if not self._is_patient:
                self._wait_for_all()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        folder = collection_of(self._runs, self._collection)
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked(folder))
            except RunError:
                raise StreamingError(
                    f"Another worker judges the turns of {self._collection} from this archive",
                    "Leave it to that one, or set streaming.redis, by which workers share the work.",
                ) from None
            yield

    def _give_all(self) -> None:
        for run, stored in self._backlog.find():
            if not self._offer(run, stored):
                break

    def _offer(self, run: OpenRun, stored: Stored) -> bool:
        """Whether the turn could be given before it was asked to stop."""
        place = (run.folder, stored.name)
        if place in self._given:
            return True
        while not self._room.acquire(timeout=0.1):
            if self._stop_asked.is_set():
                return False
        self._given.add(place)
        release = self._room.release
        self._give(Work(run.opening, stored.turn, release, release, lambda: self._take_back(place)))
        return True

    def _take_back(self, place: tuple[Path, str]) -> None:
        """The turn is given again when it may be judged."""
        self._given.discard(place)
        self._room.release()

    def _wait_for_all(self) -> None:
        for _ in range(self._most):
            while not self._room.acquire(timeout=0.1):
                if self._is_over.is_set():
                    return
