"""The scores of a run day by day."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from reportgen.analysis.estimates import estimate_mean, weights_of
from reportgen.analysis.exact import total_of
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.strata import NO_LABEL, labels_worth_a_table
from reportgen.analysis.trend.series import Expectation, judge_series
from reportgen.analysis.trend.slope import Slope, estimate_slope
from reportgen.model.run import Estimate
from reportgen.record import Exact, day_of

MIN_TURNS = 5
"""A day with fewer scored turns is shown without an interval and is not tested."""


@dataclass(frozen=True, slots=True)
class DayPoint:
    """One day with turns; `gap` is how many days without any lie between it and the one before.

    `adjusted` is the mean if the day had the mix of the whole run; None where the day misses `missing` of the strata.
    """

    day: date
    gap: int
    turns: int
    scored: int
    mean: Estimate
    adjusted: Exact | None
    missing: int
    expectation: Expectation | None


@dataclass(frozen=True, slots=True)
class Days:
    """A run over its days. `undated` turns have an assumed time and are left out; `label` is what adjusts the mix.

    `label` is None where no label divides the turns.
    """

    points: tuple[DayPoint, ...]
    undated: int
    label: str | None
    slope: Slope


def build_days(rows: Sequence[TurnRow], zone: str | None = None) -> Days:
    """The days of a run in a time zone, None for UTC; none of a drawn sample, whose turns were not drawn by day."""
    if weights_of(rows) is not None:
        return Days((), 0, None, _slope({}))
    dated = [row for row in rows if not row.time_assumed]
    by_day = _group(dated, zone)
    label = _choose_label(dated)
    weights = _weigh(dated, label) if label else {}
    means = [_estimate_day(turns) for turns in by_day.values()]
    expected = judge_series(means, [0] * len(means))
    points: list[DayPoint] = []
    for (day, turns), mean, expectation in zip(by_day.items(), means, expected, strict=True):
        adjusted, missing = _adjust(turns, label, weights)
        gap = (day - points[-1].day).days - 1 if points else 0
        points.append(DayPoint(day, gap, len(turns), mean.n, mean, adjusted, missing, expectation))
    return Days(tuple(points), len(rows) - len(dated), label, _slope(by_day))


def _group(rows: Sequence[TurnRow], zone: str | None) -> dict[date, list[TurnRow]]:
    groups: dict[date, list[TurnRow]] = defaultdict(list)
    for row in rows:
        groups[day_of(row.captured_at, zone)].append(row)
    return dict(sorted(groups.items()))


def _estimate_day(turns: Sequence[TurnRow]) -> Estimate:
    mean = estimate_mean(turns)
    if mean.n >= MIN_TURNS or mean.value is None:
        return mean
    return Estimate(value=mean.value, n=mean.n, undefined=f"fewer than {MIN_TURNS} scored turns")


def _choose_label(rows: Sequence[TurnRow]) -> str | None:
    """The first label, client before all others, that divides the scored turns."""
    scored = [row for row in rows if row.score.score is not None]
    labels = labels_worth_a_table(scored)
    return next((label for label in labels if len({row.labels.get(label, NO_LABEL) for row in scored}) > 1), None)


def _weigh(rows: Sequence[TurnRow], label: str) -> dict[str, Fraction]:
    """The share of each stratum among all scored turns."""
    scored = [row for row in rows if row.score.score is not None]
    counts: dict[str, int] = defaultdict(int)
    for row in scored:
        counts[row.labels.get(label, NO_LABEL)] += 1
    return {value: Fraction(count, len(scored)) for value, count in counts.items()}


def _adjust(
    turns: Sequence[TurnRow], label: str | None, weights: Mapping[str, Fraction]
) -> tuple[Fraction | None, int]:
    """The mean with the weights of the whole run, and how many strata the day does not have."""
    if label is None:
        return None, 0
    groups: dict[str, list[Fraction]] = defaultdict(list)
    for row in turns:
        if row.score.score is not None:
            groups[row.labels.get(label, NO_LABEL)].append(row.score.score)
    missing = len(weights) - len(groups)
    if missing:
        return None, missing
    return total_of([weights[value] * total_of(scores) / len(scores) for value, scores in groups.items()]), 0


def _slope(by_day: Mapping[date, Sequence[TurnRow]]) -> Slope:
    """Over the days that have an interval of their own."""
    days = []
    for day, turns in by_day.items():
        scores = [row.score.score for row in turns if row.score.score is not None]
        if len(scores) >= MIN_TURNS:
            days.append((day.toordinal(), scores))
    return estimate_slope(days)
