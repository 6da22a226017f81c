"""Reads the figures out of a text."""

import re
from collections.abc import Iterator
from unicodedata import decimal

from reportgen.analysis.figure_check import dates, numerals
from reportgen.analysis.figure_check.figures import Figure
from reportgen.analysis.figure_check.masking import mask

LONGEST = 1_000_000
"""Of a longer text, so many characters are read."""

_ANY = re.compile(r"[0-9]|\b(?:z|t|f|s|e|n)", re.IGNORECASE)
_BEFORE = 24


def read_figures(text: str) -> Iterator[Figure]:
    """The figures of a text in reading order; numbering, code, identifiers and versions are none.

    >>> [figure.text for figure in read_figures("1. SKU-104 sold 1,204 times on 4 July, up 12 %")]
    ['1,204 times', '4 July', '12 %']
    """
    text = mask(_to_ascii(text[:LONGEST]))
    place, after_hedge = 0, False
    for match in _matches(text):
        if match.re is dates.PATTERN:
            yield from dates.read_date(match)
            after_hedge = False
            continue
        figure, after_hedge = numerals.read_numeral(
            match, text[max(match.start() - _BEFORE, place) : match.start()], after_hedge=after_hedge
        )
        place = match.end()
        if figure is not None:
            yield figure


def _to_ascii(text: str) -> str:
    """The text with the decimal digits of all scripts as 0 to 9, each at its place."""
    if text.isascii():
        return text
    return "".join(str(decimal(letter)) if letter.isdecimal() and not letter.isascii() else letter for letter in text)


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Dates and numbers in order; where both begin at one place, the date."""
    date = dates.PATTERN.search(text)
    number = numerals.PATTERN.search(text)
    while date or number:
        if date and (number is None or date.start() <= number.start() or _holds(number, date)):
            yield date
            end = date.end()
        else:
            assert number is not None
            yield number
            end = number.end()
        if date and date.start() < end:
            date = dates.PATTERN.search(text, end)
        if number and number.start() < end:
            number = numerals.PATTERN.search(text, end)


def _holds(number: re.Match[str], date: re.Match[str]) -> bool:
    """Whether the date begins within the number, as in "+2026-07-04"."""
    return number.start() <= date.start() < number.end()
