"""Claude as the judge, through the official SDK. The SDK is imported only when the backend is entered."""

import warnings
from typing import TYPE_CHECKING, Any

from reportgen.errors import JudgeError
from reportgen.judging.backends import anthropic_errors as errors
from reportgen.judging.backends.anthropic_batches import AnthropicBatches
from reportgen.judging.backends.sdk_backend import CONNECT_TIMEOUT, SdkBackend
from reportgen.judging.batch_contract import BatchBackend
from reportgen.judging.contract import MAX_TOKENS, PASSING, BackendReply, Retryable, Stop
from reportgen.judging.prompts import JudgeRequest
from reportgen.judging.redaction import Redactor
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import anthropic

EFFORTS = ("low", "medium", "high", "xhigh", "max")
DEFAULT_EFFORT = "medium"
"""Sent always, since the default differs from model to model."""

_STOPS: dict[str, Stop] = {
    "max_tokens": "truncated",
    "model_context_window_exceeded": "full",
    "refusal": "refused",
}
"""What ends a reply before its end; every other reason leaves a text to be read."""


def open_backend(model: str, effort: str | None, timeout: float) -> "AnthropicBackend":
    """The backend for a model.

    Raises:
        JudgeError: The effort is unknown.
    """
    if effort is not None and effort not in EFFORTS:
        raise JudgeError(f"{effort!r} is not an effort", f"Give one of {', '.join(EFFORTS)}.")
    effort = effort or DEFAULT_EFFORT
    judge = Judge(provider="anthropic", model=model, effort=effort, parameters={"max_tokens": MAX_TOKENS})
    return AnthropicBackend(judge, timeout)


class AnthropicBackend(SdkBackend):
    """One client for one run, and one event loop."""

    _client: "anthropic.AsyncAnthropic"

    async def _enter(self) -> None:
        import anthropic

        timeout = anthropic.Timeout(self._timeout, connect=CONNECT_TIMEOUT)
        # The usual transport probes every idle connection at each request, which costs much with many in flight.
        transport = anthropic.DefaultAioHttpClient(timeout=timeout)
        client = anthropic.AsyncAnthropic(max_retries=0, timeout=timeout, http_client=transport, open_telemetry=False)
        self._redact = Redactor(client.api_key, client.auth_token)
        _require_key(client)
        self._client = await self._exit.enter_async_context(client)
        # The SDK warns at each call of a model that will retire; the judge's note says it once.
        self._exit.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", message=r"The model .* is deprecated", category=DeprecationWarning)

    async def ask(self, request: JudgeRequest, max_tokens: int, /) -> BackendReply:
        """One attempt; see `Backend.ask`."""
        params = build_params(request, self._judge, max_tokens)
        async with errors.translated(self._judge.model, self._redact):
            raw = await self._client.messages.with_raw_response.create(**params)
            message = await raw.json()
        request_id = self._redact(raw.request_id)
        if not isinstance(message, dict) or message.get("type") != "message":
            raise Retryable("the answer is not a message", status=raw.status_code, request_id=request_id)
        return self._read_message(message, request_id, raw.status_code)

    def _read_message(
        self, message: dict[str, Any], request_id: str | None = None, status: int | None = None
    ) -> BackendReply:
        stop = _STOPS.get(str(message.get("stop_reason")), "end")
        return self._build_reply(message, _read_text(message), stop, _read_refusal(message), (request_id, status))

    async def count_tokens(self, request: JudgeRequest, /) -> int:
        """See `CountsTokens`; the API's count is an estimate, too."""
        params = build_params(request, self._judge, MAX_TOKENS)
        del params["max_tokens"]
        async with errors.translated(self._judge.model, self._redact):
            counted = await self._client.messages.count_tokens(**params)
        return counted.input_tokens

    def batches(self) -> BatchBackend:
        """The same judge, asked in batches; see `OffersBatches`."""
        return AnthropicBatches(self._client, self._judge, self._redact, build_params, self._read_message)

    async def _preflight(self) -> None:
        """Only an unknown or retired model, or a useless key, stops the run."""
        try:
            async with errors.translated(self._judge.model, self._redact, needed=False):
                raw = await self._client.models.with_raw_response.retrieve(self._judge.model)
                info = await raw.json()
        except PASSING:
            # The first real request will tell.
            return
        if isinstance(info, dict):
            self._judge = errors.require_alive(self._judge, info)


def build_params(request: JudgeRequest, judge: Judge, max_tokens: int, cached_for: str | None = None) -> dict[str, Any]:
    """The body of a Messages request; the same for a single request and for an item of a batch.

    The system prompt is the same in all requests of a run and marked for caching, for five minutes if `cached_for`
    does not say another time; thinking, temperature and tools are not sent at all.
    """
    cache = {"type": "ephemeral"} if cached_for is None else {"type": "ephemeral", "ttl": cached_for}
    config: dict[str, Any] = {"format": {"type": "json_schema", "schema": request.schema}}
    if judge.effort is not None:
        config["effort"] = judge.effort
    return {
        "model": judge.model,
        "max_tokens": max_tokens,
        "system": [{"type": "text", "text": request.system, "cache_control": cache}],
        "messages": [{"role": "user", "content": request.user}],
        "output_config": config,
    }


def _require_key(client: "anthropic.AsyncAnthropic") -> None:
    key = client.api_key or client.auth_token
    if key is None and client.credentials is None:
        raise JudgeError(
            "There is no API key: the environment variable ANTHROPIC_API_KEY is not set",
            "Set it to a key from the Claude console; the example runs without one: reportgen demo.",
        )
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise JudgeError(
            "The API key in ANTHROPIC_API_KEY holds white space or characters that no key has",
            "Copy the key once more, without quotation marks or line ends.",
        )


def _read_text(message: dict[str, Any]) -> str:
    """The text blocks together; thinking blocks come before them and are not part of the reply."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _read_refusal(message: dict[str, Any]) -> str | None:
    details = message.get("stop_details")
    if message.get("stop_reason") != "refusal":
        return None
    category = details.get("category") if isinstance(details, dict) else None
    return f"the judge refused (category {category})" if isinstance(category, str) else "the judge refused"
