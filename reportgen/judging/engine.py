"""The judge engine: as many requests in flight as asked for, and nothing lost that was paid for."""

import asyncio
import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count

from reportgen.errors import ReportgenError
from reportgen.judging.arrivals import Arrivals
from reportgen.judging.attempts import Came, Job, Surroundings, attempt
from reportgen.judging.contract import Backend, BackendReply, Retryable, Settled, Unanswerable
from reportgen.judging.keeping import Keep, Keeper
from reportgen.judging.outcomes import build_verdict, is_worth_asking_again
from reportgen.judging.pacing import Pacer, Policy, seconds_to_wait
from reportgen.judging.progress import JudgingTotals, Progress
from reportgen.judging.prompts import JudgeRequest
from reportgen.judging.streaks import Streak
from reportgen.model.verdict import STOPPED, Outcome, Verdict


async def judge_turns(
    requests: Iterator[JudgeRequest] | Arrivals,
    backend: Backend,
    keep: Keep,
    *,
    policy: Policy,
    surroundings: Surroundings,
    on_progress: Callable[[Progress], None],
) -> JudgingTotals:
    """Judges all requests and keeps each verdict before its slot is free.

    Requests are drawn only when a slot is free for them. If the run has to stop, requests in flight get some
    time to end, since they are paid for; if it is interrupted, they are dropped. Either way, what was kept is
    whole.

    Args:
        requests: What to ask, drawn lazily; where they are arrivals, until these end.
        backend: Whom to ask; already entered.
        keep: Writes verdicts and returns what makes them safe; that is called in a thread.
        policy: How many at once, how often, how long.
        surroundings: Time and chance.
        on_progress: Is told each verdict and each pause.

    Raises:
        JudgeError: The judge cannot be asked any more.
        RunError: Verdicts cannot be kept.
    """
    judging = _Judging(requests, backend, keep, policy=policy, surroundings=surroundings, on_progress=on_progress)
    try:
        await judging.run()
    except Exception:
        await judging.drain()
        raise
    finally:
        await judging.close()
    return judging.totals()


class _Judging:
    """One judging while it runs: what is in flight, what waits for another try, and what came of the rest."""

    def __init__(
        self,
        requests: Iterator[JudgeRequest] | Arrivals,
        backend: Backend,
        keep: Keep,
        *,
        policy: Policy,
        surroundings: Surroundings,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._requests: Iterator[JudgeRequest | None] | None = requests
        self._backend = backend
        self._keeper = Keeper(keep)
        self._policy = policy
        self._time = surroundings
        self._on_progress = on_progress
        self._pacer = Pacer(policy.concurrency)
        self._streak = Streak(policy)
        self._slots: set[asyncio.Task[None]] = set()
        self._asked: dict[int, Job] = {}
        self._waiting: list[tuple[float, int, Job]] = []
        self._order = count()
        self._changed = asyncio.Event()
        if isinstance(requests, Arrivals):
            requests.on_arrival = self._changed.set
        self._is_stopping = False
        self._failure: BaseException | None = None
        self._outcomes: Counter[Outcome] = Counter()
        self._attempts = 0
        self._began = surroundings.monotonic()

    async def run(self) -> None:
        """Starts requests whenever one may start, until none is left."""
        while True:
            self._changed.clear()
            if self._failure is not None:
                raise self._failure
            job = self._next_job()
            if job is not None:
                self._open_slot(job)
            elif self._slots or self._waiting or self._requests is not None:
                await self._wait()
            else:
                break
        await self._store(self._streak.end())

    async def drain(self) -> None:
        """Lets the requests in flight end, for a while: they are paid for."""
        self._is_stopping = True
        if self._slots and self._keeper.failure is None:
            await asyncio.wait(self._slots, timeout=self._policy.grace)

    async def close(self) -> None:
        """Drops what is still in flight; what unfinished judgements have cost is kept, under `gave_up`."""
        self._is_stopping = True
        jobs = [*self._asked.values(), *(job for _, _, job in self._waiting)]
        for slot in self._slots:
            slot.cancel()
        await asyncio.gather(*self._slots, return_exceptions=True)
        stopped = Settled("gave_up", STOPPED)
        left = [self._verdict(job, stopped) for job in jobs if job.attempts and not job.is_settled]
        left += [_put_off(verdict) for verdict in self._streak.end()]
        # A failure to keep them has been raised before, or would hide why the run stopped.
        with suppress(ReportgenError):
            await self._store(left)
        await self._keeper.close()

    def totals(self) -> JudgingTotals:
        """What it came to."""
        seconds = self._time.monotonic() - self._began
        return JudgingTotals(dict(self._outcomes), self._attempts, self._pacer.peak, seconds)

    def _next_job(self) -> Job | None:
        """A judgement that may start now: first one whose wait is over, then a new one.

        While more wait for another try than may be in flight, no new one is drawn: in an outage the queue
        would grow by all the turns that there are.
        """
        now = self._time.monotonic()
        if not self._pacer.may_start(now):
            return None
        if self._waiting and self._waiting[0][0] <= now:
            return heapq.heappop(self._waiting)[2]
        if self._requests is None or len(self._waiting) > self._policy.concurrency:
            return None
        try:
            request = next(self._requests)
        except StopIteration:
            self._requests = None
            return None
        return Job(request) if request else None

    def _open_slot(self, job: Job) -> None:
        self._pacer.started()
        slot = asyncio.create_task(self._fill_slot(job))
        self._slots.add(slot)
        slot.add_done_callback(self._close_slot)

    async def _fill_slot(self, first: Job) -> None:
        """One judgement after the other, as long as one may start."""
        job: Job | None = first
        while job is not None:
            self._asked[id(job)] = job
            await self._judge(job)
            del self._asked[id(job)]
            self._pacer.ended()
            job = None if self._is_stopping or self._failure else self._next_job()
            if job is not None:
                self._pacer.started()
            self._changed.set()

    def _close_slot(self, slot: "asyncio.Task[None]") -> None:
        self._slots.discard(slot)
        if not slot.cancelled() and self._failure is None:
            self._failure = slot.exception()
        self._changed.set()

    async def _wait(self) -> None:
        """Until a request ends, or the moment comes at which one may start."""
        now = self._time.monotonic()
        moments = [self._pacer.next_change(now), self._waiting[0][0] if self._waiting else None]
        due = [moment for moment in moments if moment is not None and moment > now]
        if not due:
            await self._changed.wait()
            return
        changed = asyncio.ensure_future(self._changed.wait())
        slept = asyncio.ensure_future(self._time.sleep(min(due) - now))
        try:
            await asyncio.wait((changed, slept), return_when=asyncio.FIRST_COMPLETED)
        finally:
            changed.cancel()
            slept.cancel()

    async def _judge(self, job: Job) -> None:
        """One attempt and what follows from it."""
        came = await attempt(job, self._backend, self._policy.timeout, self._time)
        self._attempts += 1
        match came.what:
            case BackendReply():
                await self._take(job, came, came.what)
            case Unanswerable():
                await self._reject(job, came, came.what)
            case Retryable():
                await self._fail(job, came, came.what)

    async def _take(self, job: Job, came: Came, reply: BackendReply) -> None:
        """A reply came: it settles the judgement, or is asked for once more."""
        self._pacer.open(self._time.monotonic(), came.seconds)
        self._pacer.answered()
        if is_worth_asking_again(reply, came.settled) and not job.asked_again:
            job.asked_again, job.tries, job.limits = True, 0, 0
            self._queue(job, 0.0)
            return
        job.is_settled = True
        await self._store([*self._streak.end(), self._verdict(job, came.settled)])

    async def _reject(self, job: Job, came: Came, trouble: Unanswerable) -> None:
        """The judgement cannot be had; where the cause may be common to all, the verdict is held back."""
        job.is_settled = True
        verdict = self._verdict(job, came.settled)
        if trouble.systematic:
            self._streak.add(trouble.reason, verdict, has_answered=self._pacer.answers > 0)
            return
        self._pacer.open(self._time.monotonic(), came.seconds)
        await self._store([*self._streak.end(), verdict])

    async def _fail(self, job: Job, came: Came, trouble: Retryable) -> None:
        """No answer this time: another try later, or the judgement is given up."""
        job.tries += 1
        job.limits += trouble.pause_all
        wait = seconds_to_wait(self._policy, job.tries, trouble.retry_after, self._time.now(), self._time.chance())
        if trouble.pause_all:
            self._pacer.limited(self._time.monotonic(), came.started, wait)
        if job.tries - job.limits < self._policy.tries and job.limits < self._policy.limited_tries:
            self._queue(job, wait)
            self._report(trouble.reason)
            return
        job.is_settled = True
        reason = f"no answer in {len(job.attempts)} attempts; the last time: {trouble.reason}"
        await self._store([self._verdict(job, Settled("gave_up", reason))])
        self._streak.add(trouble.reason, has_answered=self._pacer.answers > 0)

    def _queue(self, job: Job, wait: float) -> None:
        heapq.heappush(self._waiting, (self._time.monotonic() + wait, next(self._order), job))

    def _verdict(self, job: Job, settled: Settled) -> Verdict:
        return build_verdict(job.request, self._backend.judge, settled, job.attempts)

    async def _store(self, verdicts: list[Verdict]) -> None:
        if verdicts:
            await self._keeper.keep(verdicts)
            self._outcomes.update(verdict.outcome for verdict in verdicts)
            self._report()

    def _report(self, trouble: str | None = None) -> None:
        pause = max(self._pacer.paused_until - self._time.monotonic(), 0.0)
        flying, waiting = self._pacer.in_flight, len(self._waiting)
        self._on_progress(Progress(dict(self._outcomes), flying, waiting, pause, trouble))


def _put_off(rejected: Verdict) -> Verdict:
    """A rejection whose cause may be common to all, as one that is asked for again."""
    return rejected.model_copy(update={"outcome": "gave_up", "reason": f"{STOPPED}: {rejected.reason}"})
