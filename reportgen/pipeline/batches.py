"""Batches as part of a run: collecting those that are open, asking in new ones, and cancelling them."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from reportgen.archive.batch_journal import BatchJournal
from reportgen.archive.journal import Journal
from reportgen.archive.store import is_finished, load_draft, load_run
from reportgen.errors import RunError
from reportgen.judging.attempts import Surroundings
from reportgen.judging.backends import open_backend, open_batches
from reportgen.judging.batch_contract import BatchBackend, BatchPolicy
from reportgen.judging.batch_desk import Desk
from reportgen.judging.batches import Batching, ask_singly
from reportgen.judging.contract import Backend, Retryable, Unanswerable
from reportgen.judging.keeping import Keep
from reportgen.judging.progress import NOTHING, JudgingTotals, Progress
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.batch import SentBatch

Tell = Callable[[Progress], None]
Phase = Callable[[Tell], Awaitable[JudgingTotals]]
"""A part of the judging; it counts from zero what it tells."""


@dataclass(frozen=True, slots=True)
class BatchSession:
    """What judging in batches works with.

    `run` is the run's id, `requests` gives all its requests, `within` lets through those that may be sent, `keep`
    stores verdicts on these and `keep_collected` on others; `say` prints a line for a person.
    """

    run: str
    requests: Callable[[], Iterator[JudgeRequest]]
    within: Callable[[Iterator[JudgeRequest]], Iterator[JudgeRequest]]
    backend: Backend
    kept: Journal
    keep: Keep
    keep_collected: Keep
    log: BatchJournal
    policy: BatchPolicy
    around: Surroundings
    say: Callable[[str], None]

    def is_answered(self, request: JudgeRequest) -> bool:
        """Whether there is a final verdict on the request."""
        return self.kept.is_answered(request.turn, request.key)


async def run_phases(phases: Iterable[Phase], on_progress: Tell) -> JudgingTotals:
    """Runs one part of the judging after the other; what it came to is summed up."""
    totals = NOTHING
    for phase in phases:
        totals = _add(totals, await phase(_shift(on_progress, totals)))
    return totals


def _add(one: JudgingTotals, other: JudgingTotals) -> JudgingTotals:
    outcomes = Counter(one.outcomes) + Counter(other.outcomes)
    attempts, seconds = one.attempts + other.attempts, one.seconds + other.seconds
    return JudgingTotals(dict(outcomes), attempts, max(one.peak, other.peak), seconds)


def _shift(on_progress: Tell, before: JudgingTotals) -> Tell:
    return lambda progress: on_progress(
        replace(progress, outcomes=Counter(progress.outcomes) + Counter(before.outcomes))
    )


async def collect_batches(session: BatchSession, on_progress: Tell) -> JudgingTotals:
    """Takes the results of the batches that are open from before.

    Raises:
        JudgeError: The judge has no batches, or does not answer.
        RunError: Verdicts cannot be kept.
    """
    return await _with_batching(replace(session, keep=session.keep_collected), on_progress, Batching.collect)


async def ask_batches(session: BatchSession, on_progress: Tell) -> JudgingTotals:
    """Asks for all verdicts that are still to come, in batches; in a new run one request goes alone first.

    Raises:
        JudgeError: The judge cannot be asked any more, or batches were cancelled.
        RunError: Verdicts cannot be kept.
    """
    policy, around = session.policy.retry, session.around

    async def singly(tell: Tell) -> JudgingTotals:
        unanswered = (request for request in session.requests() if not session.is_answered(request))
        return await ask_singly(
            session.within(unanswered),
            session.backend,
            session.keep,
            policy=policy,
            surroundings=around,
            on_progress=tell,
        )

    async def together(tell: Tell) -> JudgingTotals:
        return await _with_batching(session, tell, Batching.ask)

    is_new = not any(map(session.is_answered, session.requests()))
    return await run_phases([singly, together] if is_new else [together], on_progress)


async def _with_batching(
    session: BatchSession, on_progress: Tell, work: Callable[[Batching], Awaitable[None]]
) -> JudgingTotals:
    desk = Desk(
        session.run,
        open_batches(session.backend),
        session.backend.judge,
        session.kept,
        session.keep,
        session.log,
        session.policy,
        session.around,
        session.say,
    )
    batching = Batching(session.requests, desk, session.within, on_progress)
    try:
        await work(batching)
    finally:
        await batching.close()
    return batching.totals()


def describe_open(folder: Path) -> str | None:
    """What goes on at the provider for an unfinished run, and how to stop it; None if nothing does."""
    found = BatchJournal(folder).open
    if not found:
        return None
    names = ", ".join(batch.batch or "one whose id is not known yet" for batch in found)
    count = sum(batch.count for batch in found)
    batches = "1 batch goes on and is" if len(found) == 1 else f"{len(found)} batches go on and are"
    requests = "1 request" if count == 1 else f"{count} requests"
    return (
        f"{batches} billed ({requests}: {names})\n"
        f"  to cancel: reportgen batches cancel {folder.name} --runs {folder.parent}"
    )


@dataclass(frozen=True, slots=True)
class Cancelled:
    """What became of one batch: its id, or None where it is not known, and what is to be said of it."""

    batch: str | None
    text: str


async def cancel_batches(folder: Path, clock: Callable[[], datetime]) -> list[Cancelled]:
    """Asks the provider to cancel the open batches of an unfinished run.

    What was answered by then stays answered, is billed, and is taken when the run goes on. A batch that the provider
    does not know is forgotten. One whose creation was not answered is left alone, since the account may have others
    like it.

    Raises:
        JudgeError: The provider cannot be asked.
        RunError: The run is finished, or in use where a batch is to be forgotten.
    """
    if is_finished(folder):
        ended = "Its batches have ended" if load_run(folder).manifest.batches else "It used no batches"
        raise RunError(f"The run {folder} is finished", f"{ended}; there is nothing to cancel.")
    found = BatchJournal(folder).open
    if not found:
        return []
    judge = load_draft(folder).judge
    async with open_backend(f"{judge.provider}:{judge.model}", judge.effort) as backend:
        batches = open_batches(backend)
        return [await _cancel(folder, batches, batch, clock) for batch in found]


async def _cancel(folder: Path, batches: BatchBackend, sent: SentBatch, clock: Callable[[], datetime]) -> Cancelled:
    try:
        if sent.batch is None:
            return Cancelled(None, await _describe_unknown(batches, sent))
        info = await batches.cancel(sent.batch)
    except Unanswerable as trouble:
        return Cancelled(sent.batch, f"could not be cancelled: {trouble.reason}")
    except Retryable as trouble:
        if trouble.status != 404:
            return Cancelled(sent.batch, f"could not be cancelled: {trouble.reason}; try again")
        with Journal(folder):
            BatchJournal(folder).void(sent, "it was not found when it was to be cancelled", clock())
        return Cancelled(sent.batch, "is not known to the provider; forgotten")
    if info.status == "ended":
        return Cancelled(sent.batch, "has ended already; --resume takes its results")
    return Cancelled(sent.batch, "is being cancelled; --resume takes what was answered by then")


async def _describe_unknown(batches: BatchBackend, sent: SentBatch) -> str:
    """The batches that may be the one whose creation was not answered; a person may know which it is."""
    found = []
    async with aclosing(batches.newest()) as newest:
        async for info in newest:
            if info.created_at < sent.at:
                break
            if info.count == sent.count and info.status != "ended":
                found.append(info.id)
    return (
        f"a batch of {sent.count} requests was sent, but its creation was not answered; "
        f"it may be one of: {', '.join(found)}; --resume finds out"
        if found
        else f"a batch of {sent.count} requests was about to be sent, but none like it is open; --resume makes sure"
    )
