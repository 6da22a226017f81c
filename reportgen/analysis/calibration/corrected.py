"""Figures of a run as people would have it: the judge's, corrected by what the labels say of its errors."""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from reportgen.analysis.calibration.coefficients import Coefficient, no_figure
from reportgen.analysis.calibration.design import Design
from reportgen.analysis.spread import t_quantile, z_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POOR_AT_LEAST: Final = 10
LABELS_FOR_SHARE: Final = 50
LABELS_FOR_MEAN: Final = 20
_NO_BETTER = "the judge tells poor turns from others no better than chance"


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of so many turns, which need not be a whole number."""

    share: float
    size: float


def correct_share(found: Rate, sensitivity: Rate, specificity: Rate) -> Coefficient:
    """The share of poor turns as people see it, by Rogan and Gladen (1978).

    Its interval is that of Lang and Reiczigel (2014). None where sensitivity and specificity add up to 1 or less.

    >>> known = correct_share(Rate(259 / 509, 509), Rate(84 / 127, 127), Rate(96 / 109, 109))
    >>> round(known.value, 3), round(known.low, 3), round(known.high, 3)
    (0.719, 0.585, 0.866)

    Args:
        found: The share that the judge finds, and in how many turns.
        sensitivity: The judge's, and by how many turns that people found poor.
        specificity: The judge's, and by how many others.
    """
    if sensitivity.share + specificity.share <= 1:
        return no_figure(int(found.size), _NO_BETTER)
    z = z_quantile()
    p, n = (found.size * found.share + z * z / 2) / (found.size + z * z), found.size + z * z
    (q1, m1), (q0, m0) = (_add_two(rate) for rate in (sensitivity, specificity))
    centre, scale = (p + q0 - 1) / (q1 + q0 - 1), q1 + q0 - 1
    if scale <= 0:
        return no_figure(int(found.size), _NO_BETTER)
    by_poor, by_others = q1 * (1 - q1) / m1, q0 * (1 - q0) / m0
    shift = 2 * z * z * (centre * by_poor - (1 - centre) * by_others)
    error = sqrt(p * (1 - p) / n + (1 - centre) ** 2 * by_others + centre**2 * by_poor) / scale
    value = rogan_gladen(found.share, sensitivity.share, specificity.share)
    low, high = (_within(centre + shift + factor * error) for factor in (-z, z))
    return Coefficient(value, min(low, value), max(high, value), int(found.size))


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """The true share behind a found one, moved to 0 to 1. The example is that of R's RSurveillance, tp.

    >>> round(rogan_gladen(20 / 120, 0.9, 0.99), 5)
    0.17603
    """
    return _within((share + specificity - 1) / (sensitivity + specificity - 1))


def _add_two(rate: Rate) -> tuple[float, float]:
    """One hit and one miss more, as Agresti and Coull have it."""
    return (rate.size * rate.share + 1) / (rate.size + 2), rate.size + 2


def _within(share: float) -> float:
    return min(max(share, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class RunMean:
    """The mean that the judge gave a whole run, and how many turns it is over.

    `variance` is that of the mean, `spread` that of the scores, over labelled and unlabelled turns. `holds_labelled`
    says that the labelled turns are among those of the run, as they are but in published examples.
    """

    mean: float
    variance: float
    spread: float
    turns: int
    holds_labelled: bool = True


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """The mean as people would have it; `trust` is the λ by which the judge's scores are used, 0 to 1."""

    mean: Coefficient
    trust: float | None


def correct_mean(
    run: RunMean, judge: "NDArray[np.float64]", people: "NDArray[np.float64]", design: Design
) -> CorrectedMean:
    """The mean of people's scores over the run by PPI++ (Angelopoulos, Duchi and Zrnic 2023), stratified.

    λ·F + Σ ω(y - λf), where F is the judge's mean over the run, y and f are people's and the judge's scores of the
    labelled turns, and ω is the part of production that each stands for. λ = cov(y, f) / var f, with var f over the
    whole run, within 0 to 1, and one for all strata, since single ones hold too few turns; where the labelled turns are
    none of the run's N, it is divided by 1 + n/N. The variance is λ²·V(F) + Σ_h W_h²·s_h²/n_h + 2λ·cov(f, y - λf)/N,
    where s_h² is that of y - λf in stratum h and W_h its part of production (Fisch et al. 2024); the last term is there
    only where the labelled turns are of the run, and 0 unless λ was cut. The interval is of t with as many degrees of
    freedom as there are labelled turns beyond the strata. None with fewer than 20 labelled turns.

    Args:
        run: What the judge gave all turns.
        judge: Its scores of the labelled turns.
        people: Theirs.
        design: How the labelled turns were drawn.
    """
    import numpy as np

    n = len(judge)
    if n < LABELS_FOR_MEAN:
        return CorrectedMean(no_figure(n, f"fewer than {LABELS_FOR_MEAN} labelled turns"), None)
    parts = design.weights / design.weights.sum()
    together = _covary(judge, people, parts)
    trust = (
        _within(together / (run.spread * (1 if run.holds_labelled else 1 + n / run.turns))) if run.spread > 0 else 0.0
    )
    rest = people - trust * judge
    value = trust * run.mean + float((parts * rest).sum())
    variance = trust**2 * run.variance + _stratified_variance(rest, parts, design)
    if run.holds_labelled:
        variance += max(0.0, 2 * trust * (together - trust * run.spread) / run.turns)
    df = float(n - 1 - design.strata.max())
    half = t_quantile(df) * sqrt(variance)
    low, high = max(0.0, value - half), min(100.0, value + half)
    value = float(np.clip(value, 0.0, 100.0))
    return CorrectedMean(Coefficient(value, low, high, n, sqrt(variance)), trust)


def _covary(ones: "NDArray[np.float64]", others: "NDArray[np.float64]", parts: "NDArray[np.float64]") -> float:
    return float((parts * (ones - (parts * ones).sum()) * (others - (parts * others).sum())).sum())


def _stratified_variance(values: "NDArray[np.float64]", parts: "NDArray[np.float64]", design: Design) -> float:
    """Of a weighted mean: in each stratum n/(n - 1) times the sum of squared deviations, each by its part."""
    variance = 0.0
    for stratum in range(int(design.strata.max()) + 1):
        own = design.strata == stratum
        held, share = values[own], parts[own]
        scores = share * (held - (share * held).sum() / share.sum())
        variance += len(held) / max(1, len(held) - 1) * float((scores**2).sum())
    return variance
