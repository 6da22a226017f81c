"""Numbers as they stand in the rows: looked up by size, exactly as they are written."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from typing import Generic, TypeVar

_GREATEST = 10**150
_FLOAT_ERROR = 1e-14
"""More than what a float of a number, or a quotient of two floats, is wrong by, as a part of it."""

_EXACT = Context(prec=100, traps=[Inexact])

Number = int | float | Fraction
Value = Number | tuple[Number, Number]
"""A number as it stands in the rows, or a quotient of two that is divided out when it is needed."""

Source = TypeVar("Source")


class Shelf(Generic[Source]):
    """Distinct values in order of size, each with the first place that it came from."""

    def __init__(self, values: Iterable[tuple[Value, Source]]) -> None:
        first: dict[Value, Source] = {}
        for value, source in values:
            first.setdefault(value, source)
        held = [(size, value) for value in first if (size := _size(value)) is not None]
        held.sort(key=lambda pair: pair[0])
        self._sources = first
        self._sizes = [size for size, _ in held]
        self._values = [value for _, value in held]

    def near(self, centre: float, radius: float) -> Iterator[tuple[Fraction, Source]]:
        """The values no further than that from the centre, and maybe some a trifle further, exactly as written."""
        reach = radius + (abs(centre) + radius) * _FLOAT_ERROR
        for place in range(bisect_left(self._sizes, centre - reach), len(self._sizes)):
            if self._sizes[place] > centre + reach:
                return
            value = self._values[place]
            yield exact(value), self._sources[value]


def exact(value: Value) -> Fraction:
    """The number exactly as it is written, so 0.1 is a tenth."""
    if isinstance(value, tuple):
        return exact(value[0]) / exact(value[1])
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def total(numbers: Iterable[Number]) -> Fraction:
    """The exact sum; decimals are added as decimals first, which is quicker and loses nothing.

    >>> total([1, 0.1, 0.2, Fraction(1, 3)])
    Fraction(49, 30)
    """
    whole, rest, decimals = 0, Fraction(0), Decimal(0)
    for number in numbers:
        if isinstance(number, int):
            whole += number
        elif isinstance(number, float) and 1e-9 < abs(number) < 1e15:
            decimals = _EXACT.add(decimals, Decimal(repr(number)))
        else:
            rest += exact(number)
    return whole + rest + Fraction(decimals)


def _size(value: Value) -> float | None:
    """The value as a float, for sorting; None where it is too large for any figure."""
    if isinstance(value, tuple):
        one, other = (_size(part) for part in value)
        return None if one is None or not other or abs(one) > abs(other) * 1e15 else one / other
    return float(value) if -_GREATEST < value < _GREATEST else None
