"""Any endpoint that speaks OpenAI's chat protocol as the judge, through the official SDK, an optional extra."""

from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from reportgen.errors import JudgeError
from reportgen.judging.backends import openai_errors as errors
from reportgen.judging.backends.openai_params import build_params, build_trial
from reportgen.judging.contract import MAX_TOKENS, PASSING, BackendReply, Retryable, Stop
from reportgen.judging.prompts import JudgeRequest
from reportgen.judging.redaction import Redactor, one_line, redact_all, redact_reply
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import openai

_CONNECT_TIMEOUT = 30.0

_STOPS: dict[str, Stop] = {"length": "truncated", "content_filter": "refused"}
"""What ends a reply before its end; every other reason leaves a text to be read."""


def open_backend(model: str, effort: str | None, timeout: float) -> "OpenAIBackend":
    """The backend for a model; an effort is passed on as it is, where the endpoint knows such a setting."""
    return OpenAIBackend(model, effort, timeout)


class OpenAIBackend:
    """One client for one run, and one event loop."""

    def __init__(self, model: str, effort: str | None, timeout: float) -> None:
        self._timeout = timeout
        self._judge = Judge(provider="openai", model=model, effort=effort, parameters={"max_tokens": MAX_TOKENS})
        self._exit = AsyncExitStack()
        self._redact = Redactor()
        self._client: openai.AsyncOpenAI

    @property
    def judge(self) -> Judge:
        """Who will answer."""
        return self._judge

    async def __aenter__(self) -> Self:
        """Finds the key, and tries whether the model answers and takes an effort.

        Raises:
            JudgeError: The SDK is not installed, there is no key, or no such model.
        """
        client = _open_client(self._timeout)
        self._redact = Redactor(client.api_key)
        self._client = await self._exit.enter_async_context(client)
        try:
            await self._preflight()
        except BaseException:
            await self._exit.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exit.aclose()

    async def ask(self, request: JudgeRequest, max_tokens: int, /) -> BackendReply:
        """One attempt; see `Backend.ask`."""
        return await self._send(build_params(request, self._judge, max_tokens))

    async def _send(self, params: dict[str, Any]) -> BackendReply:
        async with errors.translated(self._judge, self._redact):
            raw = await self._client.chat.completions.with_raw_response.create(**params)
            completion = raw.http_response.json()
        request_id = self._redact(raw.request_id)
        choice = _read_choice(completion)
        if choice is None:
            raise Retryable("the answer is not a chat completion", status=raw.status_code, request_id=request_id)
        message = choice["message"]
        refusal, text = message.get("refusal"), message.get("content")
        usage, model = (redact_all(completion.get(name), self._redact) for name in ("usage", "model"))
        return BackendReply(
            text=redact_reply(text, self._redact) if isinstance(text, str) else "",
            stop="refused" if refusal else _STOPS.get(str(choice.get("finish_reason")), "end"),
            note=self._redact(f"the judge refused: {one_line(refusal)}") if isinstance(refusal, str) else None,
            model=model if isinstance(model, str) else None,
            request_id=request_id,
            status=raw.status_code,
            usage=usage if isinstance(usage, dict) else None,
        )

    async def _preflight(self) -> None:
        """One tiny request: a list of models need not exist, and whether an effort is taken is told nowhere else."""
        try:
            await self._send(build_trial(self._judge))
        except errors.NoEffort:
            self._judge = self._judge.model_copy(update={"effort": None})
        except PASSING:
            # The first real request will tell.
            return


def _open_client(timeout: float) -> "openai.AsyncOpenAI":
    """The client, as the SDK's own variables say.

    Raises:
        JudgeError: The SDK is not installed, or there is no key.
    """
    try:
        import openai
    except ImportError:
        raise JudgeError("The SDK of OpenAI is not installed", "Install it: pip install 'reportgen[openai]'.") from None
    try:
        return openai.AsyncOpenAI(max_retries=0, timeout=openai.Timeout(timeout, connect=_CONNECT_TIMEOUT))
    except openai.OpenAIError:
        raise JudgeError(
            "There is no API key: the environment variable OPENAI_API_KEY is not set",
            "Set it; for a server of your own that needs none, to any text, and OPENAI_BASE_URL to its address.",
        ) from None


def _read_choice(completion: Any) -> dict[str, Any] | None:
    """The first choice of a completion, if it has one with a message."""
    choices = completion.get("choices") if isinstance(completion, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) and isinstance(choice.get("message"), dict) else None
