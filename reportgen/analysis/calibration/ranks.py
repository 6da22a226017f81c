"""Spearman's rho, plain or of turns that stand for unequally many."""

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

from reportgen.analysis.calibration.coefficients import Coefficient, from_jackknife, no_figure
from reportgen.analysis.calibration.design import Design
from reportgen.analysis.correlation import correlate_ranks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

_CONSTANT = "one side is the same for all"


def measure_rho(xs: Sequence[float], ys: Sequence[float], design: Design | None = None) -> Coefficient:
    """Spearman's rho as Pearson's r of the mid-ranks.

    Its interval is that of Bonett and Wright (2000). With a design the ranks are those in production, where each turn
    stands for so many, and the interval is by the jackknife on the scale of atanh.

    Args:
        xs: One value for each turn.
        ys: The other, in the same order.
        design: How the turns were drawn; None where each stands for itself.
    """
    import numpy as np

    plain = correlate_ranks(xs, ys)
    if plain.rho is None or design is None or len(xs) < 4:
        return Coefficient(plain.rho, plain.low, plain.high, plain.n, undefined=plain.undefined)
    ones, others = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    found = from_jackknife(lambda weights: weighted_rho(ones, others, weights), design, _CONSTANT, bent=True)
    return found if found.value is not None else no_figure(len(xs), _CONSTANT)


def weighted_rho(xs: "Vector", ys: "Vector", weights: "Vector") -> float | None:
    """Pearson's r of weighted mid-ranks; None where one side is constant.

    A weight of 2 tells the same as the turn standing there twice.

    >>> import numpy as np
    >>> twice = weighted_rho(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]), np.array([2.0, 1.0, 1.0]))
    >>> round(twice, 6) == round(correlate_ranks([1, 1, 2, 3], [1, 1, 3, 2]).rho, 6)
    True
    """
    import numpy as np

    one, other = _mid_ranks(xs, weights), _mid_ranks(ys, weights)
    one, other = one - np.average(one, weights=weights), other - np.average(other, weights=weights)
    alone = float((weights * one**2).sum()) * float((weights * other**2).sum())
    return None if alone <= 0 else float((weights * one * other).sum()) / sqrt(alone)


def _mid_ranks(values: "Vector", weights: "Vector") -> "Vector":
    """The sum of the weights below each value, and half of those at it."""
    import numpy as np

    _, places = np.unique(values, return_inverse=True)
    at = np.bincount(places, weights=weights)
    ranks: Vector = (np.cumsum(at) - at / 2)[places]
    return ranks
