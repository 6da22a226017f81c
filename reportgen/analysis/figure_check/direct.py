"""Direct look-ups: does a cell say the figure, to the letter, rounded, in another unit, or within its text?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import floor

from reportgen.analysis.figure_check.facts import Facts, Place
from reportgen.analysis.figure_check.figures import Figure, Reading
from reportgen.analysis.figure_check.shelves import Shelf, Source

_TRIED = 64
"""Of the values near a figure, so many are tried; all but those at the very edge of its rounding fit."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a figure was met by: places, the exact value there, and the formula where there are several."""

    places: tuple[Place, ...]
    value: Fraction | None = None
    formula: str | None = None


def rounds_to(value: Fraction, printed: Fraction, step: Fraction) -> bool:
    """Whether the value, rounded to that step half up or half to even, is the printed one.

    >>> [rounds_to(Fraction(n, 2), Fraction(2), Fraction(1)) for n in (2, 3, 4, 5, 6)]
    [False, True, True, True, False]
    """
    size = abs(value) / step
    half_up, half_even = floor(size + Fraction(1, 2)), round(size)
    sign = -1 if value < 0 else 1
    return printed / step in (sign * half_up, sign * half_even)


def find_rounded(
    figure: Figure, shelf: Shelf[Source], readings: Iterable[Reading]
) -> Iterator[tuple[Fraction, Source]]:
    """The numbers on the shelf that one of the readings may be a rounding of; without a printed sign of either sign."""
    for reading in readings:
        for printed in _signs(figure, reading.value):
            centre, reach = (float(printed), 0.0) if figure.exact else _window(printed, reading)
            for value, source in islice(shelf.near(centre, reach), _TRIED):
                if value == printed or (reach and _fits(value, printed, reading)):
                    yield value, source


def _window(printed: Fraction, reading: Reading) -> tuple[float, float]:
    """The middle and half the width of all that may be meant, nearly; what is near is then looked at exactly."""
    middle, half = float(printed), float(reading.step) / 2
    return middle + reading.bound * (half if middle >= 0 else -half), half


def _fits(value: Fraction, printed: Fraction, reading: Reading) -> bool:
    """Whether the value rounds to what is printed, or lies beyond the bound by less than a step."""
    if reading.bound:
        return 0 <= (abs(value) - abs(printed)) * reading.bound < reading.step and value * printed >= 0
    return rounds_to(value, printed, reading.step)


def _signs(figure: Figure, value: Fraction) -> tuple[Fraction, ...]:
    return (value,) if figure.signed or value == 0 else (value, -value)


def match_equal(figure: Figure, facts: Facts) -> Match | None:
    """A cell is the number, or names the day, month, year or time of day."""
    for date in figure.dates:
        if place := facts.dates.get(date):
            return Match((place,))
    if figure.time is not None:
        return Match((facts.times[figure.time],)) if figure.time in facts.times else None
    for reading in figure.as_printed():
        for printed in _signs(figure, reading.value):
            for value, place in facts.numbers.near(float(printed), 0.0):
                if value == printed:
                    return Match((place,), value)
    return None


def match_rounded(figure: Figure, facts: Facts) -> Match | None:
    """A cell rounds to the figure at its printed precision."""
    return _first(find_rounded(figure, facts.numbers, figure.as_printed()))


def match_text(figure: Figure, facts: Facts) -> Match | None:
    """The number stands within the text of a cell."""
    for reading in figure.as_printed():
        for printed in _signs(figure, reading.value):
            if place := facts.texts.get(printed):
                return Match((place,), printed)
    return None


def match_scaled(figure: Figure, facts: Facts) -> Match | None:
    """A cell is the figure in another unit: 0.12 for 12 %, 1,203,400 for 1.2 m, 8276 for 8.3 t."""
    return _first(find_rounded(figure, facts.numbers, figure.of_form("scaled")))


def match_thousands(figure: Figure, facts: Facts) -> Match | None:
    """A cell is a thousand or a million times the figure, as in a table "in thousands" or of tonnes from kilograms."""
    return _first(find_rounded(figure, facts.numbers, figure.of_form("thousands")))


def match_coarse(figure: Figure, facts: Facts) -> Match | None:
    """The answer says "about" or gives a bound, and a cell is as near as the zeros at the figure's end allow."""
    return _first(find_rounded(figure, facts.numbers, figure.of_form("coarse")))


def match_count(figure: Figure, facts: Facts) -> Match | None:
    """A statement returned so many rows."""
    if not figure.whole:
        return None
    number = figure.readings[0].value.numerator
    return Match((facts.counts[number],), Fraction(number)) if number in facts.counts else None


def _first(found: Iterator[tuple[Fraction, Place]]) -> Match | None:
    for value, place in found:
        return Match((place,), value)
    return None
