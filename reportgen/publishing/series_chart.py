"""The geometry of a series of means, over days or runs; templates/charts.html draws it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model.rubric import Band
from reportgen.model.run import Estimate
from reportgen.publishing.charts import Mark, build_ticks, coordinate
from reportgen.publishing.printing import stored

_LEFT, _SPAN, _TOP, _HEIGHT = 34, 440, 16, 150
_LABELS = 6
"""More labels than this would touch one another."""


@dataclass(frozen=True, slots=True)
class SeriesItem:
    """A point of the series: its place on the axis in any unit, its mean, and what is written under it.

    `joined` says that a line leads here from the point before; `broken` that a break stands before it. `fell` marks a
    point below its series.
    """

    at: int
    mean: Estimate
    label: str
    joined: bool
    broken: bool = False
    fell: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A mean with the ends of its interval; `kind` is `plain`, `weak` without an interval, or `fell`."""

    x: str
    y: str
    low: str | None
    high: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line between two points."""

    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True, slots=True)
class SeriesChart:
    """Points with their intervals, the lines between them, breaks with their numbers, and both axes."""

    dots: tuple[Dot, ...]
    strokes: tuple[Stroke, ...]
    breaks: tuple[Mark, ...]
    labels: tuple[Mark, ...]
    levels: tuple[Mark, ...]


def build_series(items: Sequence[SeriesItem], bands: Sequence[Band]) -> SeriesChart:
    """The drawing of a series; points without a mean are gaps."""
    begin, end = (items[0].at, items[-1].at) if items else (0, 0)
    places = [_across(item.at, begin, end) for item in items]
    drawn = [(x, item) for x, item in zip(places, items, strict=True) if item.mean.value is not None]
    every = -(-len(items) // _LABELS) or 1
    marks = list(zip(places, items, strict=True))[::every]
    return SeriesChart(
        dots=tuple(_dot(x, item) for x, item in drawn),
        strokes=tuple(_strokes(places, items)),
        breaks=tuple(_breaks(places, items)),
        labels=tuple(Mark(coordinate(x), item.label) for x, item in marks),
        levels=tuple(Mark(coordinate(_up(Fraction(tick.label))), tick.label) for tick in build_ticks(bands, _HEIGHT)),
    )


def _strokes(places: Sequence[Fraction], items: Sequence[SeriesItem]) -> Iterator[Stroke]:
    for place in range(1, len(items)):
        one, other = items[place - 1].mean.value, items[place].mean.value
        if items[place].joined and not items[place].broken and one is not None and other is not None:
            ends = places[place - 1], _up(one), places[place], _up(other)
            yield Stroke(*map(coordinate, ends))


def _breaks(places: Sequence[Fraction], items: Sequence[SeriesItem]) -> Iterator[Mark]:
    broken = (place for place in range(1, len(items)) if items[place].broken)
    for number, place in enumerate(broken, start=1):
        yield Mark(coordinate((places[place - 1] + places[place]) / 2), str(number))


def _dot(x: Fraction, item: SeriesItem) -> Dot:
    mean = item.mean
    assert mean.value is not None
    low, high = (None if bound is None else coordinate(_up(stored(bound))) for bound in (mean.low, mean.high))
    kind = "fell" if item.fell else "weak" if low is None else "plain"
    return Dot(coordinate(x), coordinate(_up(mean.value)), low, high, kind)


def _across(at: int, begin: int, end: int) -> Fraction:
    return _LEFT + Fraction(_SPAN, 2) if begin == end else _LEFT + Fraction((at - begin) * _SPAN, end - begin)


def _up(score: Fraction) -> Fraction:
    return _TOP + _HEIGHT - score * _HEIGHT / 100
