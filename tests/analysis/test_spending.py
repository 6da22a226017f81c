"""What a run cost, from its verdicts."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest

from reportgen.analysis.spending import build_spending
from reportgen.model.run import Capture, EvidenceLimits, Manifest, Parent
from reportgen.model.verdict import Attempt, Judge, Verdict
from reportgen.publishing.spending import build_spending_table, say_spending
from tests.analysis.test_pricing import price

BEGAN = datetime(2026, 6, 10, 9, tzinfo=UTC)
PRICES = (price(),)
LIVE = Judge(provider="anthropic", model="claude-test-1")
RECORDED = Judge(provider="recorded", model="by-hand")
USAGE = {
    "input_tokens": 1_000,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 3_000,
    "output_tokens": 200,
    "output_tokens_details": {"thinking_tokens": 150},
}
"""1,000 * 4 + 3,000 * 0.20 + 200 * 20 for a million: $0.0086."""


def manifest(judge=LIVE, prices=PRICES, **fields) -> Manifest:
    base = {
        "run_id": "r",
        "program": "0.1.0",
        "rubric": "sql-agent",
        "rubric_version": 1,
        "rubric_digest": "0" * 64,
        "judge": judge,
        "evidence": EvidenceLimits(),
        "prompts": {},
        "sources": (),
        "capture": Capture(captured=1, turns=1),
        "started_at": BEGAN,
        "finished_at": BEGAN + timedelta(minutes=2, seconds=5.5),
        "prices": prices,
    }
    return Manifest(**(base | fields))


def attempt(outcome="ok", usage=USAGE, **fields) -> Attempt:
    status = 200 if usage else None
    return Attempt(
        **({"outcome": outcome, "asked_at": BEGAN, "seconds": 0.1, "usage": usage, "status": status} | fields)
    )


def verdict(*attempts: Attempt, judge=LIVE) -> Verdict:
    return Verdict(key="k", turn="t", call="c", judge=judge, rubric="r", evidence="e", outcome="ok", attempts=attempts)


def facts(spending) -> dict[str, str]:
    return dict(say_spending(spending))


def test_tokens_and_cost_are_those_of_all_requests_failed_ones_too():
    rejected = attempt("gave_up", None, status=429)
    spending = build_spending([verdict(attempt("invalid"), attempt()), verdict(rejected, attempt())], manifest())
    assert (spending.calls, spending.total.requests, spending.total.reported) == (2, 4, 3)
    assert spending.cost == spending.total.cost == Fraction("0.0258")
    assert spending.total.thinking == 450
    assert spending.cache_share == Fraction(3, 4)
    assert {name: (use.requests, use.cost) for name, use in spending.by_outcome.items()} == {
        "gave_up": (1, 0),
        "invalid": (1, Fraction("0.0086")),
        "ok": (2, Fraction("0.0172")),
    }
    assert spending.prices_checked == date(2026, 11, 30)


def test_times_are_summed_as_they_were_stored():
    spending = build_spending([verdict(attempt(), attempt(), attempt())], manifest())
    assert spending.request_seconds == Fraction(3, 10)
    assert spending.wall_seconds == Fraction("125.5")
    assert facts(spending)["Time of judging"] == "2 min 5 s from beginning to end, with any interruption"


def test_the_time_of_a_request_in_a_batch_is_that_of_the_batch_and_not_summed():
    in_batch = attempt(batch="b", seconds=3600.0, status=None)
    mixed = build_spending([verdict(in_batch), verdict(attempt())], manifest())
    assert (mixed.batched, mixed.request_seconds) == (1, Fraction(1, 10))
    assert facts(mixed)["Time of requests that went by themselves together"] == "0.1 s"
    assert not any(name.startswith("Time of") and "together" in name for name in facts(build_batched(in_batch)))


def build_batched(in_batch):
    return build_spending([verdict(in_batch)], manifest())


def test_a_run_all_in_batches_has_no_time_of_requests():
    spending = build_batched(attempt(batch="b", seconds=3600.0, status=None))
    assert (spending.batched, spending.request_seconds) == (1, None)
    assert spending.unanswered == 0
    assert spending.cost == Fraction("0.0043")


def test_a_request_that_ended_without_any_answer_is_counted_as_perhaps_charged():
    spending = build_spending([verdict(attempt("gave_up", None), attempt())], manifest())
    assert spending.unanswered == 1
    assert "1 ended without an answer, and may have been charged or not" in facts(spending)["Requests"]


def test_an_unknown_price_makes_the_cost_unknown_and_the_known_part_is_told():
    other = attempt(model="claude-unheard-of")
    spending = build_spending([verdict(attempt()), verdict(other)], manifest())
    assert spending.cost is None
    assert (spending.total.unpriced, spending.total.cost) == (1, Fraction("0.0086"))
    said = facts(spending)["Cost"]
    assert said.startswith("unknown, since no price is known for anthropic:claude-unheard-of on 2026-06-10 (1 answer)")
    assert said.endswith("$0.0086 for the other 1")


def test_without_prices_nothing_is_said_to_cost_0():
    spending = build_spending([verdict(attempt())], manifest(prices=None))
    assert spending.cost is None
    assert facts(spending)["Cost"].startswith("unknown")
    assert [row["cost"] for row in build_spending_table(spending)] == ["unknown"]
    assert spending.total.output == 200


@pytest.mark.parametrize("verdicts", [[], [verdict(judge=RECORDED)]])
def test_a_recorded_judge_was_not_asked_and_nothing_was_spent(verdicts):
    spending = build_spending(verdicts, manifest(judge=RECORDED, prices=None))
    assert not spending.asked
    assert say_spending(spending) == [("Cost", "No judge was asked; nothing was spent.")]
    assert build_spending_table(spending) == []


def test_a_live_judge_without_any_verdict_spent_nothing():
    spending = build_spending([], manifest())
    assert (spending.asked, spending.cost, spending.cache_share) == (True, 0, None)
    assert facts(spending)["Requests"] == "0 requests for 0 judge calls"
    assert facts(spending)["Tokens"] == "none were reported"


def test_figures_are_said_for_one_and_for_many():
    one = facts(build_spending([verdict(attempt())], manifest()))
    assert one["Requests"] == "1 request for 1 judge call"
    assert one["Tokens"] == (
        "4,000 in, 200 out (of which 150 for thinking); of those in, 3,000 were read from the provider's cache "
        "and 0 written to it"
    )
    assert one["Read from the provider's cache"] == "75.0\u00a0% of the tokens in"
    assert one["Cost"] == "$0.0086 at list prices, last checked on 30 November 2026"
    many = facts(build_spending([verdict(attempt())] * 1_000, manifest()))
    assert many["Cost"].startswith("$8.60 ")


def test_verdicts_of_a_parent_were_paid_for_there():
    parent = Parent(run="first", seal="0" * 64, relation="rescored")
    spending = build_spending([verdict(attempt())], manifest(parent=parent))
    assert spending.by_parent
    assert "Time of judging" not in facts(spending)
    assert "made for what this run was made from" in facts(spending)["Requests"]


def test_a_fixed_clock_tells_no_time():
    assert build_spending([verdict(attempt())], manifest(fixed_clock="the example")).wall_seconds is None
