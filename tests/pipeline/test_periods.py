"""Periods of publication: where they begin and end."""

from datetime import UTC, datetime

import pytest

from reportgen.errors import PublicationError
from reportgen.pipeline.periods import read_period


@pytest.mark.parametrize(
    ("name", "zone", "start", "end"),
    [
        ("2026", "UTC", "2026-01-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00"),
        ("2026-12", "UTC", "2026-12-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00"),
        ("2028-02", "UTC", "2028-02-01T00:00:00+00:00", "2028-03-01T00:00:00+00:00"),
        ("2026-07", "Europe/London", "2026-07-01T00:00:00+01:00", "2026-08-01T00:00:00+01:00"),
        ("2026-10", "Europe/London", "2026-10-01T00:00:00+01:00", "2026-11-01T00:00:00+00:00"),
        ("2026-10-25", "Europe/London", "2026-10-25T00:00:00+01:00", "2026-10-26T00:00:00+00:00"),
    ],
)
def test_a_period_follows_the_calendar_of_its_zone(name, zone, start, end):
    period = read_period(name, zone)
    assert (period.start.isoformat(), period.end.isoformat()) == (start, end)


def test_a_moment_near_midnight_is_in_the_period_of_the_zone():
    moment = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)
    assert moment in read_period("2026-07", "Europe/London")
    assert moment not in read_period("2026-07", "UTC")


@pytest.mark.parametrize(
    "name", ["", "july", "2026-13", "2026-02-30", "2026-7", "26-07", "0000", "9999", "2026-07-01T00", "../x"]
)
def test_what_is_no_period_is_refused(name):
    with pytest.raises(PublicationError, match="is no period"):
        read_period(name, "UTC")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd", "/etc/localtime"])
def test_what_is_no_zone_is_refused(zone):
    with pytest.raises(PublicationError, match="no time zone"):
        read_period("2026-07", zone)
