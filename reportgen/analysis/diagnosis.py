"""Where turns go wrong: the profile of the dimensions, and the first weak one in causal order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from reportgen.analysis.exact import in_order, total_of
from reportgen.analysis.rows import TurnRow
from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.score import Score
from reportgen.record import Exact

QUARTERS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


@dataclass(frozen=True, slots=True)
class Spread:
    """How subscores are spread; each figure is one that occurred, since the scale is one of ranks.

    The middle half lies from `lower` to `upper`.
    """

    lowest: Exact
    lower: Exact
    median: Exact
    upper: Exact
    highest: Exact


@dataclass(frozen=True, slots=True)
class DimensionProfile:
    """One dimension over all scored turns.

    `mean` is on the rubric's scale; `turns` counts those that it applied to, `weak` those with a subscore below the
    threshold, `first_weak` those in which it is the first weak dimension in causal order, and `first_weak_bands` the
    same by the band of the turn. `mean` and `spread` are None where it applied to no turn.
    """

    id: str
    name: str
    weight: int
    turns: int
    mean: Exact | None
    spread: Spread | None
    weak: int
    first_weak: int
    first_weak_bands: dict[str, int]


def weak_below(rubric: Rubric) -> Fraction:
    """The subscore under which a dimension counts as weak: what the highest band asks of the whole turn."""
    return Fraction(rubric.bands[0].at_least, 100) * rubric.scale.maximum


def first_weak(score: Score, rubric: Rubric) -> str | None:
    """The first dimension in causal order with a weak subscore; None where there is none or no score."""
    limit = weak_below(rubric)
    weak = (item.dimension for item in score.subscores if item.used is not None and item.used < limit)
    return next(weak, None)


def build_profile(rows: Sequence[TurnRow], rubric: Rubric) -> tuple[DimensionProfile, ...]:
    """The dimensions in causal order, each with its mean, its spread, and how often turns fail there first."""
    first = Counter((first_weak(row.score, rubric), row.score.band) for row in rows)
    bands = [band.id for band in rubric.bands]
    return tuple(
        _profile(dimension, rows, rubric, {band: first[dimension.id, band] for band in bands})
        for dimension in rubric.dimensions
    )


def _profile(dimension: Dimension, rows: Sequence[TurnRow], rubric: Rubric, first: dict[str, int]) -> DimensionProfile:
    used = [
        item.used
        for row in rows
        for item in row.score.subscores
        if item.dimension == dimension.id and item.used is not None
    ]
    limit = weak_below(rubric)
    return DimensionProfile(
        id=dimension.id,
        name=dimension.name,
        weight=dimension.weight,
        turns=len(used),
        mean=total_of(used) / len(used) if used else None,
        spread=measure_spread(used),
        weak=sum(value < limit for value in used),
        first_weak=sum(first.values()),
        first_weak_bands=first,
    )


def measure_spread(values: Sequence[Fraction]) -> Spread | None:
    """Lowest, quartiles and highest of these values; None where there are none.

    A quartile is the smallest value that at least that part of the values do not exceed, definition 1 of Hyndman and
    Fan (1996).

    >>> spread = measure_spread([Fraction(value) for value in (9, 1, 7, 3)])
    >>> [str(value) for value in (spread.lowest, spread.lower, spread.median, spread.upper, spread.highest)]
    ['1', '1', '3', '7', '9']
    """
    if not values:
        return None
    ranked = in_order(values)
    lower, median, upper = (ranked[ceil(part * len(ranked)) - 1] for part in QUARTERS)
    return Spread(ranked[0], lower, median, upper, ranked[-1])
