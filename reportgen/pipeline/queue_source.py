"""The queue in Redis as a source of work; where it is empty, turns of the archive without a verdict are put into it."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue

from reportgen.archive.aside import keep_aside
from reportgen.capture.flaws import Flaw
from reportgen.pipeline.bench import Work
from reportgen.pipeline.sources import Give, Source
from reportgen.pipeline.stored import Backlog, build_parcel, read_parcel
from reportgen.transport.broker import Unreachable
from reportgen.transport.queue import Delivery, Receiver

IDLE = 5.0
"""Seconds between two looks into the archive; a turn that was stored within them may be on its way into the queue."""
_RETRY = 1.0
_PAUSE = 0.1


class Queue(Source):
    """The queue in Redis, which may go away and come back.

    Args:
        collection: Whose turns.
        receiver: The other end of the queue.
        backlog: What is put into the queue where it is empty; None if this archive does not show what has a verdict.
        aside: Where something in the queue that is no turn of the collection is kept.
        give: Takes one piece of work.
        on_end: Is called when it gives no more.
        say: Prints a line for a person.
    """

    def __init__(
        self,
        collection: str,
        receiver: Receiver,
        backlog: Backlog | None,
        aside: Path,
        *,
        give: Give,
        on_end: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(give, on_end)
        self._collection, self._receiver, self._backlog, self._aside = collection, receiver, backlog, aside
        self._say = say
        self._answers: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._looked_at = time.monotonic()
        self._is_reached = True

    def give_work(self) -> None:
        """Gives what comes, until it is asked to stop."""
        while not self._stop_asked.is_set():
            try:
                self._answer()
                self._look()
            except Unreachable as trouble:
                self._wait_for_redis(trouble)

    def finish(self) -> None:
        """Acknowledges what is still being finished, and gives back the rest."""
        with suppress(Unreachable):
            while not self._is_over.wait(_PAUSE):
                self._answer()
                # Without a sign of life the work would be given to others meanwhile.
                self._receiver.beat()
            self._answer()
            self._receiver.close()

    def _look(self) -> None:
        delivery = self._receiver.fetch()
        if not self._is_reached:
            self._say(f"Redis at {self._receiver.place} answers again")
            self._is_reached = True
        if delivery is not None:
            self._open(delivery)
        elif time.monotonic() - self._looked_at > IDLE:
            self._looked_at = time.monotonic()
            while damaged := self._receiver.fetch_damaged():
                self._open(damaged)
            if self._backlog is not None:
                self._refill(self._backlog)

    def _open(self, delivery: Delivery) -> None:
        answers = self._answers
        try:
            opening, turn = read_parcel(delivery.parcel, self._collection)
            if self._backlog is not None:
                self._backlog.require_stored(opening, turn)
        except Flaw as flaw:
            why = f"found in the queue: {flaw.field} {flaw.problem}"
            keep_aside(self._aside, str(delivery.parcel).encode(), why, datetime.now(UTC))
            delivery.acknowledge()
            return

        def acknowledge() -> None:
            answers.put(delivery.acknowledge)

        # What is left is found in the archive, and put into the queue again, once it may be judged.
        self._give(Work(opening, turn, acknowledge, lambda: answers.put(delivery.give_back), acknowledge))

    def _answer(self) -> None:
        """Acknowledges what is done, and gives back what will not be."""
        with suppress(Empty):
            while True:
                self._answers.get_nowait()()

    def _wait_for_redis(self, trouble: Unreachable) -> None:
        if self._is_reached:
            self._say(f"{trouble}; what is in hand goes on, and what is handed in meanwhile is stored")
            self._is_reached = False
        self._stop_asked.wait(_RETRY)
        self._receiver.reconnect()

    def _refill(self, backlog: Backlog) -> None:
        """Puts turns into the queue that lie in the archive alone: Redis was away or full, or has lost them."""
        if self._receiver.beat() or not self._receiver.claim_refilling():
            return
        try:
            sent = 0
            for run, stored in backlog.find(quiet=IDLE):
                if not self._receiver.send(build_parcel(run.opening, stored.line)):
                    break
                sent += 1
        finally:
            self._receiver.release_refilling()
        if sent:
            self._say(f"{sent:,} turns that were not in the queue are in it now")
