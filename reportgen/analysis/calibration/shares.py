"""Shares of labelled turns with Wilson's interval, such as how many of those found poor the judge finds poor too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.analysis.calibration.coefficients import Coefficient, no_figure
from reportgen.analysis.calibration.design import Design, jackknife
from reportgen.analysis.intervals import wilson
from reportgen.analysis.spread import t_quantile, z_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Detection:
    """How well the judge tells the turns of a band from the others, as people see them.

    `sensitivity` is the share of those that it puts there too, `specificity` that of the others that it does not.
    """

    band: str
    sensitivity: Coefficient
    specificity: Coefficient


def measure_detection(
    judge: Sequence[str], people: Sequence[str], band: str, design: Design | None = None
) -> Detection:
    """Sensitivity and specificity for a band.

    >>> found = measure_detection(["poor", "good", "good"], ["poor", "poor", "good"], "poor")
    >>> found.sensitivity.value, found.specificity.value
    (0.5, 1.0)
    """
    theirs = [found == band for found in people]
    hits = [found == band for found in judge]
    return Detection(
        band,
        measure_share(hits, theirs, design, f"people found no turn {band}"),
        measure_share(
            [not hit for hit in hits], [not held for held in theirs], design, f"people found all turns {band}"
        ),
    )


def measure_share(
    hits: Sequence[bool], among: Sequence[bool] | None, design: Design | None, why_none: str
) -> Coefficient:
    """The share of some turns that hit, 0 to 1, with the interval of Wilson (1927).

    With a design the number of turns becomes the effective one, p(1 - p)/V with the variance V of the jackknife, at
    most the number there is; where none or all hit, it is that of Kish.

    >>> measure_share([True] * 18 + [False] * 2, None, None, "").rounded().low
    0.698966

    Args:
        hits: For each turn whether it hits.
        among: For each turn whether it counts; None where all do.
        design: How the turns were drawn; None where each stands for itself.
        why_none: The reason where none counts.
    """
    import numpy as np

    hit = np.asarray(hits, dtype=float)
    counted = np.ones(len(hit), dtype=bool) if among is None else np.asarray(among, dtype=bool)
    n = int(counted.sum())
    if not n:
        return no_figure(0, why_none)
    if design is None:
        share = float(hit[counted].mean())
        found = wilson(share, n, z_quantile(), float(n - 1), n)
        return Coefficient(share, found.low, found.high, n)
    share = _share(hit, counted, design.weights) or 0.0
    size, df = _effective(hit, counted, design, share, n)
    found = wilson(share, size, z_quantile() if df is None else t_quantile(df), float(n - 1), n)
    return Coefficient(share, found.low, found.high, n)


def effective_size(share: Coefficient, hits: Sequence[bool], among: Sequence[bool], design: Design | None) -> float:
    """How many turns drawn alike would tell as much about the share."""
    import numpy as np

    if design is None or share.value is None:
        return float(share.n)
    counted = np.asarray(among, dtype=bool)
    return _effective(np.asarray(hits, dtype=float), counted, design, share.value, share.n)[0]


def _effective(
    hit: "NDArray[np.float64]", counted: "NDArray[np.bool_]", design: Design, share: float, n: int
) -> tuple[float, float | None]:
    """The effective number of turns, and the degrees of freedom behind it; None where no spread is seen."""
    kish = min(float(n), design.among(counted).effective())
    if not 1e-9 < share < 1 - 1e-9:
        return kish, None
    spread = jackknife(lambda weights: _share(hit, counted, weights), design)
    if spread is None or spread.variance <= 0:
        return kish, None
    return min(float(n), share * (1 - share) / spread.variance), spread.df


def _share(hit: "NDArray[np.float64]", counted: "NDArray[np.bool_]", weights: "NDArray[np.float64]") -> float | None:
    total = float(weights[counted].sum())
    return float((weights * hit)[counted].sum()) / total if total > 0 else None
