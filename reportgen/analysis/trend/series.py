"""Which points of a series lie below what the series and its noise allow."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean, variance

from reportgen.analysis.against_rest import LEAST_POINTS, LEVEL
from reportgen.analysis.multiplicity import adjust_holm
from reportgen.analysis.spread import t_quantile
from reportgen.model.run import Estimate

MIN_EARLIER = 3
"""A point with fewer earlier ones to go by is not tested."""

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the earlier points of a series lead to expect of a point, 0 to 100.

    `expected` is their mean, `earlier` how many there are, `lowest` the least mean that they and the noise of all of
    them allow, taken by itself. `p_value` is one-sided, after Holm over the tested points. `fell` says that it is at
    most 0.05 and the mean at least 2 points below what was expected.
    """

    expected: float
    lowest: float
    earlier: int
    p_value: float
    fell: bool


@dataclass(frozen=True, slots=True)
class _Measured:
    mean: float
    variance: float
    df: float


@dataclass(frozen=True, slots=True)
class _Forecast:
    expected: float
    error: float
    df: float
    earlier: int


def judge_series(means: Sequence[Estimate], groups: Sequence[Hashable]) -> tuple[Expectation | None, ...]:
    """Holds each point against the earlier ones of its group.

    The forecast is the mean of the earlier points. Its squared error is the noise of the point, that of the earlier
    ones, and what these vary beyond their noise (the method of moments of DerSimonian and Laird 1986, unweighted), with
    the degrees of freedom of Satterthwaite (1946). It assumes that points are of different turns, and that a series
    without a fall varies around one level. A point without an interval, or with fewer than three earlier ones that have
    one, is None.

    Args:
        means: The points in the order of time, each a mean of scores.
        groups: For each point what it may be compared within, such as its instrument.
    """
    measured = [_measure(mean) for mean in means]
    forecasts: list[_Forecast | None] = []
    for place, (point, group) in enumerate(zip(measured, groups, strict=True)):
        earlier = [item for item, of in zip(measured[:place], groups, strict=False) if item and of == group]
        forecasts.append(_forecast(point, earlier) if point and len(earlier) >= MIN_EARLIER else None)
    pairs = list(zip(measured, forecasts, strict=True))
    p_values = [_test(point, forecast) if point and forecast else None for point, forecast in pairs]
    return tuple(
        _expect(point, forecast, p_value) if point and forecast and p_value is not None else None
        for (point, forecast), p_value in zip(pairs, adjust_holm(p_values), strict=True)
    )


def error_of(mean: Estimate) -> float | None:
    """The standard error behind the interval of a mean from 0 to 100, which is one of t on the logit scale.

    Where an end of the interval is an end of the scale, it is the wider side over the quantile; None without interval.

    The standard error of these five scores is the root of 18.5.

    >>> from fractions import Fraction
    >>> from reportgen.analysis.intervals import mean_interval
    >>> found = mean_interval([80, 90, 70, 85, 95], range(5))
    >>> round(error_of(Estimate(value=Fraction(84), low=found.low, high=found.high, n=5, df=4.0)), 4)
    4.3012
    """
    if mean.value is None or mean.low is None or mean.high is None or not mean.df:
        return None
    value, quantile = float(mean.value), t_quantile(mean.df)
    if not 0 < mean.low < mean.high < 100:
        return max(value - mean.low, mean.high - value) / quantile
    half = (log(mean.high / (100 - mean.high)) - log(mean.low / (100 - mean.low))) / 2
    return half / quantile * value * (100 - value) / 100


def _measure(mean: Estimate) -> _Measured | None:
    error = error_of(mean)
    if not error or mean.value is None or mean.df is None:
        return None
    return _Measured(float(mean.value), error**2, mean.df)


def _forecast(point: _Measured, earlier: Sequence[_Measured]) -> _Forecast:
    count, seen = len(earlier), variance([item.mean for item in earlier])
    noise = fmean(item.variance for item in earlier)
    beyond = max(seen - noise, 0.0) * (1 + 1 / count)
    total = point.variance + noise / count + beyond
    parts = point.variance**2 / point.df + sum((item.variance / count**2) ** 2 / item.df for item in earlier)
    if beyond:
        parts += (seen * (1 + 1 / count)) ** 2 / (count - 1)
    return _Forecast(fmean(item.mean for item in earlier), sqrt(total), total**2 / parts, count)


def _test(point: _Measured, forecast: _Forecast) -> float:
    from scipy.special import stdtr

    return float(stdtr(forecast.df, (point.mean - forecast.expected) / forecast.error))


def _expect(point: _Measured, forecast: _Forecast, p_value: float) -> Expectation:
    lowest = forecast.expected - t_quantile(forecast.df, 1 - LEVEL) * forecast.error
    return Expectation(
        expected=round(forecast.expected, _DECIMALS),
        lowest=round(max(lowest, 0.0), _DECIMALS),
        earlier=forecast.earlier,
        p_value=round(p_value, _DECIMALS),
        fell=p_value <= LEVEL and point.mean <= forecast.expected - LEAST_POINTS,
    )
