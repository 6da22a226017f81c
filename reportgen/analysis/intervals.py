"""Interval estimates of means and shares, with clusters; closed forms, no chance involved."""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, floor, log, sqrt

from reportgen.analysis.spread import (
    CONFIDENCE,
    mean_of,
    spread_of_mean,
    spread_of_sums,
    t_quantile,
    unseen_mass,
    z_quantile,
)

MEDIAN_NEEDS = 6
"""The number of independent values below which an interval of the median would hold it less often than stated."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds in the unit of the figure, with the degrees of freedom and the number of clusters behind them."""

    low: float
    high: float
    df: float
    clusters: int


def mean_interval(
    values: Sequence[float], clusters: Sequence[Hashable], weights: Sequence[float] | None = None
) -> Interval | None:
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
        weights: How many turns each score stands for; None where each stands for one.
    """
    count = len(set(clusters))
    if count < 2:
        return None
    if min(values) == max(values):
        return _interval_of_equal(values[0], count)
    mean = mean_of(values, weights)
    if not 0 < mean < 100:
        return _interval_of_equal(mean, count)
    spread = spread_of_mean(values, clusters, weights)
    half = t_quantile(spread.df) * sqrt(spread.variance) * 100 / (mean * (100 - mean))
    centre = log(mean / (100 - mean))
    return Interval(_expit(centre - half), _expit(centre + half), spread.df, spread.clusters)


def median_interval(values: Sequence[float], clusters: Sequence[Hashable]) -> Interval | None:
    """95 % interval for a median; None with fewer than six values, or with too few clusters.

    With each value its own cluster, it runs between order statistics: from the k-th value to the k-th from above, with
    the largest k for which a sign test does not reject (David and Nagaraja 2003, section 7.1). With clusters, the
    ranks are those of Woodruff (1952): half plus and minus t·√V, V being the CR2 variance of the share of values below
    the median. Ties make it wider than need be.

    >>> interval = median_interval([70, 75, 80, 85, 90, 95], range(6))
    >>> interval.low, interval.high
    (70, 95)

    Args:
        values: On any scale.
        clusters: For each value what it depends on others by, such as a client.
    """
    size, count = len(values), len(set(clusters))
    if count < MEDIAN_NEEDS:
        return None
    ordered = sorted(values)
    if count == size or ordered[0] == ordered[-1]:
        rank, df = _rank_of_sign_test(size), count - 1.0
    else:
        rank, df = _rank_of_woodruff(ordered, values, clusters)
    return Interval(ordered[rank - 1], ordered[size - rank], df, count) if rank >= 1 else None


def _rank_of_sign_test(size: int) -> int:
    """The largest k with 2·P(Bin(n, 1/2) < k) of at most 5 %.

    >>> [_rank_of_sign_test(size) for size in (5, 6, 20, 100)]
    [0, 1, 6, 40]
    """
    from scipy.special import bdtr

    tail = (1 - CONFIDENCE) / 2
    return bisect_right(range(1, size // 2 + 1), tail, key=lambda rank: float(bdtr(rank - 1, size, 0.5)))


def _rank_of_woodruff(
    ordered: Sequence[float], values: Sequence[float], clusters: Sequence[Hashable]
) -> tuple[int, float]:
    """The lower rank, below 1 where there is none, and the degrees of freedom."""
    middle = ordered[(len(ordered) - 1) // 2]
    splits = [[float(value < middle) for value in values], [float(value <= middle) for value in values]]
    below = min(splits, key=lambda split: abs(sum(split) / len(split) - 0.5))
    share, spread = sum(below) / len(below), spread_of_mean(below, clusters)
    design = spread.variance / (share * (1 - share))
    half = t_quantile(spread.df) * sqrt(max(design, 1 / len(values)) / 4)
    return floor(len(values) * (0.5 - half)), spread.df


def share_interval(
    hits: Sequence[bool], clusters: Sequence[Hashable], weights: Sequence[float] | None = None
) -> Interval | None:
    """95 % Wilson interval for a share, 0 to 1; None without any value, or where all are of one cluster.

    With clusters the count is replaced by the effective one, and the normal quantile by that of t. Wilson (1927);
    0 and 1 are exact where no or each value hits.

    >>> interval = share_interval([True] * 8 + [False] * 2, range(10))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    if not hits:
        return None
    share, count = mean_of(hits, weights), len(set(clusters))
    if count == len(hits) and weights is None:
        return wilson(share, len(hits), z_quantile(), float(len(hits) - 1), count)
    if count == 1:
        return None
    if share in (0, 1):
        return wilson(share, count, z_quantile(), count - 1.0, count)
    spread = spread_of_mean([float(hit) for hit in hits], clusters, weights)
    size = min(float(len(hits)), share * (1 - share) / spread.variance)
    return wilson(share, size, t_quantile(spread.df), spread.df, count)


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
        return wilson(share, total, z_quantile(), float(total - 1), count)
    if share in (0, 1):
        return wilson(share, count, z_quantile(), count - 1.0, count)
    spread = spread_of_sums([hit - share * size for hit, size in zip(hits, sizes, strict=True)], sizes)
    variance = spread.variance or share * (1 - share) / (total - 1)
    size = min(float(total), share * (1 - share) / variance)
    return wilson(share, size, t_quantile(spread.df), spread.df, count)


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
    spread = spread_of_mean(differences, clusters)
    mean, half = sum(differences) / len(differences), t_quantile(spread.df) * sqrt(spread.variance)
    return Interval(mean - half, mean + half, spread.df, spread.clusters)


def wilson(share: float, size: float, quantile: float, df: float, clusters: int) -> Interval:
    """Wilson's interval (1927) for a share of so many values, which need not be a whole number.

    >>> interval = wilson(0.9, 20, z_quantile(), 19, 20)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.699, 0.9721)
    """
    widening = quantile**2 / size
    centre = (share + widening / 2) / (1 + widening)
    half = quantile * sqrt(share * (1 - share) / size + widening / (4 * size)) / (1 + widening)
    low = 0.0 if share == 0 else max(centre - half, 0.0)
    high = 1.0 if share == 1 else min(centre + half, 1.0)
    return Interval(low, high, df, clusters)


def _interval_of_equal(value: float, clusters: int) -> Interval:
    unseen = unseen_mass(clusters)
    return Interval(value * (1 - unseen), value + unseen * (100 - value), clusters - 1.0, clusters)


def _expit(logit: float) -> float:
    """The score from 0 to 100 that has this logit, without overflow."""
    return 100 / (1 + exp(-logit)) if logit > -700 else 0.0
