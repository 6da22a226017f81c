"""What batch mode asks of its surroundings: a provider of batches, a journal of them, and the verdicts so far."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from reportgen.judging.contract import BackendReply, Retryable, Unanswerable
from reportgen.judging.pacing import Policy
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.batch import SentBatch
from reportgen.model.verdict import Attempt


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How requests are asked in batches.

    A batch holds at most `size` requests and about `most_bytes` of text, which bounds the memory; at most `most_open`
    are open at once. A request that came back without an answer goes into at most `tries` batches a session. Results
    are kept in groups of `group`, each with one sync. The rest is in seconds: looks at a batch begin `first_look` apart
    and grow to `longest_look`; after a broken creation the list is searched for the batch for `appear`; that a batch is
    not found is borne for `missing`, other trouble on the line for `patience`. Where at least `streak` requests of a
    batch fail and none is answered, the run stops. `retry` says how long to wait after a failed call, and how the
    single requests before the first batch are asked.
    """

    size: int = 2_000
    most_bytes: int = 64_000_000
    most_open: int = 40
    tries: int = 3
    group: int = 100
    first_look: float = 2.0
    longest_look: float = 60.0
    appear: float = 120.0
    missing: float = 600.0
    patience: float = 3_600.0
    timeout: float = 600.0
    streak: int = 20
    retry: Policy = field(default_factory=Policy)


@dataclass(frozen=True, slots=True)
class BatchItem:
    """A request on its way into a batch."""

    custom_id: str
    request: JudgeRequest
    max_tokens: int


@dataclass(frozen=True, slots=True)
class BatchInfo:
    """What the provider says of a batch; `has_results` is False also where they are no longer kept."""

    id: str
    status: Literal["in_progress", "canceling", "ended"]
    count: int
    created_at: datetime
    ended_at: datetime | None = None
    has_results: bool = False


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What came of one request of a batch; `canceled` where the batch was cancelled before it was answered."""

    custom_id: str
    what: BackendReply | Retryable | Unanswerable
    canceled: bool = False


class BatchBackend(Protocol):
    """A judge that answers batches.

    Each call is one attempt and raises `Retryable` where another may succeed, with status 404 where the batch is not
    found; `Unanswerable` where the call is rejected; and `JudgeError` where the run has to stop.
    """

    async def create(self, items: Sequence[BatchItem], /) -> BatchInfo:
        """Sends a batch. After `Retryable` with no status or one of 500 and more it may have been created or not."""
        ...

    async def retrieve(self, batch: str, /) -> BatchInfo:
        """How the batch stands."""
        ...

    def newest(self) -> AsyncGenerator[BatchInfo, None]:
        """The batches of the account, the newest first, asked for page by page as they are drawn."""
        ...

    def results(self, batch: str, /) -> AsyncGenerator[BatchResult, None]:
        """The results of a batch that has ended, in any order, as they are downloaded."""
        ...

    async def cancel(self, batch: str, /) -> BatchInfo:
        """Asks for the batch to be cancelled; what is answered by then stays answered, and billed."""
        ...


@runtime_checkable
class OffersBatches(Protocol):
    """A backend that answers batches as well."""

    def batches(self) -> BatchBackend:
        """The same judge, asked in batches; usable while the backend is entered."""
        ...


class BatchLog(Protocol):
    """The journal of a run's batches. Each step is on disk when its call returns.

    All calls raise `RunError` where it cannot be written.
    """

    @property
    def open(self) -> Sequence[SentBatch]:
        """The batches whose results are still to come, oldest first."""
        ...

    @property
    def known(self) -> frozenset[str]:
        """The provider's ids of all batches of the run."""
        ...

    def intend(self, count: int, ids: str, at: datetime) -> SentBatch:
        """A batch is about to be sent."""
        ...

    def created(self, sent: SentBatch, batch: str, at: datetime) -> SentBatch:
        """It was created under this id."""
        ...

    def taken(self, sent: SentBatch, at: datetime) -> None:
        """All its results are kept."""
        ...

    def void(self, sent: SentBatch, reason: str, at: datetime) -> None:
        """Nothing will come of it."""
        ...


class VerdictLog(Protocol):
    """The verdicts of a run so far, as they are on disk."""

    def is_answered(self, turn: str, key: str) -> bool:
        """Whether there is a final verdict on the turn under this key."""
        ...

    def attempts(self, turn: str, key: str) -> tuple[Attempt, ...]:
        """All attempts on the way to it so far."""
        ...
