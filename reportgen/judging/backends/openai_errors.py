"""What an error of the OpenAI SDK means for the run: try again, leave this judgement, or stop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from reportgen.errors import JudgeError, ModelError
from reportgen.judging.contract import Retryable, Unanswerable
from reportgen.judging.pacing import read_retry_after
from reportgen.judging.redaction import Redactor, one_line
from reportgen.model.verdict import Judge

if TYPE_CHECKING:
    import openai

PASSING = (Retryable, Unanswerable)
"""What does not have to stop a run."""

_SPENT = ("insufficient_quota", "billing_hard_limit_reached")
_TOO_LARGE = ("context_length_exceeded", "string_above_max_length")
_FIXES = {
    401: "Check OPENAI_API_KEY.",
    402: "Settle the billing of the account, then go on with --resume.",
    403: "Use a key that may use this model.",
    404: "Check the name of the model, and OPENAI_BASE_URL if it is set.",
}
_AGAIN = (408, 409, 429)


class NoEffort(Unanswerable):
    """The model knows no effort."""


@asynccontextmanager
async def translated(judge: Judge, redact: Redactor) -> AsyncIterator[None]:
    """Turns errors of the SDK into those of the contract, without causes: an error body may echo the key.

    Raises:
        Retryable, Unanswerable, JudgeError: As the error means.
    """
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise _translate_status(error, judge, redact) from None
    except openai.APITimeoutError:
        raise Retryable("the connection timed out") from None
    except (openai.APIConnectionError, httpx2.HTTPError) as error:
        cause = error.__cause__ or error
        raise Retryable(f"the connection failed ({type(cause).__name__})") from None
    except openai.OpenAIError as error:
        raise JudgeError(
            f"The judge cannot be asked: {redact(one_line(str(error)))}", "Check the credentials and the settings."
        ) from None
    except ValueError:
        raise Retryable("the answer is not JSON") from None


def _translate_status(error: "openai.APIStatusError", judge: Judge, redact: Redactor) -> Exception:
    status, request_id = error.status_code, redact(error.request_id)
    detail = redact(_detail(error))
    reason = f"HTTP {status}: {detail}"
    stop = _find_stop(error, judge, detail)
    if stop is not None:
        return stop
    if status in _AGAIN or status >= 500:
        wait = read_retry_after(error.response.headers.get("retry-after-ms"), error.response.headers.get("retry-after"))
        return Retryable(reason, retry_after=wait, pause_all=status == 429, status=status, request_id=request_id)
    if status == 413 or error.code in _TOO_LARGE or "context length" in detail.lower():
        return Unanswerable(f"too large: {reason}", status=status, request_id=request_id)
    if judge.effort is not None and (error.param == "reasoning_effort" or "reasoning_effort" in detail):
        return _translate_effort(error, judge, reason)
    return Unanswerable(reason, systematic=True, status=status, request_id=request_id)


def _detail(error: "openai.APIStatusError") -> str:
    """What the API says, on one line; the whole message of the SDK where the body is not of the known form."""
    text = error.body.get("message") if isinstance(error.body, dict) else None
    return one_line(text if isinstance(text, str) else error.message)


def _find_stop(error: "openai.APIStatusError", judge: Judge, detail: str) -> JudgeError | None:
    """The error that stops the run, where it has to stop."""
    reason = f"HTTP {error.status_code}: {detail}"
    if error.code in _SPENT or error.type in _SPENT:
        return JudgeError(f"The spend limit is reached: {detail}", "Raise the limit, then go on with --resume.")
    if error.status_code == 404 or error.code == "model_not_found":
        return ModelError(f"There is no model {judge.model} where the judge is asked ({reason})", _FIXES[404])
    if error.status_code in _FIXES:
        return JudgeError(f"The judge {judge.model} cannot be asked ({reason})", _FIXES[error.status_code])
    return None


def _translate_effort(error: "openai.APIStatusError", judge: Judge, reason: str) -> Exception:
    """A model without effort is asked without one; an effort that it does not know is for the user to change."""
    if error.code in ("unsupported_value", "invalid_value"):
        return ModelError(
            f"The model {judge.model} does not know the effort {judge.effort} ({reason})", "Give another --effort."
        )
    return NoEffort(reason, systematic=True, status=error.status_code)
