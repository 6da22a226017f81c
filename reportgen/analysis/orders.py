"""Whether the order of two strata by their means holds by every setting of the weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from reportgen.analysis.strata import Breakdown, Stratum


@dataclass(frozen=True, slots=True)
class OrderCheck:
    """The pairs of strata of a label that have a mean each.

    In `flips` of the `pairs` not every setting puts the two means in the same order. `established` are those of them
    whose intervals do not overlap; of the others the order is no finding by the rubric's weights either.
    """

    label: str
    pairs: int
    flips: int
    established: tuple[tuple[str, str], ...]


def check_orders(breakdown: Breakdown, sums: Sequence[Sequence[int]]) -> OrderCheck:
    """The orders of the strata of a label.

    Args:
        breakdown: The strata with their means by the rubric's weights.
        sums: For each setting the sum of the scores of each stratum, all in the same whole units.
    """
    scored = [place for place, stratum in enumerate(breakdown.strata) if stratum.scored]
    pairs = list(combinations(scored, 2))
    flips = [
        (breakdown.strata[one], breakdown.strata[other])
        for one, other in pairs
        if len({_order(line, breakdown, one, other) for line in sums}) > 1
    ]
    established = tuple((one.value, other.value) for one, other in flips if _are_apart(one, other))
    return OrderCheck(breakdown.label, len(pairs), len(flips), established)


def _order(sums: Sequence[int], breakdown: Breakdown, one: int, other: int) -> int:
    """1 if the first mean is higher, -1 if the second is, 0 if they are equal."""
    first = sums[one] * breakdown.strata[other].scored
    second = sums[other] * breakdown.strata[one].scored
    return (first > second) - (first < second)


def _are_apart(one: Stratum, other: Stratum) -> bool:
    low, high = sorted((one.mean, other.mean), key=lambda mean: mean.value or 0)
    return low.high is not None and high.low is not None and low.high < high.low
