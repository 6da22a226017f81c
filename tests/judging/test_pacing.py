"""How many requests may be in flight, and how long one waits."""

from datetime import UTC, datetime, timedelta

import pytest

from reportgen.judging.pacing import Pacer, Policy, read_retry_after, seconds_to_wait

NOW = datetime(2026, 7, 1, 9, 0, tzinfo=UTC)


def opened(concurrency=8):
    """A pacer whose first answer came long ago."""
    pacer = Pacer(concurrency)
    pacer.open(0.0, 1.0)
    return pacer


def test_the_first_request_goes_alone_until_it_is_answered():
    pacer = Pacer(64)
    pacer.started()
    assert not pacer.may_start(1000.0)
    pacer.open(1000.0, 2.0)
    assert pacer.allowed(1000.0) == 1
    assert pacer.allowed(1000.1) == 32
    assert pacer.allowed(1000.2) == 64
    assert pacer.next_change(1000.1) > 1000.1
    assert pacer.next_change(1000.2) is None


def test_a_later_answer_does_not_begin_the_ramp_again():
    pacer = opened()
    pacer.open(100.0, 1.0)
    assert pacer.allowed(100.0) == 8


def test_no_more_are_in_flight_than_were_asked_for():
    pacer = opened(2)
    for _ in range(2):
        assert pacer.may_start(10.0)
        pacer.started()
    assert not pacer.may_start(10.0)
    pacer.ended()
    assert pacer.may_start(10.0)
    assert pacer.peak == 2


def test_a_rate_limit_makes_all_wait_and_halves_the_slots_once_for_each_burst():
    pacer = opened(8)
    pacer.limited(10.0, started_at=9.0, wait=5.0)
    pacer.limited(10.1, started_at=9.5, wait=2.0)
    assert pacer.ceiling == 4
    assert not pacer.may_start(14.9)
    assert pacer.next_change(11.0) == 15.0
    assert pacer.may_start(15.0)
    pacer.limited(16.0, started_at=15.5, wait=1.0)
    assert pacer.ceiling == 2


def test_there_is_always_one_slot_left():
    pacer = opened(2)
    for moment in range(10, 20):
        pacer.limited(moment + 0.5, started_at=moment, wait=0.0)
    assert pacer.allowed(100.0) == 1


def test_twenty_successes_give_one_slot_back_and_never_more_than_were_asked_for():
    pacer = opened(2)
    pacer.limited(10.0, started_at=9.0, wait=0.0)
    for _ in range(19):
        pacer.answered()
    assert pacer.ceiling == 1
    pacer.answered()
    assert pacer.ceiling == 2
    for _ in range(100):
        pacer.answered()
    assert pacer.ceiling == 2


@pytest.mark.parametrize(
    ("retry_after", "expected"),
    [
        (7.0, 7.0),
        (0.0, 0.25),
        (3600.0, 120.0),
        (-5.0, 0.25),
        (NOW + timedelta(seconds=30), 30.0),
        (NOW - timedelta(seconds=30), 0.25),
        (NOW + timedelta(days=1), 120.0),
    ],
)
def test_what_the_provider_asks_for_is_honoured_within_reason(retry_after, expected):
    assert seconds_to_wait(Policy(), 1, retry_after, NOW, chance=0.5) == expected


@pytest.mark.parametrize("nonsense", [None, float("nan"), float("inf")])
def test_without_a_usable_request_the_wait_doubles_up_to_a_limit_with_a_part_left_to_chance(nonsense):
    waits = [seconds_to_wait(Policy(), tries, nonsense, NOW, chance=0.0) for tries in (1, 2, 3, 20)]
    assert waits == [1.0, 2.0, 4.0, 120.0]
    assert seconds_to_wait(Policy(), 3, nonsense, NOW, chance=1.0) == 2.0


@pytest.mark.parametrize(
    ("milliseconds", "text", "expected"),
    [
        (None, None, None),
        (None, "7", 7.0),
        (None, "1.5", 1.5),
        ("250", "9", 0.25),
        ("soon", "9", 9.0),
        (None, "Wed, 01 Jul 2026 09:00:00 GMT", NOW),
        (None, "tomorrow", None),
        (None, "", None),
    ],
)
def test_the_headers_are_read_as_seconds_milliseconds_or_a_date(milliseconds, text, expected):
    assert read_retry_after(milliseconds, text) == expected
