"""Two metrics held against one another: in which of four corners each turn lies, and so what to work on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import get_args

from reportgen.analysis.estimates import estimate_share
from reportgen.analysis.rows import TurnRow
from reportgen.model.rubric import Corner, Rubric
from reportgen.model.run import Estimate
from reportgen.model.score import Score
from reportgen.model.turn import Name

HALF = Fraction(1, 2)
CORNERS: tuple[Corner, ...] = get_args(Corner)
_CORNER_OF: dict[tuple[bool, bool], Corner] = {
    (True, True): "both_high",
    (True, False): "second_low",
    (False, True): "first_low",
    (False, False): "both_low",
}


@dataclass(frozen=True, slots=True)
class CornerUse:
    """The turns in one corner; `share` is theirs of the turns that lie in any, 0 to 1."""

    corner: Corner
    share: Estimate
    turns: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """So many turns lie at this step of the scale of either metric, counted from 0."""

    first: int
    second: int
    count: int


@dataclass(frozen=True, slots=True)
class QuadrantTable:
    """The four corners in a fixed order, the turns in none since a metric has no value, and all places."""

    corners: tuple[CornerUse, ...]
    nowhere: tuple[Name, ...]
    points: tuple[Point, ...]


def build_quadrants(rows: Sequence[TurnRow], rubric: Rubric) -> QuadrantTable | None:
    """The corners of all turns; None where the rubric holds no metrics against one another."""
    if rubric.quadrants is None:
        return None
    found = [(row, corner_of(row.score, rubric)) for row in rows]
    placed = [row for row, corner in found if corner is not None]
    turns = {corner: tuple(row.id for row, lies in found if lies == corner) for corner in CORNERS}
    uses = (CornerUse(corner, _estimate(placed, frozenset(names)), names) for corner, names in turns.items())
    nowhere = tuple(row.id for row, corner in found if corner is None)
    return QuadrantTable(tuple(uses), nowhere, _place(placed, rubric))


def corner_of(score: Score, rubric: Rubric) -> Corner | None:
    """The corner in which a turn lies; None where one of the two metrics has no value.

    >>> from reportgen.model.score import Subscore
    >>> from reportgen.rubrics import load_rubric
    >>> values = {"context-relevance": Fraction(9, 10), "faithfulness": Fraction(1, 2)}
    >>> items = tuple(Subscore(dimension=name, weight=50, used=value) for name, value in values.items())
    >>> corner_of(Score(turn="t", judge="j", rubric="r", subscores=items), load_rubric("rag-1"))
    'second_low'
    """
    values = _values(score, rubric)
    if rubric.quadrants is None or values is None:
        return None
    edge = Fraction(str(rubric.quadrants.at_least))
    return _CORNER_OF[values[0] >= edge, values[1] >= edge]


def _values(score: Score, rubric: Rubric) -> tuple[Fraction, Fraction] | None:
    """The two metrics; None where one has no value."""
    if rubric.quadrants is None:
        return None
    used = {item.dimension: item.used for item in score.subscores}
    first, second = used.get(rubric.quadrants.first), used.get(rubric.quadrants.second)
    return None if first is None or second is None else (first, second)


def _place(rows: Sequence[TurnRow], rubric: Rubric) -> tuple[Point, ...]:
    """Where the turns lie, to the nearest step of the scale, so that a chart of many turns stays small."""
    counts: Counter[tuple[int, int]] = Counter()
    for row in rows:
        if values := _values(row.score, rubric):
            first, second = (floor(value * rubric.scale.steps / rubric.scale.maximum + HALF) for value in values)
            counts[first, second] += 1
    return tuple(Point(first, second, count) for (first, second), count in sorted(counts.items()))


def _estimate(rows: Sequence[TurnRow], names: frozenset[str]) -> Estimate:
    return estimate_share(rows, lambda row: row.id in names)
