"""Two one-sided tests: does a mean lie within a margin of 0, and how likely is that to be found?"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from reportgen.analysis.spread import POWER, t_quantile

NARROW: Final = 0.95
"""The quantile of the 90 % interval, which lies within the margin where both one-sided tests reject at 5 %."""
LEAST: Final = 3
MOST: Final = 1_000_000
"""Values beyond which no number is told."""

_NODES = 100


@dataclass(frozen=True, slots=True)
class Tost:
    """Both one-sided tests: that the mean is above the lower end of the margin, and that it is below the upper one."""

    t_low: float
    p_low: float
    t_high: float
    p_high: float

    @property
    def p_value(self) -> float:
        """That of the equivalence: the larger of both."""
        return max(self.p_low, self.p_high)


def run_tost(mean: float, error: float, df: float, margin: float) -> Tost:
    """The two one-sided tests of Schuirmann (1987) for a mean within plus and minus a margin.

    The example is of Lakens (2017), from the tests of TOSTER: 65 pairs, means 5.83 and 5.75.

    >>> found = run_tost(0.08, 0.876955 / 65**0.5, 64, 0.4 * 0.876955)
    >>> [round(value, 5) for value in (found.t_low, found.p_low, found.t_high, found.p_high)]
    [3.96038, 0.0001, -2.48943, 0.0077]

    Args:
        mean: The mean difference.
        error: Its standard error, above 0.
        df: The degrees of freedom behind that.
        margin: How far it may be from 0, above 0.
    """
    from scipy.special import stdtr

    low, high = (mean + margin) / error, (mean - margin) / error
    return Tost(low, float(stdtr(df, -low)), high, float(stdtr(df, high)))


def equivalence_power(error: float, df: float, margin: float) -> float:
    """How likely the 90 % interval lies within the margin where the true mean is 0, 0 to 1.

    Exact for normal differences: the probability given the estimated standard error, integrated over the chi
    distribution of that (Owen's Q; Phillips 1990). Gauss-Legendre on the probability scale of its square.

    >>> round(equivalence_power(8 / 63**0.5, 62, 3.0), 4)
    0.806

    Args:
        error: The standard error of the mean, above 0.
        df: The degrees of freedom behind it.
        margin: How far the mean may be from 0, above 0.
    """
    import numpy as np
    from scipy.special import gammainc, gammaincinv, ndtr

    half = t_quantile(df, NARROW) * error
    reach = float(gammainc(df / 2, df / 2 * (margin / half) ** 2))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    estimated = np.sqrt(2 / df * gammaincinv(df / 2, (nodes + 1) / 2 * reach))
    within = 2 * ndtr((margin - half * estimated) / error) - 1
    return float(min(max((weights * within).sum() / 2 * reach, 0.0), 1.0))


def values_needed(deviation: float, margin: float, independent: float = 1.0) -> int | None:
    """The fewest values that find a true mean of 0 equivalent four times in five; None beyond a million.

    >>> [values_needed(deviation, 3.0) for deviation in (4.0, 8.0, 12.0)]
    [17, 63, 139]

    Args:
        deviation: The standard deviation of one value; with clusters that which makes the same error of the mean.
        margin: How far the mean may be from 0, above 0.
        independent: How many degrees of freedom, and one, there are to a value; 1 without clusters.
    """

    def is_enough(count: int) -> bool:
        df = max(count * independent - 1, 1.0)
        return equivalence_power(deviation / sqrt(count), df, margin) >= POWER

    low = high = LEAST
    while not is_enough(high):
        if high >= MOST:
            return None
        low, high = high + 1, min(2 * high, MOST)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low
