"""The difference of two independent means, such as of a stratum and of all other turns, or of two periods."""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from reportgen.analysis.spread import Spread, number_clusters, spread_of_mean, t_quantile, two_sided_p, unseen_mass

if TYPE_CHECKING:
    from reportgen.analysis.spread import Clusters, Numbers


@dataclass(frozen=True, slots=True)
class Side:
    """One of two means, 0 to 100, with its spread; `spread` is None where there are fewer than two clusters."""

    mean: float
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """The one mean minus the other, in points, with its 95 % interval and how likely it is by chance alone.

    All but `difference` are None where one side has fewer than two clusters; `error` is the standard error.
    """

    difference: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    df: float | None = None
    error: float | None = None


def side_of(values: "Numbers", clusters: "Clusters", weights: "Numbers | None" = None) -> Side | None:
    """A mean of scores from 0 to 100 as one side; None without values.

    Where all values are equal, the spread is not 0 but unknown. Then the standard error is taken as wide as the
    interval that such a mean has: half of it over the quantile of t, on its wider side.
    """
    import numpy as np

    scores = np.asarray(values, dtype=float)
    if not scores.size:
        return None
    mean, numbers = float(np.average(scores, weights=weights)), number_clusters(clusters)
    count = int(numbers.max()) + 1
    if count < 2:
        return Side(mean, None)
    if scores.min() == scores.max():
        return Side(mean, spread_of_equal(mean, count))
    return Side(mean, spread_of_mean(scores, numbers, weights))


def spread_of_equal(mean: float, clusters: int) -> Spread:
    """What stands in for the spread of equal scores from 0 to 100, in at least two clusters."""
    width = unseen_mass(clusters) * max(mean, 100 - mean)
    return Spread((width / t_quantile(clusters - 1)) ** 2, clusters - 1.0, clusters)


def contrast_means(one: Side, other: Side) -> Contrast:
    """The difference of two means: Welch (1947) with the degrees of freedom of Satterthwaite (1946).

    The variances of both means are added, so it assumes that the two sides are independent. Clusters that stand on
    both sides and pull them the same way make it cautious. No difference of scores lies beyond 100 points.

    The example is that of scipy.stats.ttest_ind with unequal variances.

    >>> found = contrast_means(side_of([60, 70, 80], range(3)), side_of([20, 40, 60, 40], range(4)))
    >>> round(found.difference, 6), round(found.df, 4), round(found.p_value, 4)
    (30.0, 4.9091, 0.0308)
    """
    difference = one.mean - other.mean
    if one.spread is None or other.spread is None:
        return Contrast(difference)
    first, second = one.spread, other.spread
    variance = first.variance + second.variance
    df = variance**2 / (first.variance**2 / first.df + second.variance**2 / second.df)
    error = sqrt(variance)
    half = t_quantile(df) * error
    low, high = max(difference - half, -100.0), min(difference + half, 100.0)
    return Contrast(difference, low, high, two_sided_p(difference / error, df), df, error)
