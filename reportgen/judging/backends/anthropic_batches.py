"""Claude as the judge of batches, through the official SDK: half the price, answers within hours."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reportgen.errors import JudgeError
from reportgen.judging.backends import anthropic_errors as errors
from reportgen.judging.batch_contract import BatchInfo, BatchItem, BatchResult
from reportgen.judging.contract import BackendReply, Retryable, Unanswerable
from reportgen.judging.prompts import JudgeRequest
from reportgen.judging.redaction import Redactor, one_line
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import anthropic
    from anthropic.types.messages import MessageBatch

BuildParams = Callable[[JudgeRequest, Judge, int, str], dict[str, Any]]
ReadMessage = Callable[[dict[str, Any]], BackendReply]

_PAGE = 100
_CACHED_FOR = "1h"
"""The requests of a batch are answered over a longer time than the usual five minutes."""
_REJECTED = ("invalid_request_error", "request_too_large")


class AnthropicBatches:
    """The batches of one client.

    Args:
        client: Entered, and used by one event loop.
        judge: Who answers.
        redact: Takes secrets out of what is stored.
        build_params: Makes the body of a request; the same as for single requests.
        read_message: Reads a message; likewise.
    """

    def __init__(
        self,
        client: "anthropic.AsyncAnthropic",
        judge: Judge,
        redact: Redactor,
        build_params: BuildParams,
        read_message: ReadMessage,
    ) -> None:
        self._api = client.messages.batches
        self._judge = judge
        self._redact = redact
        self._build_params = build_params
        self._read_message = read_message

    async def create(self, items: Sequence[BatchItem], /) -> BatchInfo:
        """Sends a batch; see `BatchBackend.create`."""
        requests: list[Any] = [
            {
                "custom_id": item.custom_id,
                "params": self._build_params(item.request, self._judge, item.max_tokens, _CACHED_FOR),
            }
            for item in items
        ]
        try:
            async with self._translated():
                return _read_info(await self._api.create(requests=requests))
        except Retryable as trouble:
            if trouble.status != 404:
                raise
            raise JudgeError(
                f"Batches are not known where the judge is asked ({trouble.reason})", "Leave out --batch."
            ) from None

    async def retrieve(self, batch: str, /) -> BatchInfo:
        """How the batch stands; see `BatchBackend.retrieve`."""
        async with self._translated():
            return _read_info(await self._api.retrieve(batch))

    async def newest(self) -> AsyncGenerator[BatchInfo, None]:
        """The batches of the account; see `BatchBackend.newest`."""
        async with self._translated():
            async for batch in self._api.list(limit=_PAGE):
                yield _read_info(batch)

    async def results(self, batch: str, /) -> AsyncGenerator[BatchResult, None]:
        """The results of a batch; see `BatchBackend.results`."""
        async with self._translated():
            stream = await self._api.results(batch)
            try:
                async for line in stream:
                    yield self._read_result(line.to_dict())
            finally:
                await stream.close()

    async def cancel(self, batch: str, /) -> BatchInfo:
        """Asks for the batch to be cancelled; see `BatchBackend.cancel`."""
        async with self._translated():
            return _read_info(await self._api.cancel(batch))

    @asynccontextmanager
    async def _translated(self) -> AsyncIterator[None]:
        """As for single requests, but what is not found is no missing model: a new batch may not be known yet."""
        import anthropic

        async with errors.translated(self._judge.model, self._redact):
            try:
                yield
            except anthropic.NotFoundError as error:
                text = self._redact(str(error.api_message or "not found"))
                raise Retryable(f"HTTP 404: {text}", status=404, request_id=self._redact(error.request_id)) from None

    def _read_result(self, line: Mapping[str, Any]) -> BatchResult:
        name, result = line.get("custom_id"), line.get("result")
        if not isinstance(name, str) or not isinstance(result, dict):
            raise Retryable("a line of the results is not a result")
        match result.get("type"):
            case "succeeded" if isinstance(result.get("message"), dict):
                return BatchResult(name, self._read_message(result["message"]))
            case "errored":
                return BatchResult(name, self._read_error(result.get("error")))
            case "canceled":
                trouble = Retryable("the batch was cancelled before this request was answered")
                return BatchResult(name, trouble, canceled=True)
            case "expired":
                return BatchResult(name, Retryable("the batch expired before this request was answered"))
        return BatchResult(name, Retryable("the result is of an unknown kind"))

    def _read_error(self, body: Any) -> Retryable | Unanswerable:
        error = body.get("error") if isinstance(body, dict) else None
        kind, text = (str(error.get("type")), str(error.get("message"))) if isinstance(error, dict) else ("error", "")
        reason = f"{kind}: {one_line(self._redact(text))}"
        return Unanswerable(reason) if kind in _REJECTED else Retryable(reason)


def _read_info(batch: "MessageBatch") -> BatchInfo:
    """What the SDK made of the answer; it checks nothing.

    Raises:
        Retryable: It is not a batch.
    """
    try:
        counts = batch.request_counts
        return BatchInfo(
            id=batch.id,
            status=batch.processing_status,
            count=counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired,
            created_at=_require_moment(batch.created_at),
            ended_at=_require_moment(batch.ended_at) if batch.ended_at is not None else None,
            has_results=batch.results_url is not None and batch.archived_at is None,
        )
    except (AttributeError, TypeError):
        raise Retryable("the answer is not a batch") from None


def _require_moment(value: object) -> datetime:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise TypeError("not a time with its zone")
    return value
