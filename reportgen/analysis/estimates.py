"""Means and shares of turns as estimates: value, interval, and what the interval rests on."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from reportgen.analysis.contrasts import Contrast
from reportgen.analysis.exact import in_order, total_of
from reportgen.analysis.intervals import (
    Interval,
    difference_interval,
    mean_interval,
    median_interval,
    pooled_share_interval,
    share_interval,
)
from reportgen.analysis.rows import Grouped, TurnRow
from reportgen.analysis.units import choose_clusters
from reportgen.model.run import Estimate

_DECIMALS = 6


def estimate_mean(rows: Sequence[TurnRow]) -> Estimate:
    """The mean score of the scored turns, 0 to 100, with its 95 % interval."""
    scores = [row.score.score for row in rows if row.score.score is not None]
    scored = [row for row in rows if row.score.score is not None]
    if not scores:
        return Estimate(n=0, undefined="no turn was scored" if rows else "no turns")
    by, clusters = choose_clusters(scored)
    interval = mean_interval([float(score) for score in scores], clusters, weights_of(scored))
    value = average(scores, scored)
    return _estimate(value, len(scores), interval, by, f"one {by} gives no interval")


def estimate_median(rows: Sequence[TurnRow]) -> Estimate:
    """The median score of the scored turns, 0 to 100, with its 95 % interval."""
    scored = [row for row in rows if row.score.score is not None]
    scores = [row.score.score for row in scored if row.score.score is not None]
    if not scores:
        return Estimate(n=0, undefined="no turn was scored" if rows else "no turns")
    if weights_of(scored) is not None:
        return Estimate(n=len(scored), undefined="the turns of a drawn sample do not stand for equally many")
    by, clusters = choose_clusters(scored)
    interval = median_interval([float(score) for score in scores], clusters)
    units = " or ".join(f"{unit}s" for unit in by.split(" or "))
    ordered = in_order(scores)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return _estimate(middle, len(scores), interval, by, f"too few {units} for an interval of the median")


def estimate_share(rows: Sequence[TurnRow], hit: Callable[[TurnRow], bool]) -> Estimate:
    """The share of turns that hit, 0 to 1, with its 95 % interval."""
    if not rows:
        return Estimate(n=0, undefined="no turn was scored")
    by, clusters = choose_clusters(rows)
    hits = [hit(row) for row in rows]
    interval = share_interval(hits, clusters, weights_of(rows))
    value = average([Fraction(held) for held in hits], rows)
    return _estimate(value, len(hits), interval, by, f"one {by} gives no interval")


def estimate_hits(rows: Sequence[Grouped], hits: Sequence[bool]) -> Estimate:
    """The share of some turns that hit, each counted as one, 0 to 1, with its 95 % interval.

    Args:
        rows: The turns.
        hits: For each of them whether it hits.
    """
    if not rows:
        return Estimate(n=0, undefined="no turn has both scores")
    by, clusters = choose_clusters(rows)
    interval = share_interval(hits, clusters)
    return _estimate(Fraction(sum(hits), len(hits)), len(hits), interval, by, f"one {by} gives no interval")


def average(values: Sequence[Fraction], rows: Sequence[TurnRow]) -> Fraction:
    """The exact mean of a value of some turns, over all captured turns that they stand for.

    Args:
        values: At least one.
        rows: The turn of each value.
    """
    if weights_of(rows) is None:
        return total_of(values) / len(values)
    products = [value * row.weight for value, row in zip(values, rows, strict=True)]
    return total_of(products) / total_of([row.weight for row in rows])


def weights_of(rows: Sequence[TurnRow]) -> list[float] | None:
    """How many turns each stands for; None where all stand for equally many."""
    if all(row.drawn is None for row in rows):
        return None
    return None if len({row.weight for row in rows}) <= 1 else [float(row.weight) for row in rows]


def estimate_difference(rows: Sequence[Grouped], differences: Sequence[Fraction]) -> Estimate:
    """The mean of paired differences of scores, in points, with its 95 % interval.

    Args:
        rows: The turns that were compared.
        differences: For each of them the one score minus the other.
    """
    if not rows:
        return Estimate(n=0, undefined="no turn has both scores")
    by, clusters = choose_clusters(rows)
    interval = difference_interval([float(value) for value in differences], clusters)
    equal = len(rows) > 1 and len(set(differences)) == 1
    why_none = f"all {len(rows)} differences are equal" if equal else f"one {by} gives no interval"
    return _estimate(total_of(differences) / len(rows), len(rows), interval, by, why_none)


def estimate_contrast(contrast: Contrast, n: int) -> Estimate:
    """The difference of two independent means, in points, with its 95 % interval.

    Args:
        contrast: Of the two means.
        n: How many turns the first of them is over.
    """
    value = Fraction(repr(round(contrast.difference, _DECIMALS)))
    if contrast.low is None or contrast.high is None or contrast.df is None:
        return Estimate(value=value, n=n, undefined="one side has a single unit, which gives no interval")
    low, high = round(contrast.low, _DECIMALS), round(contrast.high, _DECIMALS)
    return Estimate(value=value, low=low, high=high, n=n, df=round(contrast.df, _DECIMALS))


def estimate_pairs(pairs: Sequence[tuple[int, int]]) -> Estimate:
    """The share of pairs that hit, 0 to 1, with its 95 % interval; the pairs of one turn depend on one another.

    Args:
        pairs: For each turn how many of its pairs hit, and how many it has, at least one.
    """
    hits, sizes = [hit for hit, _ in pairs], [size for _, size in pairs]
    if not sizes:
        return Estimate(n=0, undefined="no turn was read more than once")
    interval = pooled_share_interval(hits, sizes)
    return _estimate(Fraction(sum(hits), sum(sizes)), sum(sizes), interval, "turn", "one turn gives no interval")


def _estimate(value: Fraction, n: int, interval: Interval | None, by: str, why_none: str) -> Estimate:
    if interval is None:
        return Estimate(value=value, n=n, by=by, undefined=why_none)
    return Estimate(
        value=value,
        low=round(interval.low, _DECIMALS),
        high=round(interval.high, _DECIMALS),
        n=n,
        clusters=interval.clusters,
        by=by,
        df=round(interval.df, _DECIMALS),
    )
