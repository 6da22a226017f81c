"""The geometry of the quadrants: dots at the values of two metrics, in the units of the view box."""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from reportgen.analysis.quadrants import Point, QuadrantTable
from reportgen.model.rubric import Corner, Quadrants, Rubric
from reportgen.publishing.charts import Mark, coordinate
from reportgen.publishing.printing import plural, print_exact

_LEFT, _TOP, _SIDE = 70, 32, 320
_LEAST_RADIUS, _MOST_RADIUS = 4, 16
_CLEAR = _MOST_RADIUS + 4
"""So far from the edges stand all words, since dots lie on the edges too."""
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Spot:
    """A dot; its area grows with the number of turns, up to a limit."""

    x: str
    y: str
    radius: str


@dataclass(frozen=True, slots=True)
class CornerLabel:
    """The name of a corner and its count, at the outer end of the corner."""

    x: str
    y: str
    anchor: str
    label: str


@dataclass(frozen=True, slots=True)
class QuadrantChart:
    """All that is drawn."""

    left: str
    right: str
    top: str
    bottom: str
    side: str
    edge_x: str
    edge_y: str
    dots: tuple[Spot, ...]
    corners: tuple[CornerLabel, ...]
    ticks_x: tuple[Mark, ...]
    ticks_y: tuple[Mark, ...]
    below: str
    beside: str
    middle_x: str
    middle_y: str
    name_x: str
    name_y: str
    first: str
    second: str


def build_quadrant_chart(table: QuadrantTable, quadrants: Quadrants, rubric: Rubric) -> QuadrantChart:
    """Across the first metric, upwards the second."""
    edge = Fraction(str(quadrants.at_least)) / rubric.scale.maximum
    steps = [Fraction(step, _TICKS) for step in range(_TICKS + 1)]
    labels = [print_exact(step * rubric.scale.maximum) for step in steps]
    middle = Fraction(1, 2)
    return QuadrantChart(
        left=str(_LEFT),
        right=str(_LEFT + _SIDE),
        top=str(_TOP),
        bottom=str(_TOP + _SIDE),
        side=str(_SIDE),
        edge_x=_across(edge),
        edge_y=_up(edge),
        dots=tuple(_spot(point, rubric.scale.steps) for point in table.points),
        corners=tuple(_label(use.corner, len(use.turns), quadrants) for use in table.corners),
        ticks_x=tuple(Mark(_across(step), label) for step, label in zip(steps, labels, strict=True)),
        ticks_y=tuple(Mark(_up(step), label) for step, label in zip(steps, labels, strict=True)),
        below=str(_TOP + _SIDE + _CLEAR + 8),
        beside=str(_LEFT - _CLEAR),
        middle_x=_across(middle),
        middle_y=_up(middle),
        name_x=str(_LEFT - 56),
        name_y=str(_TOP + _SIDE + 48),
        first=rubric.dimension(quadrants.first).name,
        second=rubric.dimension(quadrants.second).name,
    )


def _spot(point: Point, steps: int) -> Spot:
    radius = min(isqrt(_LEAST_RADIUS**2 * point.count), _MOST_RADIUS)
    return Spot(_across(Fraction(point.first, steps)), _up(Fraction(point.second, steps)), str(radius))


def _label(corner: Corner, count: int, quadrants: Quadrants) -> CornerLabel:
    """Above the corner or below it, so that no dot hides it."""
    is_right, is_up = corner in ("both_high", "second_low"), corner in ("both_high", "first_low")
    cell = quadrants.cell(corner)
    return CornerLabel(
        x=str(_LEFT + _SIDE if is_right else _LEFT),
        y=str(_TOP - _CLEAR if is_up else _TOP + _SIDE + 64),
        anchor="end" if is_right else "start",
        label=f"{cell.name}: {plural(count, 'turn')}",
    )


def _across(part: Fraction) -> str:
    return coordinate(_LEFT + _SIDE * part)


def _up(part: Fraction) -> str:
    return coordinate(_TOP + _SIDE * (1 - part))
