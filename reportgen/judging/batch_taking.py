"""Taking the results of a batch: each becomes a verdict, or a note that its request is to be asked again."""

from collections.abc import Mapping, Sequence
from contextlib import aclosing

from reportgen.errors import JudgeError
from reportgen.judging.batch_contract import BatchInfo, BatchResult
from reportgen.judging.batch_desk import Desk, persist
from reportgen.judging.contract import BackendReply, Retryable, Settled, Unanswerable
from reportgen.judging.keeping import Keeper
from reportgen.judging.outcomes import build_verdict, is_worth_asking_again, settle
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.batch import SentBatch
from reportgen.model.verdict import Attempt, Outcome, Verdict

UNUSABLE: frozenset[Outcome] = frozenset({"truncated", "invalid", "empty"})
"""Outcomes of a reply that is asked for once more."""
_DOWNLOADS = 3
"""So often results are downloaded that end too early without an error."""


class Taking:
    """The results of one batch on their way to the verdicts; in whatever order, and however often, they come.

    `replies` counts requests that were answered, now or before; `failures` those that were not; `canceled` those of
    them that were cancelled.

    Args:
        desk: What to work with.
        keeper: Keeps verdicts.
        sent: The batch; its id is known.
        info: It has ended.
        wanted: The requests that are still to be answered, by custom id.
        is_whole: Whether `wanted` are the requests of this very batch, so that a result can be missed.
    """

    def __init__(
        self,
        desk: Desk,
        keeper: Keeper,
        sent: SentBatch,
        info: BatchInfo,
        wanted: Mapping[str, JudgeRequest],
        *,
        is_whole: bool,
    ) -> None:
        self.replies = 0
        self.failures = 0
        self.canceled = 0
        self.finals: list[Outcome] = []
        self.last_reason = ""
        self._desk, self._keeper, self._sent, self._info = desk, keeper, sent, info
        self._wanted, self._is_whole = wanted, is_whole
        self._seen: set[str] = set()
        self._downloads = 0
        self._waiting: list[Verdict] = []
        self._rejected: list[Verdict] = []

    async def run(self) -> None:
        """Takes all results.

        Raises:
            JudgeError: They cannot be had, or all requests were rejected; then nothing of this batch is kept.
            RunError: Verdicts cannot be kept.
        """
        await persist(self._desk, self._download, f"The batch {self._info.id}")
        if self._is_whole:
            trouble = Retryable("the batch gave no result for it")
            for name in self._wanted.keys() - self._seen:
                await self._take(BatchResult(name, trouble))
        self._require_some_accepted()
        await self._keep(self._rejected)
        await self._keep(self._waiting)

    async def _download(self) -> None:
        """Once through the results; what came before the line broke is not taken twice."""
        self._downloads += 1
        async with aclosing(self._desk.backend.results(self._info.id)) as results:
            async for result in results:
                if result.custom_id not in self._seen:
                    self._seen.add(result.custom_id)
                    await self._take(result)
        if len(self._seen) < self._info.count and self._downloads < _DOWNLOADS:
            raise Retryable(f"only {len(self._seen)} of {self._info.count} results came")

    async def _take(self, result: BatchResult) -> None:
        request = self._wanted.get(result.custom_id)
        if request is None or self._desk.kept.is_answered(request.turn, request.key):
            self.replies += 1
            return
        before = self._desk.kept.attempts(request.turn, request.key)
        self._count(result)
        if not self._is_whole and any(attempt.batch == self._sent.batch for attempt in before):
            # A session that was stopped while it took these results has noted this one.
            return
        settled, final = _settle(result, request, before)
        attempts = (*before, self._note(result, settled))
        verdict = build_verdict(request, self._desk.judge, final, attempts[-1:])
        if isinstance(result.what, Unanswerable):
            self._rejected.append(verdict)
            return
        self._waiting.append(verdict)
        if len(self._waiting) >= self._desk.policy.group:
            await self._keep(self._waiting)

    def _count(self, result: BatchResult) -> None:
        self.canceled += result.canceled
        if isinstance(result.what, BackendReply):
            self.replies += 1
        else:
            self.failures += 1
            self.last_reason = result.what.reason

    def _require_some_accepted(self) -> None:
        """Rejections are final for their turns, unless the cause lies in what all requests share."""
        if self.replies or len(self._rejected) < max(self._desk.policy.streak, self.failures):
            return
        reason = f"all {self.failures} requests of the batch were rejected; the last one: {self.last_reason}"
        self._desk.log.void(self._sent, reason, self._desk.around.now())
        raise JudgeError(f"{self._info.id}: {reason}", "Remove the cause, then ask again with --resume.")

    async def _keep(self, verdicts: list[Verdict]) -> None:
        if verdicts:
            await self._keeper.keep(tuple(verdicts))
            self.finals += [verdict.outcome for verdict in verdicts if verdict.outcome != "gave_up"]
            verdicts.clear()

    def _note(self, result: BatchResult, settled: Settled) -> Attempt:
        what, info = result.what, self._info
        ended = info.ended_at or info.created_at
        return Attempt(
            outcome=settled.outcome,
            reason=settled.reason,
            asked_at=self._sent.at,
            seconds=round(max((ended - info.created_at).total_seconds(), 0.0), 3),
            model=what.model if isinstance(what, BackendReply) else None,
            request_id=what.request_id,
            usage=what.usage if isinstance(what, BackendReply) else None,
            batch=info.id,
        )


def _settle(result: BatchResult, request: JudgeRequest, before: Sequence[Attempt]) -> tuple[Settled, Settled]:
    """How this attempt ended, and what it means for the judgement."""
    what = result.what
    if isinstance(what, Unanswerable):
        rejected = Settled("request_error", what.reason)
        return rejected, rejected
    if isinstance(what, Retryable):
        number = len(before) + 1
        attempts = "the only attempt" if number == 1 else f"{number} attempts; the last time"
        return Settled("gave_up", what.reason), Settled("gave_up", f"no answer in {attempts}: {what.reason}")
    settled = settle(what, request.expected)
    if is_worth_asking_again(what, settled) and not was_unusable(before):
        return settled, Settled("gave_up", f"the run was stopped before it was asked once more: {settled.reason}")
    return settled, settled


def was_unusable(attempts: Sequence[Attempt]) -> bool:
    """Whether there was a reply already that could not be used; the second asking gets more room."""
    return any(attempt.outcome in UNUSABLE for attempt in attempts)
