"""Numbers in text: separators of several conventions, signs, currencies, percent, k, m and bn, and English words."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from reportgen.analysis.figure_check.figures import ONE, Bound, Figure, FigureKind, Reading

_CODES = "EUR|USD|GBP|CHF|SEK|NOK|DKK|JPY|CNY|INR|AUD|CAD|NZD|BRL|MXN|PLN|CZK|HUF|TRY|ZAR|SGD|HKD|KRW"
_SIGNS = r"(?:US|CA|AU|NZ|HK|S|R|A|C)?\$|[€£¥₹₽₩₺₫₴₦₪฿]"
_SPACE = r"[ \u00a0\u2009\u202f]"
_NUMBER = (
    r"(?:[0-9]{1,3}(?:,[0-9]{2,3}){0,9},[0-9]{3}(?![0-9])(?:\.[0-9]{1,40})?"
    r"|[0-9]{1,3}(?:\.[0-9]{3}){1,10}(?![0-9])(?:,[0-9]{1,40})?"
    rf"|[0-9]{{1,3}}(?:{_SPACE}[0-9]{{3}}(?![0-9])){{1,10}}(?:[.,][0-9]{{1,40}})?"
    r"|[0-9]{1,3}(?:['\u2019][0-9]{3}(?![0-9])){1,10}(?:\.[0-9]{1,40})?"
    r"|[0-9]++(?:[.,][0-9]++)?(?:[eE][+-]?[0-9]{1,3})?)"
)
_SCALES = {
    **dict.fromkeys(("k", "thousand", "tsd"), 10**3),
    **dict.fromkeys(("m", "mn", "mln", "mio", "million", "millions"), 10**6),
    **dict.fromkeys(("b", "bn", "billion", "billions"), 10**9),
    **dict.fromkeys(("tn", "trillion", "trillions"), 10**12),
    "lakh": 10**5,
    "crore": 10**7,
}
_SCALE = rf"{_SPACE}?(?:thousand|tsd|millions?|mio|mln|mn|billions?|bn|trillions?|tn|lakh|crore|[kK]|[mM])\.?|[bB]"
_RANGE = rf"(?={_SPACE}?(?:to|and|or|–|-){_SPACE}?[0-9][0-9.,]{{0,12}}{_SPACE}?%)"
_PERCENT = (
    rf"{_RANGE}|{_SPACE}?(?:%|‰|per[ ]?cent\b|pct\b|percentage points?\b|pp\b)|-percent\b|[ -]percentage-points?\b"
)
_UNITS = rf"{_SPACE}?(?:tonnes?|tons?|t|km|kg|kWh|MWh|GWh|kW|MW|GW|[KMGT]i?B|seconds?|secs?|s)"
_GLUED = r"(?:hours?|hrs?|h|minutes?|mins?|ms|days?|d|g|mg|mm|cm|nm|ml|°[CF]?|Hz|[kMG]Hz|kn|kV|V|A|W|px|pts?|yrs?|y)"
_MONEY = rf"{_SPACE}?(?:{_SIGNS}|(?:{_CODES})\b|kr\b|[Ee]uros?\b|[Dd]ollars?\b|[Pp]ounds?\b|[Cc]ents?\b)"

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_WORDS = (
    {word: number for number, word in enumerate(_SMALL) if number != 1}
    | {word: 10 * number for number, word in enumerate(_TENS, start=2)}
    | {f"{ten}-{unit}": 10 * n + m for n, ten in enumerate(_TENS, start=2) for m, unit in enumerate(_SMALL[1:10], 1)}
)
_WORD = r"(?P<word>(?i:{}))(?![^\W_]|-[^\W_])".format("|".join(sorted(_WORDS, key=len, reverse=True)))

PATTERN = re.compile(
    rf"(?<![^\W_])(?<![^\W\d_][_\-.#@\\])(?<![0-9][.,:])(?<![A-Za-z]/)(?:"
    rf"(?:(?<![^\s(\[|*_~≈=:>,/])(?P<sign>[+\-\u2212–])(?=\S))?"
    rf"(?:(?P<money>(?:{_SIGNS}|(?:{_CODES}|[Kk]r\.?)(?={_SPACE}|[0-9])){_SPACE}?)(?P<sign2>[-\u2212](?=[0-9]))?)?"
    rf"(?P<number>{_NUMBER})(?![0-9])(?![.,:'\u2019][0-9])"
    rf"(?:(?P<percent>{_PERCENT})|(?P<scale>(?:{_SCALE})(?![^\W_]))?(?P<money2>{_MONEY})?(?P<factor>{_SPACE}?[x×](?![^\W_])|"
    rf"{_SPACE}times\b|-?fold\b)?(?P<unit>{_UNITS}(?![^\W_]))?)"
    rf"(?P<glued>{_GLUED}(?![^\W_]))?(?![^\W_])(?!_[^\W_])(?!-[A-Z](?![a-z]))"
    rf"|{_WORD})"
)
_HEDGE = re.compile(
    r"(?:\b(?i:(?P<above>over|(?:more|higher|larger|greater) than|at least|above)"
    r"|(?P<below>nearly|almost|under|below|up to|(?:less|fewer|lower) than|at most|not quite)"
    r"|about|around|roughly|approximately|approx\.?|some|close to|circa|ca\.|between"
    r"|(?P<and>and|to|or))|[~≈]|(?P<dash>[–-]))[ \u00a0*_]*\Z"
)
_VALUE = re.compile(r"\s*[+-]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?\s*")
_LONGEST = 40
_EXACT_IN_FLOAT = 15
"""A decimal of so many places is what its float is printed as."""


def read_numeral(match: re.Match[str], before: str, *, after_hedge: bool) -> tuple[Figure | None, bool]:
    """The figure that a match of `PATTERN` stands for, and whether it is one of those that are "about" right.

    Args:
        match: What was found.
        before: The text just before it.
        after_hedge: Whether the figure before this one was "about" right, as in "about 1,300 to 1,700".
    """
    hedge = _HEDGE.search(before)
    joined = hedge is not None and (hedge["and"] or hedge["dash"])
    is_hedged = hedge is not None and (not joined or after_hedge)
    if match["word"]:
        value = Fraction(_WORDS[match["word"].lower()])
        return Figure(match["word"], "number", (Reading(value, ONE),), bare=True, small=True, exact=True), False
    plain = _read_number(match["number"])
    if not plain:
        return None, is_hedged
    bound: Bound = 0
    if hedge is not None:
        bound = 1 if hedge["above"] else -1 if hedge["below"] else 0
    return _build(match, plain, bound if is_hedged else None), is_hedged


@lru_cache(maxsize=50_000)
def read_value(text: str) -> int | float | Fraction | None:
    """The number that a whole text is, such as a cell; None where it is something else.

    >>> read_value(" -1234.50 "), read_value("12"), read_value("1e999999"), read_value("12 mm")
    (-1234.5, 12, None, None)
    """
    plain = _VALUE.fullmatch(text)
    if plain is None:
        return None
    if plain[1] is None and plain[2] is None:
        return int(text)
    return float(text) if len(text) <= _EXACT_IN_FLOAT else Fraction(text.strip())


def _build(match: re.Match[str], plain: list[Reading], hedged: Bound | None) -> Figure:
    """The figure; `hedged` is the bound that it is said to be, 0 where it is said to be about right, else None."""
    sign, number, kind = match["sign"] or match["sign2"], match["number"], _kind(match)
    counts = kind == "number" and (match["factor"] or "times").strip().lower() == "times"
    bare = counts and not any(match[name] for name in ("scale", "unit", "glued"))
    scaled = _scale(match, plain[0])
    readings = [*plain, *scaled, *(() if scaled else _in_thousands(plain[0], kind))]
    if hedged is not None:
        readings += _coarsen([plain[0], *scaled], hedged)
    if sign in ("-", "\u2212", "–"):
        readings = [replace(one, value=-one.value) for one in readings]
    return Figure(
        match.group().strip(),
        kind,
        tuple(readings),
        dates=((int(number), None, None),) if bare and re.fullmatch("(?:19|20|21)[0-9]{2}", number) else (),
        signed=sign is not None,
        bare=bare,
        small=(small := bare and sign is None and plain[0].step == 1 and plain[0].value < 10),
        exact=small and hedged is None,
        factor=match["factor"] is not None,
    )


def _kind(match: re.Match[str]) -> FigureKind:
    if match["percent"] is not None:
        return "percent"
    return "money" if match["money"] or match["money2"] else "number"


def _read_number(text: str) -> list[Reading]:
    """The ways to read it, the likeliest first: 1,234 may be a thousand or a little more than one.

    None where it is an identifier: too long, or with zeros in front.
    """
    mantissa, _, exponent = text.lower().partition("e")
    groups = re.findall(r"[0-9]+", mantissa)
    marks = re.findall(r"[^0-9]", mantissa)
    if (
        sum(map(len, groups)) > _LONGEST
        or abs(int(exponent or 0)) > _LONGEST
        or (len(groups[0]) > 1 and groups[0][0] == "0")
    ):
        return []
    power = Fraction(10) ** int(exponent or 0)
    forms = [_whole(groups), _decimal(groups)] if _is_grouped(groups, marks) else [_decimal(groups)]
    if len(marks) == 1 and marks[0] == ".":
        forms.reverse()
    if len(marks) > 1:
        forms = [_decimal(groups) if marks[-1] != marks[0] else _whole(groups)]
    elif marks and marks[0] not in ",.":
        forms = forms[:1]
    return [Reading(value * power, step * power) for value, step in forms]


def _is_grouped(groups: list[str], marks: list[str]) -> bool:
    return bool(marks) and len(groups[0]) <= 3 and groups[0] != "0" and len(groups[-1]) == 3


def _whole(groups: list[str]) -> tuple[Fraction, Fraction]:
    return Fraction(int("".join(groups))), ONE


def _decimal(groups: list[str]) -> tuple[Fraction, Fraction]:
    if len(groups) == 1:
        return _whole(groups)
    step = Fraction(1, 10 ** len(groups[-1]))
    return int("".join(groups)) * step, step


def _scale(match: re.Match[str], plain: Reading) -> list[Reading]:
    """The values in another unit: 12 % may be 0.12 in the rows and 0.12 be 12, 1.2 m may be 1200000, 8.3 t 8300 kg."""
    factors: list[Fraction] = []
    if match["percent"] is not None:
        factors = [Fraction(1, 1000) if "‰" in match["percent"] else Fraction(1, 100)]
    elif match["scale"]:
        factors = [Fraction(_SCALES[match["scale"].strip(" \u00a0\u2009\u202f.").lower()])]
    elif match["unit"]:
        factors = [Fraction(1000)]
    elif plain.value and abs(plain.value) < 1 and plain.step <= Fraction(1, 100):
        factors = [Fraction(100)]
    return [Reading(plain.value * factor, plain.step * factor, "scaled") for factor in factors]


def _in_thousands(plain: Reading, kind: FigureKind) -> list[Reading]:
    """The values if the column of a table were headed "in thousands" or "tonnes"; three printed places at least."""
    if kind == "percent" or abs(plain.value) < max(ONE, 100 * plain.step):
        return []
    return [Reading(plain.value * power, plain.step * power, "thousands") for power in (10**3, 10**6)]


def _coarsen(readings: list[Reading], bound: Bound) -> list[Reading]:
    """The readings with the zeros at their end as places that were rounded away, down to two places."""
    coarse = []
    for one in readings:
        step = one.step
        while one.value and (one.value / (10 * step)).denominator == 1 and 100 * step <= abs(one.value):
            step *= 10
        if step != one.step or bound:
            coarse.append(Reading(one.value, step, "coarse", bound))
    return coarse
