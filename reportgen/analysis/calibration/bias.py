"""By how many points a judge is kinder than people, and how far apart single turns lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from reportgen.analysis.calibration.coefficients import Coefficient, from_jackknife, no_figure, straighten
from reportgen.analysis.calibration.design import Design

_LIMITS = 1.96


@dataclass(frozen=True, slots=True)
class Bias:
    """The judge's values less those of people.

    `mean` is positive where the judge is kinder. `deviation` is the standard deviation of the differences; 95 of 100
    turns lie between the limits of agreement. These are None with fewer than two turns.
    """

    mean: Coefficient
    deviation: float | None
    lower_limit: float | None
    upper_limit: float | None


def measure_bias(differences: Sequence[float], design: Design | None = None) -> Bias:
    """The mean difference with its interval, and the limits of agreement of Bland and Altman (1986).

    >>> found = measure_bias([1.0, 2.0, 3.0, 4.0])
    >>> found.mean.value, round(found.mean.low, 4), round(found.deviation, 4), round(found.upper_limit, 4)
    (2.5, 0.4457, 1.291, 5.0303)

    Args:
        differences: For each turn the judge's value less that of people.
        design: How the turns were drawn; None where each stands for itself.
    """
    import numpy as np

    n = len(differences)
    if not n:
        return Bias(no_figure(0, "no turn has both"), None, None, None)
    values = np.asarray(differences, dtype=float)
    weights = np.ones(n) if design is None else design.weights
    mean = float(np.average(values, weights=weights))
    if n < 2:
        return Bias(Coefficient(mean, n=n, undefined="one turn gives no interval"), None, None, None)
    deviation = sqrt(float(np.average((values - mean) ** 2, weights=weights)) * n / (n - 1))
    found = straighten(mean, deviation / sqrt(n), n, n - 1)
    if design is not None:
        found = from_jackknife(lambda held: float(np.average(values, weights=held)), design, "no turn has both")
    return Bias(found, deviation, mean - _LIMITS * deviation, mean + _LIMITS * deviation)
