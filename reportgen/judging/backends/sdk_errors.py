"""What an error of an official SDK means for the run: try again, leave this judgement, or stop.

The SDKs are of one make: their errors have the same names and fields, and differ in how a provider words its refusals.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from reportgen.errors import JudgeError, ModelError
from reportgen.judging.contract import Retryable, Unanswerable
from reportgen.judging.pacing import read_retry_after
from reportgen.judging.redaction import Redactor, one_line

_AGAIN = (408, 409, 429)
_SETTLE = "Settle the billing of the account, then go on."


@dataclass(frozen=True, slots=True)
class Wording:
    """How one provider words its refusals; a kind is the type or the code of an error.

    `fixes` says for each status that stops a run what to do, `stops` which kinds count as one of these whatever their
    status is. `spent` are the kinds of a spend limit, `again` those of trouble that passes, `too_large` those of a
    request that is too large, and `large_words` what a message says of such a request.
    """

    fixes: Mapping[int, str]
    stops: Mapping[str, int]
    spent: frozenset[str]
    again: frozenset[str]
    too_large: frozenset[str]
    large_words: str


def make_fixes(key: str, forbidden: str, address: str) -> dict[int, str]:
    """For each status that stops a run what to do, by the names of the provider's variables."""
    unknown = f"Check the name of the model, and {address} if it is set."
    return {401: f"Check {key}.", 402: _SETTLE, 403: forbidden, 404: unknown}


@asynccontextmanager
async def translated(
    sdk: Any, base: type[Exception], translate: Callable[[Any], Exception], redact: Redactor
) -> AsyncIterator[None]:
    """Turns errors of an SDK into those of the contract, without causes: an error body may echo the key.

    Args:
        sdk: The module of the SDK.
        base: The class of all its errors.
        translate: What the error of an answer with a bad status means.
        redact: Takes secrets out of what is told.

    Raises:
        Retryable, Unanswerable, JudgeError: As the error means.
    """
    import httpx2

    try:
        yield
    except sdk.APIStatusError as error:
        raise translate(error) from None
    except sdk.APITimeoutError:
        raise Retryable("the connection timed out") from None
    except (sdk.APIConnectionError, httpx2.HTTPError) as error:
        cause = error.__cause__ or error
        raise Retryable(f"the connection failed ({type(cause).__name__})") from None
    except base as error:
        said = redact(one_line(str(error)))
        raise JudgeError(f"The judge cannot be asked: {said}", "Check the credentials and the settings.") from None
    except ValueError:
        raise Retryable("the answer is not JSON") from None


def translate_status(error: Any, detail: str, wording: Wording, model: str, redact: Redactor) -> Exception:
    """What an answer with a bad status means.

    Args:
        error: The SDK's error.
        detail: What the provider says.
        wording: How it words its refusals.
        model: Who was asked.
        redact: Takes secrets out of what is told.
    """
    status, request_id, kinds = error.status_code, redact(error.request_id), _kinds(error)
    detail = redact(one_line(detail))
    reason = f"HTTP {status}: {detail}"
    if kinds & wording.spent:
        return JudgeError(f"The spend limit is reached: {detail}", "Raise the limit, then go on.")
    stop = _stop_status(status, kinds, wording)
    if stop == 404:
        return ModelError(f"There is no model {model} where the judge is asked ({reason})", wording.fixes[stop])
    if stop is not None:
        return JudgeError(f"The judge {model} cannot be asked ({reason})", wording.fixes[stop])
    if status in _AGAIN or status >= 500 or kinds & wording.again:
        wait = read_retry_after(error.response.headers.get("retry-after-ms"), error.response.headers.get("retry-after"))
        return Retryable(reason, retry_after=wait, pause_all=status == 429, status=status, request_id=request_id)
    if status == 413 or kinds & wording.too_large or wording.large_words in detail.lower():
        return Unanswerable(f"too large: {reason}", status=status, request_id=request_id)
    return Unanswerable(reason, systematic=True, status=status, request_id=request_id)


def _kinds(error: Any) -> set[str]:
    """The type and the code of an error, where it has such; one SDK calls the code by a longer name."""
    named = (getattr(error, name, None) for name in ("type", "code", "error_code"))
    return {kind for kind in named if isinstance(kind, str)}


def _stop_status(status: int, kinds: set[str], wording: Wording) -> int | None:
    """The status by whose rule the run has to stop, if any; the kind of an error counts for more than its status."""
    if kinds & wording.again:
        return None
    named = [wording.stops[kind] for kind in kinds if kind in wording.stops]
    return named[0] if named else status if status in wording.fixes else None
