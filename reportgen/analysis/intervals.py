"""Interval estimates of means and shares, with clusters; closed forms, no chance involved.

numpy and scipy are imported when the first figure is computed, so that commands that need none start quickly.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds in the unit of the figure, with the degrees of freedom and the number of clusters behind them."""

    low: float
    high: float
    df: float
    clusters: int


@dataclass(frozen=True, slots=True)
class _Spread:
    """Variance of a mean that knows of clusters, and its degrees of freedom."""

    variance: float
    df: float
    clusters: int


def mean_interval(values: Sequence[float], clusters: Sequence[Hashable]) -> Interval | None:
    """95 % interval for a mean of scores from 0 to 100; None with fewer than two clusters or values.

    A t interval on the logit scale, so that it stays inside 0 to 100, with the CR2 variance and the degrees of
    freedom of Bell and McCaffrey (2002). With each value its own cluster these are s/√n and n - 1. Where all values
    are equal, the width is the largest share of units that could differ and still be unseen in this many clusters.

    >>> interval = mean_interval([80, 90, 70, 85, 95], range(5))
    >>> round(interval.low, 3), round(interval.high, 3), round(interval.df, 9)
    (68.345, 92.736, 4.0)

    Args:
        values: Scores, 0 to 100.
        clusters: For each score what it depends on others by, such as a client.
    """
    count = len(set(clusters))
    if count < 2:
        return None
    if min(values) == max(values):
        return _interval_of_equal(values[0], count)
    mean = sum(values) / len(values)
    if not 0 < mean < 100:
        return _interval_of_equal(mean, count)
    spread = _spread(values, clusters)
    half = _t_quantile(spread.df) * sqrt(spread.variance) * 100 / (mean * (100 - mean))
    centre = log(mean / (100 - mean))
    return Interval(_expit(centre - half), _expit(centre + half), spread.df, spread.clusters)


def share_interval(hits: Sequence[bool], clusters: Sequence[Hashable]) -> Interval | None:
    """95 % Wilson interval for a share, 0 to 1; None without any value, or where all are of one cluster.

    With clusters the count is replaced by the effective one, and the normal quantile by that of t. Wilson (1927);
    0 and 1 are exact where no or each value hits.

    >>> interval = share_interval([True] * 8 + [False] * 2, range(10))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    if not hits:
        return None
    share, count = sum(hits) / len(hits), len(set(clusters))
    if count == len(hits):
        return _wilson(share, len(hits), z_quantile(), float(len(hits) - 1), count)
    if count == 1:
        return None
    if share in (0, 1):
        return _wilson(share, count, z_quantile(), count - 1.0, count)
    spread = _spread([float(hit) for hit in hits], clusters)
    size = min(float(len(hits)), share * (1 - share) / spread.variance)
    return _wilson(share, size, _t_quantile(spread.df), spread.df, count)


def pooled_share_interval(hits: Sequence[int], sizes: Sequence[int]) -> Interval | None:
    """95 % interval for a share over clusters of which only counts are kept; None with fewer than two clusters.

    The same as `share_interval` of all single values.

    >>> interval = pooled_share_interval([2, 0, 1], [3, 2, 2])
    >>> single = share_interval([True, True, False, False, False, True, False], [0, 0, 0, 1, 1, 2, 2])
    >>> round(interval.low, 9) == round(single.low, 9), round(interval.high, 9) == round(single.high, 9)
    (True, True)

    Args:
        hits: How many hit in each cluster.
        sizes: How many there are in each cluster, at least one.
    """
    if len(sizes) < 2:
        return None
    total, count = sum(sizes), len(sizes)
    share = sum(hits) / total
    if count == total:
        return _wilson(share, total, z_quantile(), float(total - 1), count)
    if share in (0, 1):
        return _wilson(share, count, z_quantile(), count - 1.0, count)
    spread = _cr2_of([hit - share * size for hit, size in zip(hits, sizes, strict=True)], sizes)
    variance = spread.variance or share * (1 - share) / (total - 1)
    size = min(float(total), share * (1 - share) / variance)
    return _wilson(share, size, _t_quantile(spread.df), spread.df, count)


def difference_interval(differences: Sequence[float], clusters: Sequence[Hashable]) -> Interval | None:
    """95 % t interval for the mean of paired differences; None with fewer than two clusters, or if all are equal.

    Variance and degrees of freedom are those of `mean_interval`; without clusters it is the paired t interval. Equal
    differences have no spread to build an interval on.

    >>> interval = difference_interval([1.0, 2.0, 3.0, 4.0], range(4))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4457, 4.5543)
    """
    if len(set(clusters)) < 2 or min(differences) == max(differences):
        return None
    spread = _spread(differences, clusters)
    mean, half = sum(differences) / len(differences), _t_quantile(spread.df) * sqrt(spread.variance)
    return Interval(mean - half, mean + half, spread.df, spread.clusters)


def _wilson(share: float, size: float, quantile: float, df: float, clusters: int) -> Interval:
    widening = quantile**2 / size
    centre = (share + widening / 2) / (1 + widening)
    half = quantile * sqrt(share * (1 - share) / size + widening / (4 * size)) / (1 + widening)
    low = 0.0 if share == 0 else max(centre - half, 0.0)
    high = 1.0 if share == 1 else min(centre + half, 1.0)
    return Interval(low, high, df, clusters)


def _spread(values: Sequence[float], clusters: Sequence[Hashable]) -> _Spread:
    """CR2 variance of the mean; where it is 0 though values differ, that of independent values."""
    spread = _cr2(values, clusters)
    return spread if spread.variance > 0 else _cr2(values, range(len(values)))


def _cr2(values: Sequence[float], clusters: Sequence[Hashable]) -> _Spread:
    import numpy as np

    order = {key: number for number, key in enumerate(dict.fromkeys(clusters))}
    codes = np.array([order[key] for key in clusters])
    deviations = np.asarray(values, dtype=float)
    deviations = deviations - deviations.mean()
    return _cr2_of(np.bincount(codes, weights=deviations).tolist(), np.bincount(codes).tolist())


def _cr2_of(sums: Sequence[float], counts: Sequence[int]) -> _Spread:
    """The same from each cluster's sum of deviations and number of values."""
    import numpy as np

    total = sum(counts)
    squares, sizes = np.asarray(sums, dtype=float) ** 2, np.asarray(counts) / total
    leverage = sizes**2 / (1 - sizes)
    variance = float((squares / (1 - sizes)).sum()) / total**2
    df = 1 / float((sizes**2).sum() + leverage.sum() ** 2 - (leverage**2).sum())
    return _Spread(variance, df, len(sizes))


def _interval_of_equal(value: float, clusters: int) -> Interval:
    unseen = 1 - ((1 - CONFIDENCE) / 2) ** (1 / clusters)
    return Interval(value * (1 - unseen), value + unseen * (100 - value), clusters - 1.0, clusters)


def _expit(logit: float) -> float:
    """The score from 0 to 100 that has this logit, without overflow."""
    return 100 / (1 + exp(-logit)) if logit > -700 else 0.0


def _t_quantile(df: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + CONFIDENCE) / 2))


def z_quantile() -> float:
    """The quantile of the normal distribution that a two-sided interval takes."""
    from scipy.special import ndtri

    return float(ndtri((1 + CONFIDENCE) / 2))
