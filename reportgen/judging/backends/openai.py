"""Any endpoint that speaks OpenAI's chat protocol as the judge, through the official SDK, an optional extra."""

from typing import TYPE_CHECKING, Any

from reportgen.errors import JudgeError
from reportgen.judging.backends import openai_errors as errors
from reportgen.judging.backends.openai_params import build_params, build_trial
from reportgen.judging.backends.sdk_backend import CONNECT_TIMEOUT, SdkBackend
from reportgen.judging.contract import MAX_TOKENS, PASSING, BackendReply, Retryable, Stop
from reportgen.judging.prompts import JudgeRequest
from reportgen.judging.redaction import Redactor, one_line
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import openai

_STOPS: dict[str, Stop] = {"length": "truncated", "content_filter": "refused"}
"""What ends a reply before its end; every other reason leaves a text to be read."""


def open_backend(model: str, effort: str | None, timeout: float) -> "OpenAIBackend":
    """The backend for a model; an effort is passed on as it is, where the endpoint knows such a setting."""
    judge = Judge(provider="openai", model=model, effort=effort, parameters={"max_tokens": MAX_TOKENS})
    return OpenAIBackend(judge, timeout)


class OpenAIBackend(SdkBackend):
    """One client for one run, and one event loop."""

    _client: "openai.AsyncOpenAI"

    async def _enter(self) -> None:
        client = _open_client(self._timeout)
        self._redact = Redactor(client.api_key)
        self._client = await self._exit.enter_async_context(client)

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
        stop = "refused" if refusal else _STOPS.get(str(choice.get("finish_reason")), "end")
        note = f"the judge refused: {one_line(refusal)}" if isinstance(refusal, str) else None
        sent = (request_id, raw.status_code)
        return self._build_reply(completion, text if isinstance(text, str) else "", stop, note, sent)

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
        return openai.AsyncOpenAI(max_retries=0, timeout=openai.Timeout(timeout, connect=CONNECT_TIMEOUT))
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
