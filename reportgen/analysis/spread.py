"""How far a mean may be off: its variance with clusters, the degrees of freedom behind it, and quantiles.

numpy and scipy are imported when the first figure is computed, so that commands that need none start quickly.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = Sequence[float] | NDArray[np.floating] | NDArray[np.integer]
    Clusters = Sequence[Hashable] | NDArray[np.integer]

CONFIDENCE = 0.95
POWER = 0.8
"""The chance with which plans and comparisons want to find what is there."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Variance of a mean that knows of clusters, its degrees of freedom, and the number of clusters."""

    variance: float
    df: float
    clusters: int


def mean_of(values: "Numbers", weights: "Numbers | None" = None) -> float:
    """The mean of values, each of which stands for as many as its weight says.

    >>> mean_of([1, 4]), mean_of([1, 4], [2.0, 1.0])
    (2.5, 2.0)
    """
    if weights is None:
        return float(sum(values) / len(values))
    return float(sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights))


def spread_of_mean(values: "Numbers", clusters: "Clusters", weights: "Numbers | None" = None) -> Spread:
    """CR2 variance of a mean with the degrees of freedom of Bell and McCaffrey (2002), in closed form.

    With each value its own cluster these are s²/n and n - 1. Where the variance is 0 though values differ, it is that
    of independent values. It assumes that clusters are independent of one another.

    >>> spread_of_mean([1.0, 2.0, 3.0, 4.0], range(4))
    Spread(variance=0.4166666666666667, df=3.0, clusters=4)

    Args:
        values: At least two, on any scale.
        clusters: For each value what it depends on others by, such as a client; at least two different ones.
        weights: How many each value stands for; None where each stands for one. The variance is then the linearised
            one of a ratio, which for equal weights is the same.
    """
    spread = _cr2(values, clusters, weights)
    return spread if spread.variance > 0 else _cr2(values, range(len(values)), weights)


def spread_of_sums(sums: "Numbers", counts: "Numbers") -> Spread:
    """The same from each cluster's sum of deviations from the mean, and its number of values.

    >>> spread_of_sums([-1.5, -0.5, 0.5, 1.5], [1, 1, 1, 1]) == spread_of_mean([1.0, 2.0, 3.0, 4.0], range(4))
    True

    Args:
        sums: One for each cluster, at least two; they add to 0.
        counts: How many values each cluster has, or the sum of their weights; above 0.
    """
    import numpy as np

    total = float(np.sum(counts))
    squares, sizes = np.asarray(sums, dtype=float) ** 2, np.asarray(counts) / total
    leverage = sizes**2 / (1 - sizes)
    variance = float((squares / (1 - sizes)).sum()) / total**2
    df = 1 / float((sizes**2).sum() + leverage.sum() ** 2 - (leverage**2).sum())
    return Spread(variance, df, len(sizes))


def unseen_mass(clusters: int) -> float:
    """The largest share of units that could differ and yet be unseen in so many clusters, 0 to 1.

    >>> round(unseen_mass(10), 4)
    0.3085
    """
    return float(1 - ((1 - CONFIDENCE) / 2) ** (1 / clusters))


def t_quantile(df: float, probability: float = (1 + CONFIDENCE) / 2) -> float:
    """The quantile of Student's t, for any df above 0.

    >>> round(t_quantile(9), 4)
    2.2622
    """
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))


def z_quantile(probability: float = (1 + CONFIDENCE) / 2) -> float:
    """The quantile of the normal distribution.

    >>> round(z_quantile(), 4)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(probability))


def two_sided_p(statistic: float, df: float) -> float:
    """How likely a t statistic at least as far from 0 is by chance alone, 0 to 1.

    >>> round(two_sided_p(2.2622, 9), 4)
    0.05
    """
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(statistic)))


def number_clusters(clusters: "Clusters") -> "NDArray[np.intp]":
    """The clusters as numbers from 0 on, without a gap.

    >>> number_clusters(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    import numpy as np

    if isinstance(clusters, np.ndarray):
        numbers: NDArray[np.intp] = np.unique(clusters, return_inverse=True)[1]
        return numbers
    order = {key: number for number, key in enumerate(dict.fromkeys(clusters))}
    return np.array([order[key] for key in clusters], dtype=np.intp)


def _cr2(values: "Numbers", clusters: "Clusters", weights: "Numbers | None") -> Spread:
    import numpy as np

    numbers, deviations = number_clusters(clusters), np.asarray(values, dtype=float)
    if weights is None:
        deviations = deviations - deviations.mean()
        return spread_of_sums(np.bincount(numbers, weights=deviations), np.bincount(numbers))
    stand_for = np.asarray(weights, dtype=float)
    deviations = stand_for * (deviations - np.average(deviations, weights=stand_for))
    return spread_of_sums(np.bincount(numbers, weights=deviations), np.bincount(numbers, weights=stand_for))
