"""The slope of scores over days, with days as clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from reportgen.analysis.spread import t_quantile, two_sided_p
from reportgen.model.run import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_DAYS = 7

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Slope:
    """How many points a day the scores rise or fall, by least squares; `p_value` is two-sided."""

    estimate: Estimate
    p_value: float | None = None


def estimate_slope(days: Sequence[tuple[int, Sequence[Fraction]]]) -> Slope:
    """The slope over days, with the CR2 variance and the degrees of freedom of Bell and McCaffrey (2002).

    It assumes that days are independent of one another. With one turn a day it is the slope of ordinary least squares
    with the HC2 standard error.

    >>> days = [(day, [Fraction(score)]) for day, score in enumerate((70, 72, 71, 75, 74, 78, 77))]
    >>> found = estimate_slope(days).estimate
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (Fraction(9, 7), 0.652, 1.919)

    Args:
        days: The number of each day, ascending, with the scores of its turns.
    """
    turns = sum(len(scores) for _, scores in days)
    if len(days) < MIN_DAYS:
        return Slope(Estimate(n=turns, undefined="too short"))
    if len({score for _, scores in days for score in scores}) == 1:
        return Slope(Estimate(value=Fraction(0), n=turns, undefined=f"all {turns} scores are equal"))
    value, spread = _fit(days, turns)
    if spread is None:
        return Slope(Estimate(value=value, n=turns, undefined="the days lie on one line"))
    variance, df = spread
    half = t_quantile(df) * sqrt(variance)
    estimate = Estimate(
        value=value,
        low=round(float(value) - half, _DECIMALS),
        high=round(float(value) + half, _DECIMALS),
        n=turns,
        clusters=len(days),
        by="day",
        df=round(df, _DECIMALS),
    )
    return Slope(estimate, round(two_sided_p(float(value) / sqrt(variance), df), _DECIMALS))


def _fit(days: Sequence[tuple[int, Sequence[Fraction]]], turns: int) -> tuple[Fraction, tuple[float, float] | None]:
    """The slope, exactly, and its variance with the degrees of freedom."""
    import numpy as np

    middle = Fraction(sum(day * len(scores) for day, scores in days), turns)
    sums = [sum(scores, Fraction(0)) for _, scores in days]
    mean = sum(sums, Fraction(0)) / turns
    apart = [day - middle for day, _ in days]
    squares = sum((gap**2 * len(scores) for gap, (_, scores) in zip(apart, days, strict=True)), Fraction(0))
    value = sum((gap * total for gap, total in zip(apart, sums, strict=True)), Fraction(0)) / squares
    left = [
        total - len(scores) * (mean + value * gap) for gap, total, (_, scores) in zip(apart, sums, days, strict=True)
    ]
    counts = np.array([len(scores) for _, scores in days], dtype=float)
    scaled = np.array([float(gap) for gap in apart])
    return value, _spread(counts, scaled, np.array([float(item) for item in left]), float(squares))


def _spread(
    counts: "NDArray[np.float64]", apart: "NDArray[np.float64]", left: "NDArray[np.float64]", squares: float
) -> tuple[float, float] | None:
    """In closed form, since all turns of a day share their place on the line; None where nothing is left over."""
    import numpy as np

    leverage = 1 / counts.sum() + np.outer(apart, apart) / squares
    room = 1 - counts * np.diag(leverage)
    weights = apart / squares / np.sqrt(room)
    variance = float(((weights * left) ** 2).sum())
    if not variance > 0:
        return None
    whole = np.diag(counts * weights**2) - np.outer(counts * weights, counts * weights) * leverage
    return variance, float(np.trace(whole) ** 2 / (whole**2).sum())
