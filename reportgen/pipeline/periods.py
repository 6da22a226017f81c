"""A period of publication: a year, a month or a day in some time zone."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reportgen.errors import PublicationError

_PERIOD = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


@dataclass(frozen=True, slots=True)
class Period:
    """The time from `start` up to, not including, `end`; `name` is how it was written, such as `2026-07`."""

    name: str
    zone: str
    start: datetime
    end: datetime

    def __contains__(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def overlaps(self, other: "Period") -> bool:
        """Whether some moment is in both."""
        return self.start < other.end and other.start < self.end

    def __str__(self) -> str:
        return f"{self.name} ({self.zone})"


def read_period(text: str, zone: str) -> Period:
    """The period of that name.

    >>> period = read_period("2026-10", "Europe/London")
    >>> period.start.isoformat(), period.end.isoformat()
    ('2026-10-01T00:00:00+01:00', '2026-11-01T00:00:00+00:00')

    Args:
        text: A year, a month or a day, as `2026`, `2026-07` or `2026-07-20`.
        zone: A time zone of the IANA database, such as `Europe/London`.

    Raises:
        PublicationError: There is no such period or zone.
    """
    clock = find_zone(zone)
    found = _PERIOD.fullmatch(text)
    year, month, day = (int(part) if part else None for part in found.groups()) if found else (0, None, None)
    try:
        start = datetime(year or 0, month or 1, day or 1, tzinfo=clock)
        return Period(text, zone, start, _end_of(start, month, day))
    except (ValueError, OverflowError):
        raise PublicationError(
            f"{text!r} is no period", "Write a year, a month or a day: 2026, 2026-07, 2026-07-20."
        ) from None


def find_zone(name: str) -> ZoneInfo:
    """The time zone of that name.

    Raises:
        PublicationError: There is none.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise PublicationError(f"There is no time zone {name!r}", "Name one such as Europe/London or UTC.") from None


_LENGTHS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}


def name_period(moment: datetime, length: Literal["year", "month", "day"], zone: str) -> str:
    """The name of the period in which a moment lies.

    >>> name_period(datetime.fromisoformat("2026-06-30T23:30:00Z"), "month", "Europe/London")
    '2026-07'

    Raises:
        PublicationError: There is no such zone.
    """
    return f"{moment.astimezone(find_zone(zone)):{_LENGTHS[length]}}"


def _end_of(start: datetime, month: int | None, day: int | None) -> datetime:
    """The first moment of the next period; days are counted on the calendar, whatever the clocks do."""
    if day is not None:
        return start + timedelta(days=1)
    if month is None:
        return start.replace(year=start.year + 1)
    return (start + timedelta(days=31)).replace(day=1)
