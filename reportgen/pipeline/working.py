"""A worker: turns come in, the judge is asked, each verdict is on disk before the turn leaves the queue."""

import asyncio
import random
import re
import secrets
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.open_runs import ASIDE, collection_of, list_open
from reportgen.judging.arrivals import Arrivals
from reportgen.judging.attempts import Surroundings
from reportgen.judging.backends import open_backend
from reportgen.judging.contract import Backend
from reportgen.judging.engine import judge_turns
from reportgen.judging.pacing import TIMEOUT, Policy
from reportgen.judging.progress import Progress
from reportgen.model.opening import Terms
from reportgen.model.rubric import Rubric
from reportgen.pipeline.allowance import Allowances
from reportgen.pipeline.begin import require_unchanged_rubric
from reportgen.pipeline.bench import Bench, Work
from reportgen.pipeline.queue_source import Queue
from reportgen.pipeline.sources import Archive, Source
from reportgen.pipeline.stored import Backlog
from reportgen.pipeline.terms import build_keys, build_terms, require_pinned, require_shared
from reportgen.rubrics import load_rubric
from reportgen.transport.queue import Receiver

_LEAVE = 10.0
"""Seconds that the source may take to say goodbye to Redis."""


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """Whose turns are judged, by whom, and where they come from.

    `redis` is the address of the queue; None to take the turns from the archive. `is_patient` says whether it waits for
    more when there are no turns left, which only the archive can be asked. `is_shared` says that all workers see the
    archive, so that turns without a verdict in it are put into an empty queue.
    """

    runs: Path
    collection: str
    judge: str
    effort: str | None
    rubric: str
    rows: int
    concurrency: int
    redis: str | None = None
    is_patient: bool = True
    is_shared: bool = True
    timeout: float = TIMEOUT


@dataclass(frozen=True, slots=True)
class _Desk:
    """What a worker sits at once the judge is there."""

    order: WorkOrder
    rubric: Rubric
    terms: Terms
    backend: Backend
    bench: Bench
    allowances: Allowances
    around: Surroundings
    say: Callable[[str], None]


async def work(order: WorkOrder, clock: Callable[[], datetime], say: Callable[[str], None], stop: asyncio.Event) -> int:
    """Judges what comes in until it is asked to stop; turns that were not finished are given back.

    Args:
        order: What is to be done.
        clock: Tells the time, with its zone.
        say: Prints a line for a person; it may be called in another thread.
        stop: Is set when it shall stop; requests in flight get some time to end.

    Returns:
        How many turns were judged.

    Raises:
        TermsError: An open run is pinned to another judge, rubric, prompts or limits of evidence.
        JudgeError: The judge cannot be asked any more.
        ReportgenError: The archive or the queue cannot be used.
    """
    rubric = load_rubric(order.rubric)
    require_unchanged_rubric(order.runs, rubric)
    around = Surroundings(clock, time.monotonic, asyncio.sleep, random.random)
    async with open_backend(order.judge, order.effort, order.timeout) as backend:
        terms = build_terms(rubric, backend.judge, order.rows)
        _require_all_pinned(order, terms, say)
        allowances = Allowances(say)
        with Bench(order.runs, name_worker(), rubric, terms, allowances) as bench:
            await _serve(_Desk(order, rubric, terms, backend, bench, allowances, around, say), stop)
            return bench.judged


def name_worker() -> str:
    """A name that no other worker has, on this machine or another."""
    host = re.sub(r"[^A-Za-z0-9-]+", "-", socket.gethostname())[:60]
    return f"{host}-{secrets.token_hex(6)}"


def _require_all_pinned(order: WorkOrder, terms: Terms, say: Callable[[str], None]) -> None:
    for run in list_open(order.runs, order.collection, lambda damage: say(f"left out: {damage.what}")):
        pinned = run.terms
        if pinned and run.closing is None:
            require_pinned(pinned, terms, str(run.opening))
            require_shared(run.limit, is_shared=order.is_shared)


async def _serve(desk: _Desk, stop: asyncio.Event) -> None:
    loop, arrivals, wake = asyncio.get_running_loop(), Arrivals(), asyncio.Event()
    failures: list[Exception] = []

    def take(work: Work) -> None:
        try:
            for request in desk.bench.take(work):
                arrivals.put(request)
        except Exception as failure:  # noqa: BLE001 - it is raised below
            failures.append(failure)
            work.give_back()
            wake.set()

    desk.bench.take_again = take

    def give(work: Work) -> None:
        loop.call_soon_threadsafe(take, work)

    def on_end() -> None:
        loop.call_soon_threadsafe(wake.set)

    source = _open_source(desk, give, on_end)
    judging = asyncio.create_task(_judge(desk, arrivals))
    source.start()
    try:
        await _wait_for_any(judging, stop, wake)
        source.ask_to_stop()
        arrivals.stop()
        await _let_end(judging, desk.say)
    finally:
        judging.cancel()
        await asyncio.gather(judging, return_exceptions=True)
        desk.bench.give_back()
        source.end()
        await asyncio.to_thread(source.join, _LEAVE)
    for failure in (*failures, source.failure):
        if failure is not None:
            raise failure


def _open_source(desk: _Desk, give: Callable[[Work], None], on_end: Callable[[], None]) -> Source:
    """The queue, or the archive; twice as many turns are in hand as requests in flight, so that no slot waits."""
    order, allowances = desk.order, desk.allowances
    find_keys = build_keys(desk.rubric, desk.terms)
    most, place = 2 * order.concurrency, (order.runs, order.collection)
    if order.redis is None:
        return Archive(*place, find_keys, most, allowances, is_patient=order.is_patient, give=give, on_end=on_end)
    receiver = Receiver(order.redis, order.collection, most)
    backlog = Backlog(*place, find_keys, allowances) if order.is_shared else None
    aside = collection_of(order.runs, order.collection) / ASIDE
    return Queue(order.collection, receiver, backlog, aside, give=give, on_end=on_end, say=desk.say)


async def _judge(desk: _Desk, arrivals: Arrivals) -> None:
    told: set[str] = set()

    def tell(progress: Progress) -> None:
        if progress.trouble and progress.trouble not in told:
            told.add(progress.trouble)
            desk.say(progress.trouble)

    policy = Policy(desk.order.concurrency, timeout=desk.order.timeout)
    await judge_turns(
        arrivals, desk.backend, desk.bench.keep, policy=policy, surroundings=desk.around, on_progress=tell
    )


async def _wait_for_any(judging: "asyncio.Task[None]", *events: asyncio.Event) -> None:
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait([judging, *waiting], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def _let_end(judging: "asyncio.Task[None]", say: Callable[[str], None]) -> None:
    """Lets the requests in flight end, for a while: they are paid for."""
    with suppress(TimeoutError):
        await asyncio.wait_for(judging, Policy().grace)
        return
    say("some requests were still in flight; their turns are given back")
