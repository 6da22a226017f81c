"""May the judge's bands be relied on? Three states, and one for too few labels to tell."""

from collections.abc import Mapping
from typing import Final

from reportgen.analysis.calibration.coefficients import Coefficient
from reportgen.model.calibration import GateState

KAPPA_AT_LEAST: Final = 0.70
LABELS_AT_LEAST: Final = 50
"""Labelled turns without which the gate is never passed."""
IN_BAND_AT_LEAST: Final = 10
"""Turns that people put into each band below the highest, without which kappa says too little."""


def decide_gate(kappa: Coefficient, below_best: Mapping[str, int]) -> tuple[GateState, str]:
    """Whether the judge's bands agree well enough with people's, and why.

    Passed only where the bound above which kappa lies with 95 % confidence reaches 0.70; provisional where only kappa
    itself does. A bound and not the figure alone, since a judge of a true kappa of 0.60 would pass by the figure in
    about one of six calibrations with 53 labels.

    >>> decide_gate(Coefficient(0.8, n=300, least=0.74), {"poor": 20, "partial": 60})[0]
    'pass'

    Args:
        kappa: Unweighted, over the bands.
        below_best: How many turns people put into each band but the highest.
    """
    few = [
        f"{count} of {IN_BAND_AT_LEAST} turns that people found {band}"
        for band, count in below_best.items()
        if count < IN_BAND_AT_LEAST
    ]
    if few:
        return "not-estimable", f"too few labels: {', '.join(few)}"
    if kappa.value is None:
        return "not-estimable", kappa.undefined or "there is no kappa"
    if kappa.value < KAPPA_AT_LEAST:
        return "fail", f"kappa is below {KAPPA_AT_LEAST:.2f}"
    if kappa.n < LABELS_AT_LEAST:
        return "provisional", f"{kappa.n} of the {LABELS_AT_LEAST} labelled turns that the gate asks for"
    if kappa.least is None or kappa.least < KAPPA_AT_LEAST:
        return "provisional", f"kappa reaches {KAPPA_AT_LEAST:.2f}, but its lower 95 % bound does not"
    return "pass", f"the lower 95 % bound of kappa reaches {KAPPA_AT_LEAST:.2f}"
