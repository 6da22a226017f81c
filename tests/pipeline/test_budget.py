"""The limit on what a run may cost, request by request."""

from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from reportgen.errors import CostLimitError
from reportgen.model.verdict import Attempt, Judge, Verdict
from reportgen.pipeline.budget import Budget
from tests.analysis.test_pricing import price
from tests.judging.makers import keep_in

NOW = datetime(2026, 6, 10, tzinfo=UTC)
LIVE = Judge(provider="anthropic", model="claude-test-1")
RECORDED = Judge(provider="recorded", model="by-hand")


def verdict(dollars: int, judge=LIVE, **fields) -> Verdict:
    """A verdict whose one request cost so many dollars: a million of tokens of the prompt cost four."""
    usage = {"input_tokens": dollars * 250_000, "output_tokens": 0}
    attempt = Attempt(outcome="ok", asked_at=NOW, seconds=1.0, usage=usage, **fields)
    return Verdict(
        key="k", turn="t", call="c", judge=judge, rubric="r", evidence="e", outcome="ok", attempts=(attempt,)
    )


@dataclass
class Run:
    """Requests drawn through a budget, and verdicts kept through it."""

    budget: Budget
    kept: list

    def draw(self, most: int) -> int:
        """How many of so many requests may be sent at once."""
        return sum(1 for _ in self.budget.within(iter(range(most))))

    def keep(self, *verdicts: Verdict) -> None:
        self.budget.counting(keep_in(self.kept))(verdicts)


@pytest.fixture
def run():
    return lambda limit: Run(Budget(None if limit is None else Fraction(limit), [price()]), [])


def test_without_a_limit_all_may_be_sent(run):
    made = run(None)
    made.keep(verdict(1_000))
    assert made.draw(500) == 500
    made.budget.require_whole()


def test_requests_in_flight_are_taken_to_cost_what_the_others_did(run):
    made = run(10)
    assert made.draw(1) == 1
    made.keep(verdict(2))
    # $2 are spent and each further one is expected to cost as much: four more reach the $10 exactly.
    assert made.draw(100) == 4
    with pytest.raises(
        CostLimitError, match=r"\$2\.00 of \$10\.00 are spent on 1 verdict, and another would go beyond"
    ):
        made.budget.require_whole()


def test_a_limit_that_is_met_to_the_cent_is_not_passed(run):
    made = run(4)
    made.draw(1)
    made.keep(verdict(2))
    assert made.draw(1) == 1
    made.keep(verdict(2))
    made.budget.require_whole()
    assert made.draw(1) == 0


def test_what_turns_out_cheaper_lets_more_through_and_the_run_is_whole(run):
    made = run(10)
    made.draw(1)
    made.keep(verdict(4))
    assert made.draw(3) == 1
    made.keep(verdict(0))
    assert made.draw(2) == 2
    made.keep(verdict(0), verdict(0))
    made.budget.require_whole()


def test_what_an_earlier_session_spent_counts(run):
    made = run(10)
    made.budget.count([verdict(4), verdict(4)])
    assert made.draw(5) == 0
    with pytest.raises(CostLimitError, match=r"\$8\.00 of \$10\.00"):
        made.budget.require_whole()


def test_verdicts_are_kept_before_they_are_counted(run):
    made = run(10)

    def fail(_verdicts):
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - raised just above
        made.budget.counting(fail)([verdict(4)])
    assert made.budget.spent == 0


def test_recorded_verdicts_cost_nothing(run):
    made = run(1)
    made.budget.require_price(RECORDED, NOW)
    made.keep(verdict(100, judge=RECORDED))
    assert made.draw(5) == 5


def test_a_limit_without_a_price_is_refused(run):
    unknown = LIVE.model_copy(update={"model": "claude-unheard-of"})
    run(None).budget.require_price(unknown, NOW)
    run(1).budget.require_price(LIVE, NOW)
    with pytest.raises(CostLimitError, match="no price is known for anthropic:claude-unheard-of"):
        run(1).budget.require_price(unknown, NOW)


def test_an_answer_without_a_price_ends_the_run(run):
    made = run(100)
    made.draw(1)
    made.keep(verdict(1, model="claude-unheard-of"))
    assert made.draw(1) == 0
    with pytest.raises(CostLimitError, match="cannot be kept any more"):
        made.budget.require_whole()
