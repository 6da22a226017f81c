"""Dates and times of day in text: ISO, numeric in day or month order, and with English names of months."""

import re
from collections.abc import Iterator

from reportgen.analysis.figure_check.figures import DateKey, Figure

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_MONTH = "(?:{})".format("|".join(f"{name}|{name.upper()}|{name[:3]}|{name[:3].upper()}" for name in _LONG) + "|Sept")
_DAY = r"(?:[12][0-9]|3[01]|0?[1-9])"
_DAYS = rf"{_DAY}(?:st|nd|rd|th)?(?:(?:[ ]?[,/&–-][ ]?|[ ](?:to|and|or|until|through)[ ]){_DAY}(?:st|nd|rd|th)?){{0,9}}"
_YEAR = r"(?:19|20|21)[0-9]{2}"
_CLOCK = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"
_HALF = r"[AaPp]\.?[Mm]\b\.?"
_BEFORE = r"(?<![^\W_])(?<![0-9][.,:/])"
_AFTER = r"(?![^\W_])(?![.,:/-][0-9])"

PATTERN = re.compile(
    rf"{_BEFORE}(?:"
    rf"(?P<iso>{_YEAR}(?P<dash>[-/])(?:1[0-2]|0[1-9])(?P=dash)(?:[12][0-9]|3[01]|0[1-9]))"
    rf"(?:[T ](?P<clock>{_CLOCK})(?:Z\b|[+-][0-9]{{2}}(?::?[0-9]{{2}})?)?)?{_AFTER}"
    rf"|(?P<month>{_YEAR}-(?:1[0-2]|0[1-9])){_AFTER}"
    rf"|(?P<numeric>[0-9]{{1,2}}(?P<mark>[./])[0-9]{{1,2}}(?P=mark){_YEAR}){_AFTER}"
    rf"|(?P<days>{_DAYS})[ \u00a0](?:of[ ])?(?P<name>{_MONTH})\b\.?(?:,?[ \u00a0](?P<year>{_YEAR}){_AFTER})?"
    rf"|(?P<name2>{_MONTH})\.?[ \u00a0](?P<days2>{_DAYS})(?:,?[ \u00a0](?P<year2>{_YEAR}))?{_AFTER}"
    rf"|(?P<name3>{_MONTH})\.?,?[ \u00a0](?P<year3>{_YEAR}){_AFTER}"
    rf"|(?P<time>{_CLOCK})(?:[ ]?(?P<half>{_HALF}))?(?![^\W_:])"
    rf"|(?P<hour>1[0-2]|0?[1-9])[ ]?(?P<half2>{_HALF})"
    r")"
)


def read_date(match: re.Match[str]) -> Iterator[Figure]:
    """The dates or the time that a match of `PATTERN` stands for; several where days share the name of a month.

    >>> [figure.dates for figure in read_date(PATTERN.search("from 6 to 12 July 2026"))]
    [((2026, 7, 6),), ((2026, 7, 12),)]
    """
    found = match.groupdict()
    if found["time"] or found["hour"]:
        yield _time(match, found["time"] or f"{found['hour']}:00", found["half"] or found["half2"])
    elif number := found["iso"] or found["month"] or found["numeric"]:
        yield Figure(number, "date", dates=_numeric(number))
        if found["clock"]:
            yield _time(match, found["clock"], None)
    else:
        yield from _named(match.group(), found)


def _time(match: re.Match[str], text: str, half: str | None) -> Figure:
    hour, minute = (int(part) for part in text.split(":")[:2])
    if half is not None and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half[0] in "Pp" else 0)
    return Figure(match["clock"] or match.group(), "time", time=(hour, minute))


def _numeric(text: str) -> tuple[DateKey, ...]:
    """What a date of numbers may mean: with slashes, day and month may stand in either order."""
    parts = [int(part) for part in re.split(r"[-/.]", text)]
    if len(parts) == 2:
        return ((parts[0], parts[1], None),)
    if parts[0] > 31:
        return ((parts[0], parts[1], parts[2]),)
    first, second, year = parts
    orders = [(first, second)] if "." in text else [(second, first), (first, second)]
    return tuple(dict.fromkeys((year, month, day) for day, month in orders if month <= 12 and 1 <= day <= 31))


def _named(text: str, found: dict[str, str | None]) -> Iterator[Figure]:
    name = found["name"] or found["name2"] or found["name3"] or ""
    month = _NAMES.index(name[:3].lower()) + 1
    year = found["year"] or found["year2"] or found["year3"]
    days = [int(day) for day in re.findall(r"[0-9]+", found["days"] or found["days2"] or "")]
    spoken = int(year) if year else None
    if len(days) < 2:
        yield Figure(text.rstrip("."), "date", dates=((spoken, month, days[0] if days else None),))
        return
    for day in days:
        yield Figure(f"{day} {name}", "date", dates=((spoken, month, day),))
