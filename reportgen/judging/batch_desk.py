"""What all steps of batch mode work with, and how a call to the provider is repeated until it succeeds."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from reportgen.errors import JudgeError
from reportgen.judging.attempts import Surroundings
from reportgen.judging.batch_contract import BatchBackend, BatchLog, BatchPolicy, VerdictLog
from reportgen.judging.contract import Retryable, Unanswerable
from reportgen.judging.keeping import Keep
from reportgen.judging.pacing import seconds_to_wait
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Judge
from reportgen.record import digest

_Result = TypeVar("_Result")
_GROWTH = 1.5
_ABSENT = 404


@dataclass(frozen=True, slots=True)
class Desk:
    """For which run, whom to ask, where to keep what comes, by which rules.

    `kept` are the verdicts on disk, `keep` adds to them; `tell` prints a line for a person.
    """

    run: str
    backend: BatchBackend
    judge: Judge
    kept: VerdictLog
    keep: Keep
    log: BatchLog
    policy: BatchPolicy
    around: Surroundings
    tell: Callable[[str], None]


def custom_id(run: str, request: JudgeRequest) -> str:
    """How the provider knows the request in its batch; ids of turns may hold what the provider does not take.

    The run's id is part of it, so that no run takes a batch that another one has sent for the same turns.
    """
    return f"{digest([run, request.turn, request.key])[:40]}-s{request.sample}"


def ids_digest(ids: Iterable[str]) -> str:
    """What tells a batch from all others, in whatever order its requests come back."""
    return digest(sorted(ids))


def without_text(request: JudgeRequest) -> JudgeRequest:
    """The request without its evidence: all that its verdict needs, at some hundred bytes."""
    return replace(request, user="")


def next_look(policy: BatchPolicy, before: float | None) -> float:
    """How many seconds to wait until the next look at a batch, after having waited so many before.

    >>> next_look(BatchPolicy(), None), next_look(BatchPolicy(), 2.0), next_look(BatchPolicy(), 50.0)
    (2.0, 3.0, 60.0)
    """
    return policy.first_look if before is None else min(before * _GROWTH, policy.longest_look)


async def persist(desk: Desk, call: Callable[[], Awaitable[_Result]], what: str) -> _Result:
    """The result of a call that changes nothing at the provider, repeated while another attempt may succeed.

    Raises:
        JudgeError: It has failed for too long, or is rejected.
    """
    began, tries = desk.around.monotonic(), 0
    while True:
        try:
            return await call()
        except Unanswerable as trouble:
            raise _stuck(what, trouble.reason) from None
        except Retryable as trouble:
            tries += 1
            wait = wait_after(desk, trouble, tries)
            patience = desk.policy.missing if trouble.status == _ABSENT else desk.policy.patience
            if desk.around.monotonic() - began + wait > patience:
                raise _absent(what, trouble) if trouble.status == _ABSENT else _stuck(what, trouble.reason) from None
            desk.tell(f"{what}: {trouble.reason}; trying again in {wait:.0f} s")
            await desk.around.sleep(wait)


def wait_after(desk: Desk, trouble: Retryable, tries: int) -> float:
    """How many seconds to wait before a call that failed is made again."""
    around = desk.around
    return seconds_to_wait(desk.policy.retry, tries, trouble.retry_after, around.now(), around.chance())


async def within_time(desk: Desk, call: Awaitable[_Result]) -> _Result:
    """The result of one attempt.

    Raises:
        Retryable: It did not come in time.
    """
    try:
        async with asyncio.timeout(desk.policy.timeout):
            return await call
    except TimeoutError:
        raise Retryable(f"no answer within {desk.policy.timeout:g} seconds") from None


def _stuck(what: str, reason: str) -> JudgeError:
    return JudgeError(f"{what}: {reason}", "Remove the cause, then go on with --resume; the batches go on meanwhile.")


def _absent(what: str, trouble: Retryable) -> JudgeError:
    return JudgeError(
        f"{what}: it is not found where the judge is asked ({trouble.reason})",
        "Use the key and the address by which it was sent. If it was deleted, `reportgen batches cancel` forgets it.",
    )
