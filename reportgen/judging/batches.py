"""The judge engine for batches: half the price, answers within hours, and nothing lost that was paid for."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.errors import JudgeError
from reportgen.judging.attempts import Surroundings
from reportgen.judging.batch_contract import BatchItem
from reportgen.judging.batch_desk import Desk, custom_id, next_look, persist, within_time, without_text
from reportgen.judging.batch_recovery import find_lost
from reportgen.judging.batch_sending import send_batch
from reportgen.judging.batch_taking import Taking, was_unusable
from reportgen.judging.contract import MAX_TOKENS, MORE_TOKENS, Backend
from reportgen.judging.engine import judge_turns
from reportgen.judging.keeping import Keep, Keeper, Sync
from reportgen.judging.pacing import Policy
from reportgen.judging.progress import JudgingTotals, Progress
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.batch import SentBatch
from reportgen.model.verdict import Attempt, Outcome, Verdict

_NO_REPLY: frozenset[Outcome] = frozenset({"request_error", "gave_up"})


@dataclass(frozen=True, slots=True)
class _Open:
    """A batch that is being answered; `is_new` says that it was sent in this session."""

    sent: SentBatch
    wanted: dict[str, JudgeRequest]
    is_new: bool


class Batching:
    """One session of judging in batches.

    What has become of a request is read from its attempts on disk, so that a session that goes on after a crash decides
    as the one before it would have done.

    Args:
        requests: Gives all requests of the run, from the first on, as often as it is called.
        desk: What to work with.
        within: Lets through the requests that may be sent; the rest is not asked.
        on_progress: Is told how it stands as batches are sent and come back.
    """

    def __init__(
        self,
        requests: Callable[[], Iterator[JudgeRequest]],
        desk: Desk,
        within: Callable[[Iterator[JudgeRequest]], Iterator[JudgeRequest]],
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._requests = requests
        self._within = within
        self._desk = desk
        self._on_progress = on_progress
        self._keeper = Keeper(desk.keep)
        self._seen_open: set[str] = set()
        self._open: list[_Open] = []
        self._outcomes: Counter[Outcome] = Counter()
        self._attempts = self._peak = self._barren = 0
        self._began_at, self._began = desk.around.now(), desk.around.monotonic()

    async def collect(self) -> None:
        """Takes the results of batches that earlier sessions sent, as they end.

        Raises:
            JudgeError: The provider does not answer, or all requests of a batch were rejected.
            RunError: Verdicts or steps cannot be kept.
        """
        if not self._desk.log.open:
            return
        wanted = {custom_id(self._desk.run, request): without_text(request) for request in self._unanswered()}
        for batch in self._desk.log.open:
            sent = batch if batch.batch is not None else await find_lost(self._desk, batch)
            if sent is not None:
                self._open.append(_Open(sent, wanted, is_new=False))
        if self._open:
            self._tell_open("going on:")
        await self._take_until(0)

    async def ask(self) -> None:
        """Asks for every verdict that is still to come, in round after round, until all are there or given up.

        Raises:
            JudgeError: The judge cannot be asked any more, or batches were cancelled.
            RunError: Verdicts or steps cannot be kept.
        """
        while await self._ask_round():
            pass
        self._outcomes["gave_up"] += sum(1 for _ in self._unanswered())

    async def close(self) -> None:
        """Waits until all that was handed over is on disk."""
        await self._keeper.close()

    def totals(self) -> JudgingTotals:
        """What the session came to; the peak is how many requests were in open batches at once."""
        seconds = self._desk.around.monotonic() - self._began
        return JudgingTotals(dict(+self._outcomes), self._attempts, self._peak, seconds)

    async def _ask_round(self) -> bool:
        """Sends what is to be asked, and takes the results; whether there was anything."""
        sent_any = False
        for items in self._portions():
            sent_any = True
            sent = await send_batch(self._desk, items)
            self._attempts += len(items)
            wanted = {item.custom_id: without_text(item.request) for item in items}
            self._open.append(_Open(sent, wanted, is_new=True))
            self._tell_open(f"sent {sent.batch}:")
            await self._take_until(self._desk.policy.most_open - 1)
        await self._take_until(0)
        return sent_any

    def _portions(self) -> Iterator[list[BatchItem]]:
        """What is to be asked, drawn as it is needed, in portions of a batch each."""
        policy, portion, size = self._desk.policy, list[BatchItem](), 0
        for request in self._within(self._to_be_asked()):
            attempts = self._desk.kept.attempts(request.turn, request.key)
            length = len(request.system) + len(request.user)
            if portion and (len(portion) >= policy.size or size + length > policy.most_bytes):
                yield portion
                portion, size = [], 0
            room = MORE_TOKENS if was_unusable(attempts) else MAX_TOKENS
            portion.append(BatchItem(custom_id(self._desk.run, request), request, room))
            size += length
        if portion:
            yield portion

    def _to_be_asked(self) -> Iterator[JudgeRequest]:
        for request in self._unanswered():
            if not self._has_failed_often(self._desk.kept.attempts(request.turn, request.key)):
                yield request

    def _has_failed_often(self, attempts: Sequence[Attempt]) -> bool:
        """Whether a request came back without an answer as often as is borne in one session."""
        failed = (attempt for attempt in attempts if attempt.batch is not None and attempt.outcome == "gave_up")
        return sum(attempt.asked_at >= self._began_at for attempt in failed) >= self._desk.policy.tries

    def _unanswered(self) -> Iterator[JudgeRequest]:
        kept = self._desk.kept
        return (request for request in self._requests() if not kept.is_answered(request.turn, request.key))

    async def _take_until(self, most: int) -> None:
        """Looks at the open batches again and again, and takes the results of those that have ended.

        Args:
            most: So many may be left open.
        """
        look = None
        while len(self._open) > most:
            look = next_look(self._desk.policy, look)
            await self._desk.around.sleep(look)
            for batch in tuple(self._open):
                await self._look_at(batch)

    async def _look_at(self, batch: _Open) -> None:
        desk, name = self._desk, batch.sent.batch or ""
        info = await persist(desk, lambda: within_time(desk, desk.backend.retrieve(name)), f"The batch {name}")
        if info.status != "ended":
            if info.status == "in_progress":
                self._seen_open.add(name)
            return
        if not info.has_results:
            desk.log.void(batch.sent, "its results are no longer kept", desk.around.now())
            desk.tell(f"the results of {name} are no longer kept: its requests are asked again")
            self._open.remove(batch)
            return
        taking = Taking(desk, self._keeper, batch.sent, info, batch.wanted, is_whole=batch.is_new)
        try:
            await taking.run()
        finally:
            self._outcomes.update(taking.finals)
        desk.log.taken(batch.sent, desk.around.now())
        self._open.remove(batch)
        self._tell_open(f"{name} has ended:")
        self._require_answers(batch, taking)

    def _require_answers(self, batch: _Open, taking: Taking) -> None:
        """Stops where batches were cancelled by somebody, or one after the other came back without any answer."""
        if taking.canceled and (batch.is_new or batch.sent.batch in self._seen_open):
            raise JudgeError(
                f"The batch {batch.sent.batch} was cancelled: {taking.canceled} of its requests were not answered",
                "What was answered is kept; --resume asks for the rest.",
            )
        is_barren = taking.replies == 0 and taking.failures >= self._desk.policy.streak
        self._barren = self._barren + 1 if is_barren and batch.is_new else 0
        if self._barren >= self._desk.policy.tries:
            raise JudgeError(
                f"{self._barren} batches in a row came back without any answer; the last time: {taking.last_reason}",
                "Remove the cause, then ask again with --resume.",
            )

    def _tell_open(self, what: str) -> None:
        in_flight = sum(batch.sent.count for batch in self._open)
        self._peak = max(self._peak, in_flight)
        batches = "1 batch" if len(self._open) == 1 else f"{len(self._open)} batches"
        requests = "1 request" if in_flight == 1 else f"{in_flight} requests"
        self._desk.tell(f"{what} {batches} with {requests} to be awaited" if self._open else f"{what} none is left")
        self._on_progress(Progress(dict(+self._outcomes), in_flight, 0))


async def ask_singly(
    requests: Iterator[JudgeRequest],
    backend: Backend,
    keep: Keep,
    *,
    policy: Policy,
    surroundings: Surroundings,
    on_progress: Callable[[Progress], None],
) -> JudgingTotals:
    """Asks one request after the other until one is answered.

    The requests of a batch are looked at only after a while: this proves key, model and schema before thousands are
    sent.

    Raises:
        JudgeError: The judge cannot be asked, or rejects one request after the other.
        RunError: Verdicts cannot be kept.
    """
    answered: list[Verdict] = []

    def keep_and_see(verdicts: Sequence[Verdict]) -> Sync:
        answered.extend(verdict for verdict in verdicts if verdict.outcome not in _NO_REPLY)
        return keep(verdicts)

    def until_answered() -> Iterator[JudgeRequest]:
        for request in requests:
            yield request
            if answered:
                return

    return await judge_turns(
        until_answered(),
        backend,
        keep_and_see,
        policy=replace(policy, concurrency=1),
        surroundings=surroundings,
        on_progress=on_progress,
    )
