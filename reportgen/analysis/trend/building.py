"""The trend of a run, and what fell below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from reportgen.analysis.rows import TurnRow
from reportgen.analysis.trend.days import DayPoint, Days, build_days
from reportgen.analysis.trend.runs import Headline, RunPoint, build_runs
from reportgen.analysis.trend.series import Expectation
from reportgen.model.revision import EarlierRun
from reportgen.record import Exact


@dataclass(frozen=True, slots=True)
class Trend:
    """A run over its days, and beside earlier runs; without any `runs` is empty, else it ends with the run itself."""

    days: Days
    runs: tuple[RunPoint, ...]


_Kind = Literal["day", "run"]


@dataclass(frozen=True, slots=True)
class Regression:
    """A day, or a run, whose mean lies below what the series and its noise allow; a run goes by the day it ended."""

    kind: _Kind
    name: str
    day: date | None
    mean: Exact
    expectation: Expectation


_Point = tuple[_Kind, str, date | None, DayPoint | RunPoint]


def build_trend(rows: Sequence[TurnRow], earlier: Sequence[EarlierRun], this: Headline) -> Trend:
    """The trend of a run.

    Args:
        rows: Its turns.
        earlier: Earlier runs, oldest first.
        this: The headline of the run itself.
    """
    return Trend(build_days(rows), build_runs(earlier, this) if earlier else ())


def find_regressions(trend: Trend) -> tuple[Regression, ...]:
    """All that fell: days of this run, then runs, oldest first. A gate may ask whether there is any."""
    days: list[_Point] = [("day", point.day.isoformat(), point.day, point) for point in trend.days.points]
    runs: list[_Point] = [("run", point.run, point.last.date() if point.last else None, point) for point in trend.runs]
    return tuple(
        Regression(kind, name, day, point.mean.value, point.expectation)
        for kind, name, day, point in [*days, *runs]
        if point.expectation is not None and point.expectation.fell and point.mean.value is not None
    )
