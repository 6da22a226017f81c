"""A figure of agreement with its interval, and the two ways in which intervals are made."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import atanh, sqrt, tanh

from reportgen.analysis.calibration.design import Design, jackknife
from reportgen.analysis.spread import t_quantile, z_quantile
from reportgen.model.run import Estimate

ONE_SIDED = 0.95
_NOTHING = 1e-12
"""Variances below this are rounding errors of one that is 0."""
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A figure with its 95 % interval; None with the reason where there is none.

    `error` is its standard error. `least` is the bound above which it lies with 95 % confidence, for figures that a
    gate looks at. `n` is how many turns it rests on.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    error: float | None = None
    least: float | None = None
    undefined: str | None = None

    def rounded(self) -> "Coefficient":
        """The same with six decimals, as it is stored."""
        return Coefficient(
            to_stored(self.value),
            to_stored(self.low),
            to_stored(self.high),
            self.n,
            to_stored(self.error),
            to_stored(self.least),
            self.undefined,
        )


def to_stored(value: float | None) -> float | None:
    """A figure with six decimals, as it is stored, and no negative zero."""
    return None if value is None else round(float(value), _DECIMALS) + 0.0


def to_estimate(found: Coefficient) -> Estimate:
    """A figure as a record keeps it, with six decimals."""
    kept = found.rounded()
    value = None if kept.value is None else Fraction(repr(kept.value))
    return Estimate(value=value, low=kept.low, high=kept.high, n=kept.n, undefined=kept.undefined)


def no_figure(n: int, reason: str) -> Coefficient:
    """A figure that there is none of."""
    return Coefficient(None, n=n, undefined=reason)


def bend(value: float, error: float, n: int, df: float | None = None) -> Coefficient:
    """A coefficient of -1 to 1 with an interval on the scale of atanh, so that it stays inside.

    Its half width there is q·SE/(1 - value²), by the delta method; q is normal, or of t where there is a df.

    >>> bend(0.676, 0.0734, 105).rounded()
    Coefficient(value=0.676, low=0.505588, high=0.795647, n=105, error=0.0734, least=0.536607, undefined=None)
    """
    if abs(value) >= 1 or error**2 <= _NOTHING:
        return Coefficient(value, n=n, undefined="no spread to build an interval on")
    both, one = (z_quantile(), z_quantile(ONE_SIDED)) if df is None else (t_quantile(df), t_quantile(df, ONE_SIDED))
    step, centre = error / (1 - value**2), atanh(value)
    low, high, least = (tanh(centre + factor * step) for factor in (-both, both, -one))
    return Coefficient(value, low, high, n, error, least)


def straighten(value: float, error: float, n: int, df: float) -> Coefficient:
    """A figure with its t interval.

    >>> straighten(0.8493305, 0.0431976, 100, 99).rounded()
    Coefficient(value=0.84933, low=0.763617, high=0.935044, n=100, error=0.043198, least=None, undefined=None)
    """
    if error**2 <= _NOTHING:
        return Coefficient(value, n=n, undefined="no spread to build an interval on")
    half = t_quantile(df) * error
    return Coefficient(value, value - half, value + half, n, error)


def cut(found: Coefficient) -> Coefficient:
    """A coefficient with its bounds cut to -1 to 1, beyond which it cannot lie."""
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(-1.0, found.low), high=min(1.0, found.high))


def from_jackknife(
    statistic: Callable[..., float | None], design: Design, why_none: str, *, bent: bool = False
) -> Coefficient:
    """A figure over weighted turns, with a jackknife interval.

    Args:
        statistic: Gives the figure from the weights of the turns; None where there is none.
        design: How the turns were drawn.
        why_none: Why there is none.
        bent: Whether its interval is to stay inside -1 to 1.
    """
    n, value = len(design.weights), statistic(design.weights)
    if value is None:
        return no_figure(n, why_none)
    spread = jackknife(statistic, design)
    if spread is None:
        return Coefficient(value, n=n, undefined="it rests on single turns, which gives no interval")
    error = sqrt(spread.variance)
    return bend(value, error, n, spread.df) if bent else straighten(value, error, n, spread.df)
