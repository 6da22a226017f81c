"""A verdict: the stored outcome of one judge call, the reply or a failure with its reason."""

from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue

from reportgen.record import Moment, Record

FORMAT: Final = "reportgen/verdict/1"

Outcome = Literal["ok", "refused", "truncated", "invalid", "empty", "request_error", "gave_up"]
Category = Literal["good", "partial", "poor"]
Number = int | float

STOPPED: Final = "the run was stopped before the judge had answered"
"""How the reason of a verdict begins that only keeps what asking cost: nobody gave up on the turn, the asking ended."""


class Judge(Record):
    """Who answered: provider, model, and the parameters that could change the answer."""

    provider: str
    model: str
    effort: str | None = None
    parameters: dict[str, JsonValue] = {}
    note: str | None = None

    @property
    def name(self) -> str:
        """The judge's short name, such as `anthropic:claude-opus-5-5`."""
        return f"{self.provider}:{self.model}"


class Reply(Record):
    """What the judge said, as it came. A score of None says that the dimension does not apply."""

    quotes: tuple[str, ...]
    explanation: str
    scores: dict[str, Number | None]
    verdict: Category
    addressed_judge: bool


class Attempt(Record):
    """One request on the way to a verdict; `usage` is the token usage as the provider reported it.

    `batch` is the provider's id of the batch that the request was sent in, None where it was sent by itself; the time
    of a request in a batch is that of the whole batch.
    """

    outcome: Outcome
    reason: str | None = None
    asked_at: Moment
    seconds: Annotated[float, Field(ge=0)]
    model: str | None = None
    request_id: str | None = None
    status: int | None = None
    usage: dict[str, JsonValue] | None = None
    batch: str | None = None


class Verdict(Record):
    """The outcome of one judge call on one turn.

    `key` is the digest of all that could change the answer; `evidence` is the digest of what the judge saw. `text`
    keeps a reply that could not be used, as it came.
    """

    format: Literal["reportgen/verdict/1"] = FORMAT
    key: str
    turn: str
    call: str
    sample: Annotated[int, Field(ge=1)] = 1
    judge: Judge
    rubric: str
    evidence: str
    outcome: Outcome
    reason: str | None = None
    reply: Reply | None = None
    text: str | None = None
    attempts: tuple[Attempt, ...] = ()

    @property
    def was_stopped(self) -> bool:
        """Whether it only keeps what asking cost, since the asking ended before the judge had answered."""
        return (self.reason or "").startswith(STOPPED)
