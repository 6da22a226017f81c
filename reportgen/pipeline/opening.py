"""Opening a run for the turns of a collection and period, and pinning what it is judged by."""

import asyncio
import re
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.archive.open_runs import OpenRun, create_open, list_open, save_limit
from reportgen.errors import StreamingError
from reportgen.judging.backends import open_backend
from reportgen.judging.pacing import TIMEOUT
from reportgen.model.opening import COLLECTION, Limit, Opening, Terms
from reportgen.model.rubric import Rubric
from reportgen.model.verdict import Judge
from reportgen.pipeline.begin import require_unchanged_rubric
from reportgen.pipeline.budget import Budget
from reportgen.pipeline.periods import read_period
from reportgen.pipeline.terms import build_terms, pin, require_shared
from reportgen.prices import load_prices
from reportgen.rubrics import load_rubric

if TYPE_CHECKING:
    from reportgen.pipeline.judge import JudgeOrder


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """What run is opened, what it is judged by, and what that may cost.

    `max_cost` is in US dollars, None to leave the limit as it is, if there is one; `prices` is a price file of the
    user's, and `is_shared` says that all workers see the archive.
    """

    runs: Path
    collection: str
    period: str
    timezone: str
    judge: str
    effort: str | None
    rubric: str
    rows: int
    timeout: float = TIMEOUT
    max_cost: Fraction | None = None
    prices: Path | None = None
    is_shared: bool = True


def open_run(order: OpenOrder, now: datetime) -> OpenRun:
    """Opens a run and pins judge, rubric, prompts and limits of evidence; one that is open already is pinned too.

    A limit on the cost takes the place of the one before.

    Raises:
        CostLimitError: The limit cannot be kept.
        StreamingError: It is closed, cannot be made, or another is open for a part of its time.
        TermsError: It is pinned to other terms.
        JudgeError: The judge cannot be asked, so that nobody knows who it is.
    """
    require_collection(order.collection)
    _require_room(order)
    rubric = load_rubric(order.rubric)
    require_unchanged_rubric(order.runs, rubric)
    terms = find_terms(order, rubric)
    limit = _build_limit(order, terms.judge, now)
    opening = Opening(collection=order.collection, period=order.period, timezone=order.timezone, opened_at=now)
    run = create_open(order.runs, opening)
    if (closing := run.closing) is not None:
        raise StreamingError(
            f"The run of {run.opening} is closed as the run {closing.run}", "Judge late turns as a run of their own."
        )
    pin(run, terms)
    if limit is not None:
        save_limit(run, limit)
    return run


def _require_room(order: OpenOrder) -> None:
    """Makes sure that no turn could belong to two open runs."""
    period = read_period(order.period, order.timezone)
    for run in list_open(order.runs, order.collection, lambda _damage: None):
        held = read_period(run.opening.period, run.opening.timezone)
        if not run.is_closed and (held.name, held.zone) != (period.name, period.zone) and held.overlaps(period):
            raise StreamingError(
                f"{period} of {order.collection} overlaps {held}, for which a run is open already",
                "Close that one first, or open a period that lies outside of it.",
            )


def _build_limit(order: OpenOrder, judge: Judge, now: datetime) -> Limit | None:
    """The limit with the prices of the judge's provider, so that all workers count alike."""
    if order.max_cost is None:
        return None
    prices = load_prices(order.prices)
    Budget(order.max_cost, prices).require_price(judge, now)
    limit = Limit(max_cost=order.max_cost, prices=tuple(row for row in prices if row.provider == judge.provider))
    require_shared(limit, is_shared=order.is_shared)
    return limit


def require_collection(name: str) -> None:
    """Makes sure that a name can be that of a collection.

    Raises:
        StreamingError: It cannot.
    """
    if not re.fullmatch(COLLECTION, name):
        raise StreamingError(f"{name!r} cannot be the name of a collection", "Use small letters, digits and dashes.")


def find_terms(judging: "OpenOrder | JudgeOrder", rubric: Rubric) -> Terms:
    """The terms of a judge that is named; nothing is asked.

    Raises:
        JudgeError: There is no such judge, or it cannot be made ready.
    """

    async def find() -> Terms:
        async with open_backend(judging.judge, judging.effort, judging.timeout) as backend:
            return build_terms(rubric, backend.judge, judging.rows)

    return asyncio.run(find())
