"""What gates demand and what they found, in words."""

from collections.abc import Collection
from fractions import Fraction

from reportgen.analysis.gates import Demand, GateResult
from reportgen.model.rubric import Rubric
from reportgen.publishing.printing import stored
from reportgen.publishing.text import clean
from reportgen.record import write_exact
from reportgen.scoring.rounding import print_number, score_edges

_MOST = 12


def say_gate(result: GateResult, rubric: Rubric) -> str:
    """A gate in a line: whether it is passed, what it asks for, and what was found."""
    return f"{result.state:<9}  {say_demand(result)}: {say_finding(result, rubric)}"


def say_demand(result: GateResult) -> str:
    """What is asked for, such as "mean score at least 80, by its interval"."""
    about = " ".join(clean(result.about).split())
    if result.demand is None:
        return about
    limit, by = _in_unit(result.demand.limit, result.demand), result.demand.by
    return f"{about} {result.demand.side} {write_exact(limit)}{_sign(result.demand)}" + (
        ", by its interval" if by == "interval" else ""
    )


def say_finding(result: GateResult, rubric: Rubric) -> str:
    """What was found, such as "84.2, 95 % interval 80.1 to 87.7", or why nothing was."""
    estimate, demand = result.estimate, result.demand
    if estimate is None or demand is None or estimate.value is None:
        return " ".join(clean(result.reason or "").split())
    edges = score_edges(rubric) if demand.unit == "score" else (0, 100)
    value = _print(estimate.value, demand, edges)
    if estimate.low is None or estimate.high is None:
        return f"{value}, no interval: {estimate.undefined}"
    low, high = (_print(stored(bound), demand, edges) for bound in (estimate.low, estimate.high))
    why = f"; {result.reason}" if result.reason else ""
    return f"{value}, 95 % interval {low} to {high}{why}"


def print_beside(value: Fraction, limit: Fraction, edges: Collection[int] = ()) -> str:
    """The value with as many decimals as show on which side of the limit it lies, one at least.

    >>> print_beside(Fraction(7996, 100), Fraction(80)), print_beside(Fraction(79999, 1000), Fraction(8001, 100))
    ('79.96', '80.0')
    """
    for decimals in range(1, _MOST):
        text = print_number(value, decimals, edges)
        if _compare(Fraction(text), limit) == _compare(value, limit):
            return text
    return write_exact(value)


def _compare(one: Fraction, other: Fraction) -> int:
    return (one > other) - (one < other)


def _print(value: Fraction, demand: Demand, edges: Collection[int]) -> str:
    return print_beside(_in_unit(value, demand), _in_unit(demand.limit, demand), edges) + _sign(demand)


def _in_unit(value: Fraction, demand: Demand) -> Fraction:
    """A score as it is, a share in percent."""
    return value if demand.unit == "score" else 100 * value


def _sign(demand: Demand) -> str:
    return "" if demand.unit == "score" else " %"
