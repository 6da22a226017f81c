"""Agreement of any number of raters, of whom not all rated everything: Gwet's AC and Krippendorff's alpha."""

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Literal

from reportgen.analysis.calibration.coefficients import Coefficient, cut, from_jackknife, no_figure, straighten
from reportgen.analysis.calibration.design import Design, equal_design
from reportgen.analysis.calibration.kappa import Weighting, weigh_agreement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

Metric = Literal["nominal", "ordinal", "interval"]
Units = Sequence[Sequence[float]]
"""For each unit the ratings that it got, in any order; those who did not rate it are left out."""

_FEW = "no turn was rated twice"
_EQUAL = "all ratings are the same"


def measure_gwet(
    units: Units, categories: Sequence[float], weighting: Weighting = "nominal", design: Design | None = None
) -> Coefficient:
    """Gwet's AC1 (2008), or AC2 with weights, which a rare category does not pull down as it does kappa.

    Its standard error is that of Gwet (2014, section 5.6), who divides by n of two raters without gaps and else by
    n - 1, or with a design the jackknife.

    Args:
        units: The ratings of each turn.
        categories: All categories in their order; ratings are of them.
        weighting: How much categories that are near each other count as agreement.
        design: How the turns were drawn; None where each stands for itself.
    """
    import numpy as np

    counts = _count(units, categories)
    if not (counts.sum(1) >= 2).any():
        return no_figure(len(units), _FEW)
    if len(categories) < 2:
        return no_figure(len(units), _EQUAL)
    agreement = weigh_agreement(len(categories), weighting)
    if design is not None:
        return cut(from_jackknife(lambda weights: _gwet(counts, agreement, weights)[0], design, _EQUAL))
    value, influence = _gwet(counts, agreement, np.ones(len(counts)))
    n = len(counts)
    if n < 2:
        return Coefficient(value, n=n, undefined="one turn gives no interval")
    divisor = n if (counts.sum(1) == 2).all() else n - 1
    error = sqrt(float(((influence - value) ** 2).sum()) / (n * divisor))
    return cut(straighten(value, error, n, n - 1))


def _gwet(counts: "Vector", agreement: "Vector", weights: "Vector") -> tuple[float, "Vector"]:
    """The coefficient, and what each turn alone makes of it."""
    import numpy as np

    raters, size = counts.sum(1), counts.shape[1]
    twice = raters >= 2
    alike = (counts * (counts @ agreement - 1)).sum(1) / np.where(twice, raters * (raters - 1), 1)
    shares = counts / raters[:, None]
    prevalence = np.average(shares, axis=0, weights=weights)
    factor = agreement.sum() / (size * (size - 1))
    chance = float(factor * (prevalence * (1 - prevalence)).sum())
    seen = float(np.average(alike[twice], weights=weights[twice]))
    value = (seen - chance) / (1 - chance)
    own = np.where(twice, weights.sum() / weights[twice].sum() * (alike - chance) / (1 - chance), 0.0)
    own_chance = factor * (shares * (1 - prevalence)).sum(1)
    return value, own - 2 * (1 - value) * (own_chance - chance) / (1 - chance)


def measure_alpha(units: Units, metric: Metric, design: Design | None = None) -> Coefficient:
    """Krippendorff's alpha (2011), 1 - Do/De, with a jackknife interval; None where all ratings are the same.

    The example is from Krippendorff (2011), where two observers rate ten articles 0 or 1.

    >>> a, b = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> round(measure_alpha(list(zip(a, b)), "nominal").value, 3)
    0.095

    Args:
        units: The ratings of each turn, as numbers; of the ordinal metric only their order matters.
        metric: What a distance between two ratings is.
        design: How the turns were drawn; None where each stands for itself.
    """
    import numpy as np

    rated = [len(unit) >= 2 for unit in units]
    if not any(rated):
        return no_figure(0, _FEW)
    kept = [unit for unit, enough in zip(units, rated, strict=True) if enough]
    design = design.among(np.array(rated)) if design else equal_design(len(kept))
    if metric == "interval":
        sums = np.array([(len(unit), sum(unit), sum(value * value for value in unit)) for unit in kept], dtype=float)
        return cut(from_jackknife(lambda weights: _interval_alpha(sums, weights), design, _EQUAL))
    counts = _count(kept, sorted({value for unit in kept for value in unit}))
    return cut(from_jackknife(lambda weights: _counted_alpha(counts, metric, weights), design, _EQUAL))


def _counted_alpha(counts: "Vector", metric: Metric, weights: "Vector") -> float | None:
    """From the number of ratings of each value, without a matrix of all pairs of ratings."""
    import numpy as np

    raters = counts.sum(1)
    share = weights * len(weights) / weights.sum() / (raters - 1)
    together = (counts * share[:, None]).T @ counts - np.diag((counts * share[:, None]).sum(0))
    margins = together.sum(0)
    apart = _distances(margins, metric)
    expected = float((np.outer(margins, margins) * apart).sum())
    seen = float((together * apart).sum())
    return None if expected <= 0 else float(1 - (margins.sum() - 1) * seen / expected)


def _distances(margins: "Vector", metric: Metric) -> "Vector":
    """The squared distance of each two values; ordinal ones are as far apart as there are ratings between them."""
    import numpy as np

    if metric == "nominal":
        return 1.0 - np.eye(len(margins))
    middle = np.cumsum(margins) - margins / 2
    return (middle[:, None] - middle[None, :]) ** 2


def _interval_alpha(sums: "Vector", weights: "Vector") -> float | None:
    """From count, sum and sum of squares of the ratings of each turn."""
    raters, total, squares = sums.T
    scale = weights * len(weights) / weights.sum()
    seen = float((scale * 2 * (raters * squares - total**2) / (raters - 1)).sum())
    n, first, second = (float((scale * column).sum()) for column in (raters, total, squares))
    expected = 2 * (n * second - first**2)
    return None if expected <= 1e-9 * max(1.0, second) else 1 - (n - 1) * seen / expected


def _count(units: Units, categories: Sequence[float]) -> "Vector":
    import numpy as np

    place = {category: number for number, category in enumerate(categories)}
    counts = np.zeros((len(units), len(categories)))
    for line, unit in enumerate(units):
        for value in unit:
            counts[line, place[value]] += 1
    return counts
