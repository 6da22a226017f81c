"""The statistics of a dashboard, from turns that come one at a time: averages, days, and the worst queries."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from fractions import Fraction

from reportgen.analysis.latencies import PARTS, LatencyPart, stated_latency
from reportgen.analysis.retrieving import find_retrieving
from reportgen.analysis.turn_lists import WORST
from reportgen.model.rubric import Rubric
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.record import Exact

SCORE = "score"
"""Names the score of a turn as a whole among what is averaged."""
UNSCORED_LISTED = 100
LONGEST_TREND = 3_660
"""Days; over a longer time, days without queries are left out."""


@dataclass(frozen=True, slots=True)
class Query:
    """One turn: what is averaged of it, on the rubric's scale and in milliseconds, None where it has no value.

    `failure` says why a judge call gave nothing; None where none failed. `weight` is how many captured turns it stands
    for.
    """

    id: str
    question: str
    created_at: datetime
    is_dated: bool
    values: Mapping[str, Fraction | None]
    latencies: Mapping[LatencyPart, Fraction | None]
    failure: str | None
    engine: str | None
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over the queries that have the value, and how many these are; None without any."""

    value: Exact | None
    n: int


@dataclass(frozen=True, slots=True)
class DayAverages:
    """One day: how many queries were asked, and their averages."""

    day: date
    count: int
    averages: Mapping[str, Average]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Averages by name, days in a row, and queries to look at.

    `scored` queries are those of which no judge call failed. `worst` have the lowest values of the metric that orders
    them, ties in the order in which they came; of `unscored` a call failed, and the first hundred are listed. `undated`
    have an assumed time and are on no day.
    """

    total: int
    scored: int
    averages: Mapping[str, Average]
    latencies: Mapping[LatencyPart, Average]
    days: tuple[DayAverages, ...]
    worst: tuple[Query, ...]
    unscored: tuple[Query, ...]
    undated: int


def list_averaged(rubric: Rubric) -> tuple[str, ...]:
    """What is averaged, by name: each dimension, after the score where there is one."""
    dimensions = tuple(item.id for item in rubric.dimensions)
    return (SCORE, *dimensions) if rubric.has_composite else dimensions


def build_query(turn: Turn, score: Score, rubric: Rubric) -> Query:
    """What the statistics need of a turn and its score."""
    used: dict[str, Fraction | None] = {item.dimension: item.used for item in score.subscores}
    used[SCORE] = score.score
    return Query(
        id=turn.id,
        question=turn.question,
        created_at=turn.captured_at,
        is_dated=not turn.captured_at_assumed,
        values={name: used.get(name) for name in list_averaged(rubric)},
        latencies={part: stated_latency(turn.latency, part) for part in PARTS},
        failure=(score.reason or score.unscored) if score.unscored else None,
        engine=find_retrieving(turn).engine,
        weight=Fraction(turn.drawn.population, turn.drawn.drawn) if turn.drawn else Fraction(1),
    )


def build_statistics(queries: Iterable[Query], rubric: Rubric, zone: tzinfo) -> Statistics:
    """The statistics of queries, which are gone through once; memory grows by the days alone.

    Args:
        queries: The turns with their scores.
        rubric: By which they were scored.
        zone: In which days begin and end.
    """
    tally = _Tally(list_averaged(rubric), rubric.worst_by or SCORE, zone)
    for query in queries:
        tally.add(query)
    return tally.conclude()


class _Mean:
    """A mean in the making."""

    def __init__(self) -> None:
        self.n, self._total, self._weight = 0, Fraction(0), Fraction(0)

    def add(self, value: Fraction | None, weight: Fraction) -> None:
        if value is not None:
            self.n, self._total, self._weight = self.n + 1, self._total + value * weight, self._weight + weight

    def conclude(self) -> Average:
        return Average(self._total / self._weight if self.n else None, self.n)


class _Day:
    """A day in the making."""

    def __init__(self, names: Iterable[str]) -> None:
        self.count = 0
        self.means = {name: _Mean() for name in names}

    def add(self, query: Query) -> None:
        self.count += 1
        for name, mean in self.means.items():
            mean.add(query.values[name], query.weight)


class _Tally:
    """All of it in the making."""

    def __init__(self, names: tuple[str, ...], order: str, zone: tzinfo) -> None:
        self._names, self._order, self._zone = names, order, zone
        self._all, self._latencies = _Day(names), {part: _Mean() for part in PARTS}
        self._days: dict[date, _Day] = defaultdict(lambda: _Day(names))
        self._worst: list[tuple[Fraction, int, Query]] = []
        self._unscored: list[Query] = []
        self._failed = self._undated = 0
        self._weights: set[Fraction] = set()

    def add(self, query: Query) -> None:
        self._all.add(query)
        for part, mean in self._latencies.items():
            mean.add(query.latencies[part], query.weight)
        if query.is_dated:
            self._days[query.created_at.astimezone(self._zone).date()].add(query)
        self._undated += not query.is_dated
        self._weights.add(query.weight)
        self._list(query)

    def _list(self, query: Query) -> None:
        value = query.values[self._order]
        if value is not None:
            insort(self._worst, (value, self._all.count, query), key=lambda item: item[:2])
            del self._worst[WORST:]
        if query.failure is not None:
            self._failed += 1
            self._unscored += [query][: UNSCORED_LISTED - len(self._unscored)]

    def conclude(self) -> Statistics:
        return Statistics(
            total=self._all.count,
            scored=self._all.count - self._failed,
            averages=_conclude(self._all),
            latencies={part: mean.conclude() for part, mean in self._latencies.items()},
            days=tuple(self._line_up()),
            worst=tuple(query for _, _, query in self._worst),
            unscored=tuple(self._unscored),
            undated=self._undated,
        )

    def _line_up(self) -> Iterator[DayAverages]:
        """The days in a row; none of a sample that was drawn by strata, whose turns were not drawn by day."""
        if not self._days or len(self._weights) > 1:
            return
        first, last = min(self._days), max(self._days)
        span = (last - first).days + 1
        row = (first + timedelta(days=place) for place in range(span))
        for day in row if span <= LONGEST_TREND else sorted(self._days):
            found = self._days.get(day) or _Day(self._names)
            yield DayAverages(day, found.count, _conclude(found))


def _conclude(day: _Day) -> dict[str, Average]:
    return {name: mean.conclude() for name, mean in day.means.items()}
