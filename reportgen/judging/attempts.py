"""One attempt to get an answer, timed and noted, whatever comes of it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime

from reportgen.judging.contract import (
    MAX_TOKENS,
    MORE_TOKENS,
    Backend,
    BackendReply,
    Retryable,
    Settled,
    Unanswerable,
)
from reportgen.judging.outcomes import settle
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Attempt


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Time and chance. `now` has a time zone, `monotonic` is in seconds, `chance` lies between 0 and 1."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    chance: Callable[[], float]


@dataclass(slots=True)
class Job:
    """One judgement on its way.

    `tries` counts failed attempts since the last answer, `limits` those of them that met a rate limit; `is_settled`
    says that its verdict is being kept.
    """

    request: JudgeRequest
    attempts: list[Attempt] = field(default_factory=list)
    tries: int = 0
    limits: int = 0
    asked_again: bool = False
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class Came:
    """What came of one attempt: when it began on the monotonic clock, its seconds, and what it was."""

    started: float
    seconds: float
    what: BackendReply | Retryable | Unanswerable
    settled: Settled


async def attempt(job: Job, backend: Backend, limit: float, surroundings: Surroundings) -> Came:
    """Asks once, waits at most `limit` seconds, and adds the attempt to the job.

    Raises:
        JudgeError: The judge cannot be asked any more.
    """
    asked_at, started = surroundings.now(), surroundings.monotonic()
    what = await _ask(job, backend, limit)
    came = Came(started, surroundings.monotonic() - started, what, _settle(job, what))
    job.attempts.append(_note(came, asked_at))
    return came


async def _ask(job: Job, backend: Backend, limit: float) -> BackendReply | Retryable | Unanswerable:
    room = MORE_TOKENS if job.asked_again else MAX_TOKENS
    try:
        async with asyncio.timeout(limit):
            return await backend.ask(job.request, room)
    except TimeoutError:
        return Retryable(f"no answer within {limit:g} seconds")
    except (Retryable, Unanswerable) as trouble:
        return trouble


def _settle(job: Job, what: BackendReply | Retryable | Unanswerable) -> Settled:
    match what:
        case BackendReply():
            return settle(what, job.request.expected)
        case Unanswerable():
            return Settled("request_error", what.reason)
        case Retryable():
            return Settled("gave_up", what.reason)


def _note(came: Came, asked_at: datetime) -> Attempt:
    what = came.what
    return Attempt(
        outcome=came.settled.outcome,
        reason=came.settled.reason,
        asked_at=asked_at,
        seconds=round(max(came.seconds, 0.0), 3),
        model=what.model if isinstance(what, BackendReply) else None,
        request_id=what.request_id,
        status=what.status,
        usage=what.usage if isinstance(what, BackendReply) else None,
    )
