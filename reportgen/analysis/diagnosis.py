"""Where turns go wrong: the profile of the dimensions, and the first weak one in causal order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.rows import TurnRow
from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.score import Score
from reportgen.record import Exact


@dataclass(frozen=True, slots=True)
class DimensionProfile:
    """One dimension over all scored turns.

    `mean` is on the rubric's scale; `turns` counts those that it applied to, `weak` those with a subscore below the
    threshold, `first_weak` those in which it is the first weak dimension in causal order.
    """

    id: str
    name: str
    weight: int
    turns: int
    mean: Exact | None
    weak: int
    first_weak: int


def weak_below(rubric: Rubric) -> Fraction:
    """The subscore under which a dimension counts as weak: what the highest band asks of the whole turn."""
    return Fraction(rubric.bands[0].at_least, 100) * rubric.scale.maximum


def first_weak(score: Score, rubric: Rubric) -> str | None:
    """The first dimension in causal order with a weak subscore; None where there is none or no score."""
    limit = weak_below(rubric)
    weak = (item.dimension for item in score.subscores if item.used is not None and item.used < limit)
    return next(weak, None)


def build_profile(rows: Sequence[TurnRow], rubric: Rubric) -> tuple[DimensionProfile, ...]:
    """The dimensions in causal order, each with its mean and how often turns fail there first."""
    first = Counter(first_weak(row.score, rubric) for row in rows)
    return tuple(_profile(dimension, rows, rubric, first[dimension.id]) for dimension in rubric.dimensions)


def _profile(dimension: Dimension, rows: Sequence[TurnRow], rubric: Rubric, first: int) -> DimensionProfile:
    used = [
        item.used
        for row in rows
        for item in row.score.subscores
        if item.dimension == dimension.id and item.used is not None
    ]
    mean = sum(used, Fraction(0)) / len(used) if used else None
    weak = sum(value < weak_below(rubric) for value in used)
    return DimensionProfile(dimension.id, dimension.name, dimension.weight, len(used), mean, weak, first)
