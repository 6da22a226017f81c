"""Is the judge in order? One known turn is asked about, really, and twice, since the cache shows only then."""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.analysis.pricing import Tokens, is_named, read_tokens, used_prices
from reportgen.analysis.spending import RECORDED, Spending, add_up
from reportgen.errors import JudgeError, ModelError
from reportgen.judging.attempts import Job, Surroundings, attempt
from reportgen.judging.backends import open_backend
from reportgen.judging.contract import Backend
from reportgen.judging.outcomes import build_verdict
from reportgen.judging.pacing import TIMEOUT
from reportgen.judging.prompts import JudgeRequest, build_prompt, build_request
from reportgen.model.rubric import Rubric
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Verdict
from reportgen.prices import load_prices
from reportgen.publishing.printing import plural, print_count, print_score
from reportgen.publishing.spending import say_cost, say_tokens
from reportgen.publishing.text import clean
from reportgen.rubrics import load_rubric
from reportgen.scoring.composite import score_turn

RUBRIC = "sql-agent-1"
NAMES = ("key", "model", "schema", "caching", "verdict", "cost")
"""What is looked at, in this order."""
KNOWN = Turn.from_data(
    {
        "id": "known-turn",
        "captured_at": "2026-06-02T09:30:00Z",
        "question": "How many orders were shipped late in May 2026?",
        "agent": {"name": "example-assistant"},
        "trajectory": [
            {
                "kind": "schema",
                "target": "orders",
                "status": "ok",
                "output": "orders(id integer, ordered_on date, due_on date, shipped_on date)",
            },
            {
                "kind": "sql",
                "text": "SELECT count(*) AS late_orders FROM orders"
                " WHERE shipped_on > due_on AND shipped_on >= '2026-05-01' AND shipped_on < '2026-06-01'",
                "dialect": "sqlite",
                "status": "ok",
                "columns": ["late_orders"],
                "rows": [[212]],
                "row_count": 1,
            },
        ],
        "answer": {"text": "In May 2026, 212 orders were shipped after their due date."},
    }
)
"""A turn that is right in every respect, so that a judge in order finds it good."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `ok` is None where it is worth knowing but no fault, or could not be seen."""

    name: str
    ok: bool | None
    sentence: str


def check_judge(
    spec: str, effort: str | None, prices: Path | None, clock: Callable[[], datetime], timeout: float = TIMEOUT
) -> list[Check]:
    """Asks the judge about the known turn, and says what is in order.

    Args:
        spec: The judge as `BACKEND:MODEL`.
        effort: How much it thinks.
        prices: A price file of the user's.
        clock: Tells the time, with its zone.
        timeout: How many seconds each request may take.

    Raises:
        JudgeError: The judge is not named as it must be, or is not a live one.
        ConfigError: The prices cannot be read.
    """
    backend, table = open_backend(spec, effort, timeout), load_prices(prices)
    if backend.judge.provider == RECORDED:
        raise JudgeError(f"{spec} replays verdicts; there is nothing to check", "Name a model, BACKEND:MODEL.")
    rubric = load_rubric(RUBRIC)
    checks, verdicts = asyncio.run(_check(backend, rubric, clock, timeout))
    spent = Check("cost", None, _say_spent(add_up(verdicts, used_prices(verdicts, table))))
    made = {check.name: check for check in [*checks, spent]}
    return [made.get(name, Check(name, None, "It was not seen, since the judge did not answer.")) for name in NAMES]


async def _check(
    backend: Backend, rubric: Rubric, clock: Callable[[], datetime], limit: float
) -> tuple[list[Check], list[Verdict]]:
    around = Surroundings(clock, time.monotonic, asyncio.sleep, random.random)
    verdicts: list[Verdict] = []
    try:
        async with backend:
            judge = backend.judge
            request = build_request(KNOWN, build_prompt(rubric, rubric.calls[0], judge), EvidenceLimits())
            verdicts.append(await _ask(request, backend, around, limit))
            verdicts.append(await _ask(request, backend, around, limit))
    except ModelError as error:
        return [Check("key", None, "It was not refused."), Check("model", False, _both(error))], verdicts
    except JudgeError as error:
        return [Check("key", False, _both(error))], verdicts
    return _check_answers(verdicts, judge, rubric), verdicts


def _both(error: JudgeError) -> str:
    return f"{error.what}. {error.fix}"


async def _ask(request: JudgeRequest, backend: Backend, around: Surroundings, limit: float) -> Verdict:
    """One request without any further try, so that trouble shows."""
    job = Job(request)
    came = await attempt(job, backend, limit, around)
    return build_verdict(request, backend.judge, came.settled, job.attempts)


def _check_answers(verdicts: list[Verdict], judge: Judge, rubric: Rubric) -> list[Check]:
    answered = [verdict for verdict in verdicts if verdict.attempts[-1].outcome != "gave_up"]
    if not answered:
        return [Check("model", False, f"{judge.name} did not answer: {verdicts[0].attempts[-1].reason}.")]
    answers = [verdict.attempts[-1] for verdict in answered]
    return [
        Check("key", True, "The key is accepted."),
        _check_model(judge, answers[0].model),
        _check_schema(answered),
        _check_cache([read_tokens(answer.usage or {}) for answer in answers]),
        _check_verdict(answered[0], judge, rubric),
    ]


def _check_model(judge: Judge, answered: str | None) -> Check:
    note = f" Note: {judge.note}." if judge.note else ""
    if answered is None:
        return Check("model", None, f"{judge.model} was asked; the answer does not say which model it is from.{note}")
    if not is_named(answered, judge.model):
        return Check("model", None, f"{judge.model} was asked, but {clean(answered)} answered.{note}")
    return Check("model", True, f"{clean(answered)} answered.{note}")


def _check_schema(verdicts: list[Verdict]) -> Check:
    failed = next((verdict for verdict in verdicts if verdict.outcome != "ok"), None)
    if failed is not None:
        return Check("schema", False, f"There is no reply of the asked form: {clean(failed.reason or failed.outcome)}.")
    return Check("schema", True, "The replies have the asked form, to the letter.")


def _check_cache(tokens: list[Tokens | None]) -> Check:
    first, second = tokens
    if first is None or second is None:
        return Check("caching", None, "The tokens of an answer were not reported, so nothing can be said.")
    if second.read:
        return Check("caching", True, f"The second request read {print_count(second.read)} tokens from the cache.")
    return Check(
        "caching",
        None,
        "The second request read nothing from a cache, so each request of a run pays for the whole prompt. "
        "The prompt may be shorter than the model's least, or the endpoint keeps no cache.",
    )


def _check_verdict(verdict: Verdict, judge: Judge, rubric: Rubric) -> Check:
    score = score_turn(KNOWN, [verdict], rubric, judge.name)
    if score.score is None:
        return Check("verdict", False, "There is no verdict on the known turn.")
    found = f"found {score.verdict}, with a score of {print_score(score.score, rubric)}"
    if score.band != "good" or score.verdict != "good":
        return Check("verdict", False, f"A turn that is right in every respect was {found}.")
    return Check("verdict", True, f"A turn that is right in every respect was {found}.")


def _say_spent(spent: Spending) -> str:
    if not spent.total.requests:
        return "Nothing was asked."
    return f"{plural(spent.total.requests, 'request')}; tokens: {say_tokens(spent.total)}; cost: {say_cost(spent)}."
