"""Sums and orders of many exact numbers: over one denominator they are whole numbers, which are much faster."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def total_of(values: Sequence[Fraction]) -> Fraction:
    """The exact sum.

    >>> total_of([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    numbers, unit = _over_one_denominator(values)
    return Fraction(sum(numbers), unit)


def in_order(values: Sequence[Fraction]) -> list[Fraction]:
    """The values, ascending."""
    numbers, _ = _over_one_denominator(values)
    return [values[place] for place in sorted(range(len(values)), key=numbers.__getitem__)]


def _over_one_denominator(values: Sequence[Fraction]) -> tuple[list[int], int]:
    unit = lcm(*{value.denominator for value in values})
    return [value.numerator * (unit // value.denominator) for value in values], unit
