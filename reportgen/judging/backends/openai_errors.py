"""How endpoints that speak OpenAI's protocol word their refusals."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from reportgen.errors import ModelError
from reportgen.judging.backends import sdk_errors
from reportgen.judging.backends.sdk_errors import Wording, make_fixes, translate_status
from reportgen.judging.contract import Unanswerable
from reportgen.judging.redaction import Redactor
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import openai

_WORDING = Wording(
    fixes=make_fixes("OPENAI_API_KEY", "Use a key that may use this model.", "OPENAI_BASE_URL"),
    stops={"model_not_found": 404},
    spent=frozenset({"insufficient_quota", "billing_hard_limit_reached"}),
    again=frozenset(),
    too_large=frozenset({"context_length_exceeded", "string_above_max_length"}),
    large_words="context length",
)


class NoEffort(Unanswerable):
    """The model knows no effort."""


@asynccontextmanager
async def translated(judge: Judge, redact: Redactor) -> AsyncIterator[None]:
    """Turns errors of the SDK into those of the contract.

    Raises:
        Retryable, Unanswerable, JudgeError: As the error means.
    """
    import openai

    def translate(error: "openai.APIStatusError") -> Exception:
        # The whole message of the SDK, where the body is not of the known form.
        text = error.body.get("message") if isinstance(error.body, dict) else None
        found = translate_status(error, text if isinstance(text, str) else error.message, _WORDING, judge.model, redact)
        if isinstance(found, Unanswerable) and found.systematic:
            return _translate_effort(error, judge, found)
        return found

    async with sdk_errors.translated(openai, openai.OpenAIError, translate, redact):
        yield


def _translate_effort(error: "openai.APIStatusError", judge: Judge, found: Unanswerable) -> Exception:
    """A model without effort is asked without one; an effort that it does not know is for the user to change."""
    if judge.effort is None or not (error.param == "reasoning_effort" or "reasoning_effort" in found.reason):
        return found
    if error.code in ("unsupported_value", "invalid_value"):
        return ModelError(
            f"The model {judge.model} does not know the effort {judge.effort} ({found.reason})",
            "Give another --effort.",
        )
    return NoEffort(found.reason, systematic=True, status=error.status_code)
