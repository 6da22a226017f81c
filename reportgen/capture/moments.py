"""Times as other programs write them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from reportgen.capture.json_values import show
from reportgen.errors import CaptureError

_UNITS = ((10**11, 1), (10**14, 10**3), (10**17, 10**6), (10**20, 10**9))
"""Below which size a number counts seconds, milliseconds, microseconds or nanoseconds since 1970."""

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


def read_moment(value: Any, place: str) -> tuple[datetime, bool] | None:
    """The time, and whether its zone is given; one without is taken as of UTC. None where there is no time.

    >>> read_moment("2026-03-01 09:30:00", "")
    (datetime.datetime(2026, 3, 1, 9, 30, tzinfo=datetime.timezone.utc), False)
    >>> read_moment(1772357400123, "")[0].isoformat()
    '2026-03-01T09:30:00.123000+00:00'

    Raises:
        CaptureError: There is something else in its place.
    """
    if value is None or value in ("", "0", 0):
        return None
    try:
        moment = _read(value)
        if moment.tzinfo is None:
            return _require_year(moment.replace(tzinfo=UTC)), False
        return _require_year(moment), True
    except (TypeError, ValueError, OverflowError, IndexError):
        what = f"{place}: the time {show(value)} is neither a date and time nor a count since 1970"
        raise CaptureError(what, "Write times as 2026-03-29T09:30:00Z.") from None


def _read(value: Any) -> datetime:
    if isinstance(value, list):
        seconds, nanos = (int(part) for part in value)
        return _BEGIN + timedelta(seconds=seconds, microseconds=nanos // 1000)
    if isinstance(value, str):
        text = value.strip()
        if not text.replace(".", "", 1).isdigit():
            return datetime.fromisoformat(text.removesuffix(" UTC") + ("Z" if text.endswith(" UTC") else ""))
        value = float(text) if "." in text else int(text)
    return _count_from_begin(value)


def _count_from_begin(value: Any) -> datetime:
    if isinstance(value, bool) or value < 0:
        raise ValueError
    parts = next(parts for limit, parts in (*_UNITS, (float("inf"), 0)) if value < limit)
    if not parts:
        raise ValueError
    if isinstance(value, int):
        return _BEGIN + timedelta(microseconds=value * 10**6 // parts)
    return _BEGIN + timedelta(seconds=value / parts)


def _require_year(moment: datetime) -> datetime:
    if not 1900 <= moment.year <= 2200:
        raise ValueError
    return moment
