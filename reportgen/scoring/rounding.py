"""How an exact number is printed: half up, and never showing an edge that was not reached."""

from collections.abc import Collection
from fractions import Fraction
from math import floor

from reportgen.model.rubric import Rubric


def print_number(value: Fraction, decimals: int = 1, edges: Collection[int] = ()) -> str:
    """The value rounded half up, away from any edge that it does not reach.

    >>> print_number(Fraction(8725, 100))
    '87.3'
    >>> print_number(Fraction(9996, 100), edges=(0, 50, 75, 100))
    '99.9'
    >>> print_number(Fraction(4, 100), edges=(0, 100))
    '0.1'

    Args:
        value: Any exact number.
        decimals: Digits after the point.
        edges: Values that must not be printed unless they are reached exactly.
    """
    unit = 10**decimals
    steps = _round_half_up(value * unit)
    if value * unit != steps and steps % unit == 0 and steps // unit in edges:
        steps += 1 if value * unit > steps else -1
    return _place_point(steps, decimals)


def score_edges(rubric: Rubric) -> frozenset[int]:
    """The values that a printed score may show only when it reached them: limits, band edges and ceilings."""
    ceilings = {cap.ceiling for cap in rubric.caps}
    return frozenset({0, 100} | {band.at_least for band in rubric.bands} | ceilings)


def _round_half_up(value: Fraction) -> int:
    """Half away from zero, so that a value and its negative print alike."""
    size = floor(abs(value) + Fraction(1, 2))
    return size if value >= 0 else -size


def _place_point(steps: int, decimals: int) -> str:
    sign = "-" if steps < 0 else ""
    digits = str(abs(steps)).rjust(decimals + 1, "0")
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else sign + digits
