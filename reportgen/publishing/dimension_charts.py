"""The geometry of the charts over the dimensions; templates/charts.html draws them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.diagnosis import DimensionProfile, Spread
from reportgen.publishing.charts import Bar, Mark, coordinate, lay_counts
from reportgen.publishing.printing import plural

LEFT, WIDTH = 190, 240
_ROW, _TOP, _BOX = 36, 10, 16
_NAME_SHOWN = 28


@dataclass(frozen=True, slots=True)
class SpreadRow:
    """One dimension: a line over all its subscores, a box over the middle half, its median and its mean."""

    label: str
    middle: str
    box_y: str
    lowest: str
    highest: str
    lower: str
    box_width: str
    median: str
    mean: str


@dataclass(frozen=True, slots=True)
class ProfileChart:
    """The spread of each dimension on one axis; `limit` is the subscore below which one is weak."""

    rows: tuple[SpreadRow, ...]
    empty: tuple[Mark, ...]
    ticks: tuple[Mark, ...]
    limit: str
    height: str
    floor: str


@dataclass(frozen=True, slots=True)
class Stack:
    """How many turns fail first at one dimension, as bars of the bands side by side."""

    label: str
    text_y: str
    bars: tuple[Bar, ...]
    value: str
    value_x: str


@dataclass(frozen=True, slots=True)
class StackChart:
    """A stack for each dimension, the longest taking the whole width."""

    stacks: tuple[Stack, ...]
    height: str


def build_profile_chart(profile: Sequence[DimensionProfile], maximum: int, limit: Fraction) -> ProfileChart:
    """The spread of each dimension's subscores, from 0 to the maximum of the scale."""
    floor = len(profile) * _ROW + _TOP
    placed = [(item, _TOP + number * _ROW + _ROW // 2) for number, item in enumerate(profile)]
    return ProfileChart(
        rows=tuple(
            _spread_row(item, item.spread, item.mean, middle, maximum)
            for item, middle in placed
            if item.spread is not None and item.mean is not None
        ),
        empty=tuple(Mark(coordinate(middle), _fit(item.name)) for item, middle in placed if item.spread is None),
        ticks=tuple(Mark(_at(Fraction(maximum * part, 2), maximum), _half(maximum, part)) for part in range(3)),
        limit=_at(limit, maximum),
        height=coordinate(floor + 22),
        floor=coordinate(floor),
    )


def _spread_row(item: DimensionProfile, spread: Spread, mean: Fraction, middle: int, maximum: int) -> SpreadRow:
    return SpreadRow(
        label=_fit(item.name),
        middle=coordinate(middle),
        box_y=coordinate(middle - _BOX // 2),
        lowest=_at(spread.lowest, maximum),
        highest=_at(spread.highest, maximum),
        lower=_at(spread.lower, maximum),
        box_width=coordinate((spread.upper - spread.lower) * WIDTH / maximum),
        median=_at(spread.median, maximum),
        mean=_at(mean, maximum),
    )


def _at(value: Fraction, maximum: int) -> str:
    return coordinate(LEFT + value * WIDTH / maximum)


def _half(maximum: int, part: int) -> str:
    """The end, the middle or the beginning of the scale.

    >>> [_half(5, part) for part in range(3)]
    ['0', '2.5', '5']
    """
    return coordinate(Fraction(maximum * part, 2))


def build_stacks(profile: Sequence[DimensionProfile]) -> StackChart:
    """Where turns fail first, by the bands of the turns."""
    most = max([item.first_weak for item in profile], default=0)
    stacks = [_stack(item, most, _TOP + number * _ROW) for number, item in enumerate(profile)]
    return StackChart(tuple(stacks), coordinate(len(profile) * _ROW + _TOP))


def _stack(item: DimensionProfile, most: int, y: int) -> Stack:
    unit = Fraction(WIDTH, most) if most else Fraction(0)
    bars = lay_counts(item.first_weak_bands.items(), unit, (LEFT, y, _ROW - 14))
    end = coordinate(LEFT + item.first_weak * unit + 8)
    return Stack(_fit(item.name), coordinate(y + _ROW // 2 - 3), bars, plural(item.first_weak, "turn"), end)


def _fit(name: str) -> str:
    """The name, cut to what fits beside the bars; it stands in full in the table.

    >>> _fit("Whether the numbers follow from the rows")
    'Whether the numbers follow …'
    """
    return name if len(name) <= _NAME_SHOWN else f"{name[: _NAME_SHOWN - 1].rstrip()} …"
