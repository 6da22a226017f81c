"""What the engine and a backend agree on: one attempt goes in, a reply or a kind of trouble comes out."""

from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Protocol, Self, runtime_checkable

from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Judge, Outcome, Reply

MAX_TOKENS = 12_000
"""Room for thinking and reply together; unused room costs nothing."""
MORE_TOKENS = 21_000
"""Room for the second asking; above 21,333 the SDK of Anthropic wants a stream."""

Stop = Literal["end", "truncated", "full", "refused"]
"""Why the judge stopped: it was done, reached `max_tokens`, filled its context window, or refused."""


@dataclass(frozen=True, slots=True)
class Settled:
    """How a judgement ended. `reply` is there for `ok` only; `text` keeps an unusable reply as it came."""

    outcome: Outcome
    reason: str | None = None
    reply: Reply | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class BackendReply:
    """What came back from one attempt.

    `note` says more about a refusal. `usage` is the token usage as the provider reported it. `recorded` is an
    outcome that was settled long ago and is taken as it is.
    """

    text: str
    stop: Stop = "end"
    note: str | None = None
    model: str | None = None
    request_id: str | None = None
    status: int | None = None
    usage: dict[str, Any] | None = None
    recorded: Settled | None = None


class Retryable(Exception):  # noqa: N818 - one of the ways in which an attempt may end
    """This attempt failed, another may succeed.

    Args:
        reason: What happened, without any secret.
        retry_after: How many seconds to wait, or until when, as the provider asks.
        pause_all: Whether it concerns all requests, such as a rate limit does.
        status: The HTTP status, if there was an answer.
        request_id: The provider's id of the request, if there was an answer.
    """

    def __init__(
        self,
        reason: str,
        *,
        retry_after: float | datetime | None = None,
        pause_all: bool = False,
        status: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after
        self.pause_all = pause_all
        self.status = status
        self.request_id = request_id


class Unanswerable(Exception):  # noqa: N818 - likewise
    """This judgement cannot be had; others may.

    Args:
        reason: What happened, without any secret.
        systematic: Whether the cause may lie in what all requests share, so that they may all fail alike.
        status: The HTTP status, if there was an answer.
        request_id: The provider's id of the request, if there was an answer.
    """

    def __init__(
        self,
        reason: str,
        *,
        systematic: bool = False,
        status: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.systematic = systematic
        self.status = status
        self.request_id = request_id


PASSING = (Retryable, Unanswerable)
"""Ways in which an attempt may end that do not have to stop a run."""


class Backend(Protocol):
    """A judge that can be asked, inside `async with`."""

    @property
    def judge(self) -> Judge:
        """Who will answer; final once the backend is entered."""
        ...

    async def __aenter__(self) -> Self:
        """Gets ready.

        Raises:
            JudgeError: The judge cannot be asked at all.
        """
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def ask(self, request: JudgeRequest, max_tokens: int, /) -> BackendReply:
        """One attempt.

        Raises:
            Retryable: Another attempt may succeed.
            Unanswerable: This judgement cannot be had.
            JudgeError: The run has to stop.
        """
        ...


@runtime_checkable
class CountsTokens(Backend, Protocol):
    """A backend that can say, without charge, how many tokens the prompt of a request has."""

    async def count_tokens(self, request: JudgeRequest, /) -> int:
        """The tokens of system prompt, form of the reply and evidence together; raises as `Backend.ask` does."""
        ...
