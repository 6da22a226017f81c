"""What an error of the Anthropic SDK means for the run: try again, leave this judgement, or stop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from reportgen.errors import JudgeError, ModelError
from reportgen.judging.contract import Retryable, Unanswerable
from reportgen.judging.pacing import read_retry_after
from reportgen.judging.redaction import Redactor, one_line
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import anthropic

PASSING = (Retryable, Unanswerable)
"""What does not have to stop a run."""

_SPENT = ("enforced_spend_limit_reached", "contract_spend_limit_reached")
_FIXES = {
    401: "Check ANTHROPIC_API_KEY.",
    402: "Settle the billing of the account, then go on with --resume.",
    403: "Use a key whose workspace may use this model.",
    404: "Check the name of the model, and ANTHROPIC_BASE_URL if it is set.",
}
_STOP_TYPES = {"authentication_error": 401, "billing_error": 402, "permission_error": 403}
_AGAIN = (408, 409, 429)


@asynccontextmanager
async def translated(model: str, redact: Redactor, *, needed: bool = True) -> AsyncIterator[None]:
    """Turns errors of the SDK into those of the contract, without causes: an error body may echo the key.

    What is not `needed` may be absent: a gateway need not know the list of models.

    Raises:
        Retryable, Unanswerable, JudgeError: As the error means.
    """
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APIStatusError as error:
        if not needed and error.status_code == 404 and error.type != "not_found_error":
            raise Unanswerable("not found") from None
        raise _translate_status(error, model, redact) from None
    except anthropic.APITimeoutError:
        raise Retryable("the connection timed out") from None
    except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
        cause = error.__cause__ or error
        raise Retryable(f"the connection failed ({type(cause).__name__})") from None
    except anthropic.AnthropicError as error:
        raise JudgeError(
            f"The judge cannot be asked: {redact(str(error))}", "Check the credentials and the settings."
        ) from None
    except ValueError:
        raise Retryable("the answer is not JSON") from None


def _translate_status(error: "anthropic.APIStatusError", model: str, redact: Redactor) -> Exception:
    status, request_id = error.status_code, redact(error.request_id)
    detail = redact(_detail(error))
    reason = f"HTTP {status}: {detail}"
    if error.error_code in _SPENT:
        return JudgeError(f"The spend limit is reached: {detail}", "Raise the limit, then go on with --resume.")
    stop = _stop_status(error)
    if stop == 404:
        return ModelError(f"There is no model {model} where the judge is asked ({reason})", _FIXES[stop])
    if stop is not None:
        return JudgeError(f"The judge {model} cannot be asked ({reason})", _FIXES[stop])
    if status in _AGAIN or status >= 500 or error.type == "overloaded_error":
        wait = read_retry_after(error.response.headers.get("retry-after-ms"), error.response.headers.get("retry-after"))
        return Retryable(reason, retry_after=wait, pause_all=status == 429, status=status, request_id=request_id)
    if status == 413 or "prompt is too long" in detail.lower():
        return Unanswerable(f"too large: {reason}", status=status, request_id=request_id)
    return Unanswerable(reason, systematic=True, status=status, request_id=request_id)


def _stop_status(error: "anthropic.APIStatusError") -> int | None:
    """The status by whose rule the run has to stop, if any; its type counts for more than that."""
    if error.type == "overloaded_error":
        return None
    if error.type in _STOP_TYPES:
        return _STOP_TYPES[error.type]
    return error.status_code if error.status_code in _FIXES else None


def _detail(error: "anthropic.APIStatusError") -> str:
    """What the API says, on one line and not too long; the body where it is not of the known form."""
    return one_line(error.api_message if isinstance(error.api_message, str) else error.message)


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
