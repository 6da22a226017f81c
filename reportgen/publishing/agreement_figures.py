"""How figures of agreement with people are printed."""

from reportgen.analysis.calibration.coefficients import Coefficient
from reportgen.model.calibration import GateState
from reportgen.publishing.printing import NONE, print_share, print_signed, stored
from reportgen.scoring.rounding import print_number

_EDGES = (-1, 0, 1)


def print_coefficient(found: Coefficient, decimals: int = 2) -> str:
    """A coefficient from -1 to 1; an end or 0 only where it is reached.

    >>> print_coefficient(Coefficient(0.998)), print_coefficient(Coefficient(None, undefined="why"))
    ('0.99', '–')
    """
    return NONE if found.value is None else print_signed(stored(found.value), decimals, _EDGES)


def print_coefficient_interval(found: Coefficient, decimals: int = 2) -> str:
    """Its bounds, or why there are none."""
    if found.low is None or found.high is None:
        return found.undefined or NONE
    return " to ".join(print_signed(stored(bound), decimals, _EDGES) for bound in (found.low, found.high))


def print_part(found: Coefficient) -> str:
    """A share in percent."""
    return NONE if found.value is None else print_share(stored(found.value))


def print_part_interval(found: Coefficient) -> str:
    """Its bounds, or why there are none."""
    if found.low is None or found.high is None:
        return found.undefined or NONE
    low, high = (print_number(100 * stored(bound), 1, (0, 100)) for bound in (found.low, found.high))
    return f"{low}\u00a0% to {high}\u00a0%"


def print_distance(value: float | None, decimals: int = 1) -> str:
    """A difference in points, with its sign; 0 only where it is exact."""
    if value is None:
        return NONE
    sign = "+" if value > 0 else ""
    return sign + print_signed(stored(value), decimals)


def print_distance_interval(found: Coefficient, decimals: int = 1) -> str:
    """The bounds of a difference, or why there are none."""
    if found.low is None or found.high is None:
        return found.undefined or NONE
    return f"{print_distance(found.low, decimals)} to {print_distance(found.high, decimals)}"


def print_points_interval(found: Coefficient) -> str:
    """The bounds of a mean score, or why there are none."""
    if found.low is None or found.high is None:
        return found.undefined or NONE
    return f"{print_number(stored(found.low))} to {print_number(stored(found.high))}"


def print_weight(value: float | None) -> str:
    """A weight as a percentage without decimals."""
    return NONE if value is None else f"{print_number(100 * stored(value), 0)} %"


_GATES: dict[GateState, str] = {
    "pass": "passed",
    "provisional": "provisional",
    "fail": "not passed",
    "not-estimable": "not estimable",
}


def name_gate(state: GateState) -> str:
    """The state of the gate in words.

    >>> name_gate("fail")
    'not passed'
    """
    return _GATES[state]
