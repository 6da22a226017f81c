"""What fell below its series: days of a run, and runs, by the score or by a metric."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from reportgen.analysis.metrics import Metric
from reportgen.analysis.trend.building import Trend
from reportgen.analysis.trend.days import DayPoint, Days
from reportgen.analysis.trend.runs import RunPoint
from reportgen.analysis.trend.series import Expectation
from reportgen.record import Exact

_Kind = Literal["day", "run"]


@dataclass(frozen=True, slots=True)
class Regression:
    """A day, or a run, whose mean lies below what the series and its noise allow; a run goes by the day it ended.

    `metric` is the name of the metric; None where it is the score.
    """

    kind: _Kind
    name: str
    day: date | None
    mean: Exact
    expectation: Expectation
    metric: str | None = None

    @property
    def title(self) -> str:
        """What fell, in words."""
        return f"{self.kind} {self.name}, {self.metric}" if self.metric else f"{self.kind} {self.name}"


_Point = tuple[_Kind, str, date | None, DayPoint | RunPoint]


def find_regressions(trend: Trend, metrics: Sequence[Metric] = ()) -> tuple[Regression, ...]:
    """All that fell: days of this run, then runs, oldest first, metric by metric. A gate asks whether there is any."""
    found = list(_find(trend.days, trend.runs, None))
    for metric in metrics:
        found += _find(metric.days, metric.runs, metric.name)
    return tuple(found)


def list_expectations(trend: Trend, metrics: Sequence[Metric] = ()) -> tuple[Expectation, ...]:
    """What is expected of the days of the run and of the run itself, where anything is."""
    series = [(trend.days, trend.runs), *((metric.days, metric.runs) for metric in metrics)]
    found = [point.expectation for days, _ in series for point in days.points]
    found += [point.expectation for _, runs in series for point in runs[-1:]]
    return tuple(expectation for expectation in found if expectation is not None)


def _find(days: Days, runs: Sequence[RunPoint], metric: str | None) -> Iterator[Regression]:
    points: list[_Point] = [("day", point.day.isoformat(), point.day, point) for point in days.points]
    points += [("run", point.run, point.last.date() if point.last else None, point) for point in runs]
    for kind, name, day, point in points:
        if point.expectation is not None and point.expectation.fell and point.mean.value is not None:
            yield Regression(kind, name, day, point.mean.value, point.expectation, metric)
