"""How the API of Claude words its refusals, and what it says about a model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from reportgen.errors import ModelError
from reportgen.judging.backends import sdk_errors
from reportgen.judging.backends.sdk_errors import Wording, make_fixes, translate_status
from reportgen.judging.contract import Unanswerable
from reportgen.judging.redaction import Redactor
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import anthropic

_WORDING = Wording(
    fixes=make_fixes("ANTHROPIC_API_KEY", "Use a key whose workspace may use this model.", "ANTHROPIC_BASE_URL"),
    stops={"authentication_error": 401, "billing_error": 402, "permission_error": 403},
    spent=frozenset({"enforced_spend_limit_reached", "contract_spend_limit_reached"}),
    again=frozenset({"overloaded_error"}),
    too_large=frozenset(),
    large_words="prompt is too long",
)


@asynccontextmanager
async def translated(model: str, redact: Redactor, *, needed: bool = True) -> AsyncIterator[None]:
    """Turns errors of the SDK into those of the contract.

    What is not `needed` may be absent: a gateway need not know the list of models.

    Raises:
        Retryable, Unanswerable, JudgeError: As the error means.
    """
    import anthropic

    def translate(error: "anthropic.APIStatusError") -> Exception:
        if not needed and error.status_code == 404 and error.type != "not_found_error":
            return Unanswerable("not found")
        # The body, where it is not of the known form.
        detail = error.api_message if isinstance(error.api_message, str) else error.message
        return translate_status(error, detail, _WORDING, model, redact)

    async with sdk_errors.translated(anthropic, anthropic.AnthropicError, translate, redact):
        yield


def require_alive(judge: Judge, info: dict[str, Any]) -> Judge:
    """The judge as its model allows: without effort where it has none, and with a note if it will retire.

    Args:
        judge: The judge as configured.
        info: What the API says about the model.

    Raises:
        JudgeError: The model is retired.
    """
    if info.get("lifecycle") == "retired":
        raise ModelError(f"The model {judge.model} is retired", "Name another model with --judge.")
    changes: dict[str, Any] = {}
    if info.get("lifecycle") == "deprecated":
        retires = info.get("retires_at")
        changes["note"] = "deprecated model" + (f", retires {retires[:10]}" if isinstance(retires, str) else "")
    capabilities = info.get("capabilities")
    effort = capabilities.get("effort") if isinstance(capabilities, dict) else None
    if isinstance(effort, dict) and effort.get("supported") is False:
        changes["effort"] = None
    return judge.model_copy(update=changes)
