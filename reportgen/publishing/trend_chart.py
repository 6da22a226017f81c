"""The geometry of the chart of means over runs, which is broken wherever they may not be compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.trend.runs import RunPoint
from reportgen.model.rubric import Band
from reportgen.publishing.charts import Mark, coordinate

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _FLOOR = 40, 700, 14, 214
_LABELS_AT_MOST = 8

_Spot = tuple[Fraction, RunPoint]


@dataclass(frozen=True, slots=True)
class Dot:
    """A mean, with the ends of its interval; None where it has none."""

    x: str
    y: str
    low: str | None
    high: str | None


@dataclass(frozen=True, slots=True)
class TrendChart:
    """A line for each stretch of two or more points, the points, the breaks between stretches, and the axes."""

    lines: tuple[str, ...]
    dots: tuple[Dot, ...]
    breaks: tuple[Mark, ...]
    levels: tuple[Mark, ...]
    edges: tuple[str, ...]
    labels: tuple[Mark, ...]


def build_trend_chart(points: Sequence[RunPoint], labels: Sequence[str], bands: Sequence[Band]) -> TrendChart:
    """The chart.

    Args:
        points: Oldest first; each has a mean. The line ends before each that differs from the one before.
        labels: What stands under each point.
        bands: Whose edges are drawn.
    """
    count = len(points)
    spots = [(_across(place, count), point) for place, point in enumerate(points)]
    placed = _cut(spots)
    step = -(-count // _LABELS_AT_MOST) or 1
    shown = [(x, label) for number, ((x, _), label) in enumerate(zip(spots, labels, strict=True)) if number % step == 0]
    return TrendChart(
        lines=tuple(" ".join(map(_join, group)) for group in placed if len(group) > 1),
        dots=tuple(_dot(x, point) for x, point in spots),
        breaks=tuple(_break(placed[place - 1], placed[place], place) for place in range(1, len(placed))),
        levels=tuple(Mark(coordinate(_up(Fraction(level))), str(level)) for level in (0, 25, 50, 75, 100)),
        edges=tuple(coordinate(_up(Fraction(band.at_least))) for band in bands if band.at_least > 0),
        labels=tuple(Mark(coordinate(x), label) for x, label in shown),
    )


def _cut(spots: Sequence[_Spot]) -> list[list[_Spot]]:
    """The points in groups within which they may be compared."""
    groups: list[list[_Spot]] = []
    for spot in spots:
        if spot[1].breaks or not groups:
            groups.append([])
        groups[-1].append(spot)
    return groups


def _across(place: int, count: int) -> Fraction:
    """Runs stand at equal distances, as they are not of equal length."""
    return _LEFT + Fraction((2 * place + 1) * (_RIGHT - _LEFT), 2 * count)


def _up(score: Fraction) -> Fraction:
    return _FLOOR - score * (_FLOOR - _TOP) / 100


def _join(spot: _Spot) -> str:
    x, point = spot
    assert point.mean.value is not None, "only means are drawn"
    return f"{coordinate(x)},{coordinate(_up(point.mean.value))}"


def _dot(x: Fraction, point: RunPoint) -> Dot:
    mean = point.mean
    assert mean.value is not None, "only means are drawn"
    low, high = (None if bound is None else coordinate(_up(Fraction(repr(bound)))) for bound in (mean.low, mean.high))
    return Dot(coordinate(x), coordinate(_up(mean.value)), low, high)


def _break(before: list[_Spot], after: list[_Spot], number: int) -> Mark:
    return Mark(coordinate((before[-1][0] + after[0][0]) / 2), str(number))
