"""What an answer cost: reading usages, finding the price of the day, and the sum."""

from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction

import pytest

from reportgen.analysis.pricing import (
    Tokens,
    Unpriced,
    cost_of,
    find_price,
    price_attempt,
    read_tokens,
    used_prices,
)
from reportgen.model.price import Price
from reportgen.model.verdict import Attempt, Judge, Verdict

JUDGE = Judge(provider="anthropic", model="claude-test-1")
ROW = {
    "provider": "anthropic",
    "model": "claude-test-1",
    "from": "2026-06-01",
    "in": "4",
    "out": "20",
    "cache_read": "0.20",
    "write_5m": "5",
    "write_1h": "8",
    "batch": "0.5",
    "us": "1.1",
    "source": "a test",
    "checked": "2026-11-30",
}


def price(**changes) -> Price:
    return Price.from_data({name: value for name, value in (ROW | changes).items() if value is not None})


def attempt(usage=None, asked_at=datetime(2026, 6, 10, tzinfo=UTC), **fields) -> Attempt:
    return Attempt(outcome="ok", asked_at=asked_at, seconds=1.0, usage=usage, **fields)


def verdict(*attempts: Attempt) -> Verdict:
    return Verdict(
        key="k", turn="t", call="turn", judge=JUDGE, rubric="r", evidence="e", outcome="ok", attempts=attempts
    )


def test_a_usage_of_anthropic_is_read_with_its_two_kinds_of_writing_to_the_cache():
    usage = {
        "input_tokens": 100,
        "cache_creation_input_tokens": 50,
        "cache_creation": {"ephemeral_5m_input_tokens": 20, "ephemeral_1h_input_tokens": 30},
        "cache_read_input_tokens": 7,
        "output_tokens": 9,
        "output_tokens_details": {"thinking_tokens": 4},
    }
    assert read_tokens(usage) == Tokens(input=100, output=9, write_5m=20, write_1h=30, read=7, thinking=4)
    assert read_tokens(usage).prompt == 157


def test_writing_without_a_breakdown_was_for_five_minutes():
    usage = {"input_tokens": 1, "cache_creation_input_tokens": 50, "output_tokens": 2}
    assert read_tokens(usage) == Tokens(input=1, output=2, write_5m=50)


def test_a_usage_of_openai_counts_cached_tokens_among_those_of_the_prompt():
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 80, "cache_write_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    assert read_tokens(usage) == Tokens(input=15, output=30, write_5m=5, read=80, thinking=20)


@pytest.mark.parametrize(
    "usage",
    [{}, {"input_tokens": "7", "output_tokens": 1}, {"input_tokens": -1, "output_tokens": 1}, {"tokens": 5}],
)
def test_a_usage_of_another_form_is_not_read_and_has_no_price(usage):
    assert read_tokens(usage) is None
    assert isinstance(price_attempt(attempt(usage), JUDGE, [price()]), Unpriced)


def test_each_kind_of_token_is_charged_at_its_own_rate():
    tokens = Tokens(input=1_000, output=100, write_5m=2_000, write_1h=500, read=10_000)
    # 1,000 * 4 + 100 * 20 + 2,000 * 5 + 500 * 8 + 10,000 * 0.20 = 22,000 for a million of tokens.
    assert cost_of(tokens, price(), {}) == Fraction(22_000, 1_000_000)


def test_a_batch_costs_half_and_a_place_in_the_united_states_a_tenth_more():
    tokens = Tokens(input=1_000_000, output=0)
    assert cost_of(tokens, price(), {"service_tier": "batch"}) == 2
    assert cost_of(tokens, price(), {"service_tier": "batch", "inference_geo": "us"}) == Fraction("2.2")
    usage = {"input_tokens": 1_000_000, "output_tokens": 0, "service_tier": "standard"}
    assert price_attempt(attempt(usage, batch="msgbatch_1"), JUDGE, [price()]) == 2


def test_a_long_prompt_is_charged_as_a_whole_at_the_higher_rates_cached_tokens_counted():
    long = {"over": 100_000, "in": "8", "out": "40", "cache_read": "1"}
    row = price(long=long)
    assert cost_of(Tokens(input=60_000, read=40_000, output=0), row, {}) == Fraction("0.248")
    assert cost_of(Tokens(input=60_000, read=40_001, output=0), row, {}) == Fraction("0.520001")


@pytest.mark.parametrize(
    ("changes", "usage", "said"),
    [
        ({"write_1h": None}, {}, "written to the cache for an hour"),
        ({"batch": None}, {"service_tier": "batch"}, "service_tier 'batch'"),
        ({}, {"service_tier": "priority"}, "service_tier 'priority'"),
        ({}, {"speed": "fast"}, "speed 'fast'"),
        ({"us": None}, {"inference_geo": "us"}, "inference_geo 'us'"),
        ({}, {"inference_geo": ["us"]}, "inference_geo"),
    ],
)
def test_what_the_price_does_not_say_is_unknown_and_never_0(changes, usage, said):
    found = cost_of(Tokens(input=5, output=5, write_1h=5), price(**changes), usage)
    assert isinstance(found, Unpriced)
    assert said in found.reason


def test_a_rate_that_is_not_needed_may_be_unknown():
    assert cost_of(Tokens(input=1_000_000, output=0), price(cache_read=None, write_5m=None), {}) == 4


def test_the_price_is_the_last_that_had_begun_on_the_day():
    rows = [price(), price(**{"from": "2026-10-07", "in": "3"})]
    days = {date(2026, 5, 31): None, date(2026, 6, 1): 4, date(2026, 10, 6): 4, date(2026, 10, 7): 3}
    for day, rate in days.items():
        found = find_price("anthropic", "claude-test-1", day, rows)
        assert (found.input if found else None) == rate


def test_the_day_of_a_request_is_its_day_in_utc():
    usage = {"input_tokens": 1_000_000, "output_tokens": 0}
    rows = [price(), price(**{"from": "2026-10-07", "in": "3"})]
    late = datetime(2026, 10, 6, 23, 30, tzinfo=timezone(timedelta(hours=-2)))
    assert price_attempt(attempt(usage, late), JUDGE, rows) == 3


@pytest.mark.parametrize(
    ("model", "fits"),
    [
        ("claude-test-1", True),
        ("claude-test-1-20260601", True),
        ("claude-test-1-2026-06-01", True),
        ("claude-test-1-5", False),
        ("claude-test-12", False),
        ("claude-test-1-latest", False),
        ("claude-test", False),
    ],
)
def test_a_row_fits_its_model_and_the_same_with_the_day_of_its_release(model, fits):
    assert (find_price("anthropic", model, date(2026, 7, 1), [price()]) is not None) == fits


def test_a_row_of_the_very_same_name_goes_before():
    rows = [price(**{"from": "2026-06-02"}), price(model="claude-test-1-20260601", **{"in": "9"})]
    assert find_price("anthropic", "claude-test-1-20260601", date(2026, 7, 1), rows).input == 9


def test_a_row_of_another_provider_does_not_fit():
    assert find_price("openai", "claude-test-1", date(2026, 7, 1), [price()]) is None


def test_the_model_that_answered_is_charged_and_not_the_one_that_was_asked():
    usage = {"input_tokens": 1_000_000, "output_tokens": 0}
    rows = [price(), price(model="claude-other", **{"in": "9"})]
    assert price_attempt(attempt(usage, model="claude-other"), JUDGE, rows) == 9
    unknown = price_attempt(attempt(usage, model="claude-unheard-of"), JUDGE, rows)
    assert unknown == Unpriced("no price is known for anthropic:claude-unheard-of on 2026-06-10")


def test_a_request_without_usage_costs_nothing_that_is_known():
    assert price_attempt(attempt(None), JUDGE, [price()]) is None


def test_the_prices_of_a_run_are_those_that_were_used():
    rows = [price(), price(**{"from": "2026-10-07"}), price(model="claude-other")]
    usage = {"input_tokens": 1, "output_tokens": 1}
    assert used_prices([verdict(attempt(usage), attempt(None))], rows) == (rows[0],)
    assert used_prices([verdict(attempt(None))], rows) == ()
