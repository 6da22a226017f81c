"""How many turns buy which interval, from the spread of an earlier run."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from reportgen.analysis.spread import POWER, spread_of_mean, t_quantile, z_quantile

MOST: Final = 10_000_000
"""Turns beyond which no plan is made."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What an earlier run says of the next: the variance of its mean as a function of the number of turns.

    `between` is the part that more turns of the same clusters do not bring down, `within` that of a single turn. Where
    further turns bring further clusters, as conversations do, `between` is 0 and `df` grows with them.
    """

    between: float
    within: float
    df: float
    turns: int
    is_fixed: bool

    def half_width(self, turns: int) -> float:
        """Half of the expected 95 % interval for a mean of so many turns, in points, before it is bent to 0 to 100."""
        return t_quantile(self._df(turns)) * self._error(turns)

    def detectable(self, turns: int) -> float:
        """The change between two runs of so many turns each that is found four times in five, in points."""
        return (z_quantile() + z_quantile(POWER)) * sqrt(2) * self._error(turns)

    def _error(self, turns: int) -> float:
        return sqrt(self.between + self.within / turns)

    def _df(self, turns: int) -> float:
        return self.df if self.is_fixed else max(self.df * turns / self.turns, 1.0)


def build_outlook(values: Sequence[float], clusters: Sequence[Hashable], *, is_fixed: bool) -> Outlook | None:
    """The outlook from the scores of a run; None with fewer than two clusters or with scores that are all equal.

    With clusters that stay the same (clients), the variance of the mean of n turns is b + w/n: w is pooled from within
    the clusters, and b is what the run's own clustered variance leaves. With clusters that come anew, as conversations
    do, it is in proportion to 1/n.

    >>> outlook = build_outlook([80, 90, 70, 85, 95], range(5), is_fixed=False)
    >>> round(outlook.half_width(5), 3), round(outlook.half_width(500), 3)
    (11.942, 0.846)

    Args:
        values: Scores, 0 to 100.
        clusters: For each score what it depends on others by.
        is_fixed: Whether further turns would come from these same clusters.
    """
    count = len(values)
    if len(set(clusters)) < 2 or min(values) == max(values):
        return None
    spread = spread_of_mean(values, clusters)
    if not is_fixed:
        return Outlook(0.0, spread.variance * count, spread.df, count, is_fixed)
    within = _pooled_variance(values, clusters)
    return Outlook(max(spread.variance - within / count, 0.0), within, spread.df, count, is_fixed)


def turns_for(outlook: Outlook, half_width: float) -> int | None:
    """The fewest turns whose interval is expected to be no wider to either side; None if no number of them is enough.

    >>> outlook = build_outlook([80, 90, 70, 85, 95], range(5), is_fixed=False)
    >>> turns_for(outlook, 2.0)
    92

    Args:
        outlook: What an earlier run says.
        half_width: In points, above 0.
    """
    return _fewest(outlook.half_width, half_width)


def turns_for_change(outlook: Outlook, change: float) -> int | None:
    """The fewest turns of each of two runs to find that change between them four times in five; None as above.

    >>> outlook = build_outlook([80, 90, 70, 85, 95], range(5), is_fixed=False)
    >>> turns_for_change(outlook, 3.0)
    162

    Args:
        outlook: What an earlier run says.
        change: In points, above 0.
    """
    return _fewest(outlook.detectable, change)


def _fewest(width: Callable[[int], float], at_most: float) -> int | None:
    """The fewest turns that bring a width down; it falls as they grow."""
    low, high = 2, MOST
    if width(high) > at_most:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if width(middle) <= at_most else (middle + 1, high)
    return low


def _pooled_variance(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    sizes = Counter(clusters)
    means = dict.fromkeys(sizes, 0.0)
    for value, cluster in zip(values, clusters, strict=True):
        means[cluster] += value / sizes[cluster]
    squares = sum((value - means[cluster]) ** 2 for value, cluster in zip(values, clusters, strict=True))
    return squares / max(len(values) - len(sizes), 1)
