"""Whether two rankings go together."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh

from reportgen.analysis.spread import z_quantile

_LEAST_FOR_INTERVAL = 4


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho, -1 to 1, with its 95 % interval; None with the reason where there is none."""

    rho: float | None
    low: float | None
    high: float | None
    n: int
    undefined: str | None = None


def correlate_ranks(xs: Sequence[float], ys: Sequence[float]) -> Correlation:
    """Spearman's rho as Pearson's r of the mid-ranks, right with ties, with the interval of Bonett and Wright (2000).

    The example is that of R's statpsych, ci.spear.

    >>> x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]
    >>> y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
    >>> found = correlate_ranks(x, y)
    >>> [round(value, 6) for value in (found.rho, found.low, found.high)]
    [0.869964, 0.584095, 0.96383]

    Args:
        xs: One value for each unit.
        ys: The other, in the same order.
    """
    count = len(xs)
    if count < 3:
        return Correlation(None, None, None, count, "a rank correlation needs 3 turns or more")
    if min(xs) == max(xs) or min(ys) == max(ys):
        return Correlation(None, None, None, count, "one side is the same for all")
    rho = _pearson(_mid_ranks(xs), _mid_ranks(ys))
    if count < _LEAST_FOR_INTERVAL or abs(rho) == 1:
        why = "the ranks agree throughout" if abs(rho) == 1 else "an interval needs 4 turns or more"
        return Correlation(rho, None, None, count, why)
    half = z_quantile() * sqrt((1 + rho**2 / 2) / (count - 3))
    return Correlation(rho, tanh(atanh(rho) - half), tanh(atanh(rho) + half), count)


def _mid_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, counted from 1; equal values share the mean of their ranks.

    >>> _mid_ranks([5, 7, 5, 9])
    [1.5, 3.0, 1.5, 4.0]
    """
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), start=1):
        places.setdefault(value, []).append(rank)
    return [(places[value][0] + places[value][-1]) / 2 for value in values]


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Ranks are halves, so the sums are exact; only the root is not."""
    mean = (len(xs) + 1) / 2
    together = sum((x - mean) * (y - mean) for x, y in zip(xs, ys, strict=True))
    alone = sum((x - mean) ** 2 for x in xs) * sum((y - mean) ** 2 for y in ys)
    return 1.0 if together**2 == alone and together > 0 else -1.0 if together**2 == alone else together / sqrt(alone)
