"""Gates pass, fail, or cannot be decided."""

from datetime import UTC, date, datetime
from fractions import Fraction
from types import SimpleNamespace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.canaries import CanaryCheck, Untested
from reportgen.analysis.caveats import STRICT, Caveat
from reportgen.analysis.gates import GATES, Demand, Measured, check_gates, decide
from reportgen.analysis.trend.building import Trend
from reportgen.analysis.trend.series import Expectation
from reportgen.config import NO_GATES, CaveatSlug, GatesConfig
from reportgen.model.run import Estimate
from tests.publishing.conftest import make_failure, make_report, make_turn, make_verdict

NO_CANARIES = CanaryCheck(0, 0, 0, 0, (Untested("recorded:x", "its verdicts were replayed from a file"),), ())


def measure(cases, canaries=NO_CANARIES, caveats=(), trend=None):
    report = make_report(cases)
    rows = [entry.row for entry in report.turns()]
    return Measured(rows, report.findings.summary, canaries, caveats, trend or report.findings.trend, report.run.rubric)


def outcomes(measured, **gates):
    return [(result.about, result.state) for result in check_gates(GatesConfig.from_data(gates), measured)]


def only(measured, **gates):
    (result,) = check_gates(GatesConfig.from_data(gates), measured)
    return result


def scored(*scores):
    """Turns with that score each, all of one client."""
    turns = [make_turn(number, conversation=None) for number in range(len(scores))]
    return [(turn, make_verdict(turn, (score / 10,) * 4)) for turn, score in zip(turns, scores, strict=True)]


def test_each_gate_of_the_family_is_a_key_of_the_configuration_and_the_other_way_round():
    assert set(GATES) == set(GatesConfig.model_fields)


def test_without_gates_nothing_is_said():
    assert check_gates(NO_GATES, measure(scored(10))) == ()


@pytest.mark.parametrize(("limit", "state"), [(79.99, "passed"), (80, "passed"), (80.01, "failed")])
def test_the_mean_decides_by_its_exact_value(limit, state):
    assert only(measure(scored(70, 80, 90)), mean_at_least=limit).state == state


def test_by_interval_all_of_it_must_keep_the_limit():
    measured = measure(scored(*[70, 80, 90] * 10))
    low, high = measured.summary.mean.low, measured.summary.mean.high
    for limit, state in [(low - 0.1, "passed"), (80, "undecided"), (high + 0.1, "failed")]:
        assert only(measured, mean_at_least={"limit": round(limit, 3), "by": "interval"}).state == state
    assert only(measured, mean_at_least=80).state == "passed"


@pytest.mark.parametrize("by", ["value", "interval"])
@pytest.mark.parametrize("cases", [[], [(make_turn(), make_failure(make_turn()))]])
def test_without_a_scored_turn_no_figure_is_decided_and_the_reason_is_said(cases, by):
    measured = measure(cases)
    for gates in ({"mean_at_least": {"limit": 0, "by": by}}, {"poor_share_at_most": {"limit": 1, "by": by}}):
        result = only(measured, **gates)
        assert (result.state, result.reason) == ("undecided", result.estimate.undefined)
        assert result.reason in ("no turns", "no turn was scored")


def test_one_turn_gives_no_interval_to_decide_by():
    result = only(measure(scored(90)), mean_at_least={"limit": 50, "by": "interval"})
    assert (result.state, result.reason) == ("undecided", "one turn gives no interval")


def test_the_share_of_poor_turns_counts_scored_turns():
    turn = make_turn(9)
    measured = measure([*scored(40, 90, 90, 90), (turn, make_failure(turn))])
    assert only(measured, poor_share_at_most=0.25).state == "passed"
    assert only(measured, poor_share_at_most=0.24).state == "failed"


def test_the_share_without_a_score_counts_all_turns():
    turn = make_turn(9)
    measured = measure([*scored(40, 90, 90), (turn, make_failure(turn))])
    assert only(measured, unscored_share_at_most=0.25).state == "passed"
    assert only(measured, unscored_share_at_most=0.2499).state == "failed"
    assert only(measure(scored(5)), unscored_share_at_most=0).state == "passed"
    assert only(measure([]), unscored_share_at_most=1).state == "undecided"


def test_a_stratum_is_held_by_its_value_and_each_value_where_none_is_named():
    made = [make_turn(number, labels={"client": "AB"[number % 2]}) for number in range(4)]
    cases = [(turn, make_verdict(turn, (9 - 4 * (number % 2),) * 4)) for number, turn in enumerate(made)]
    measured = measure(cases)
    one = {"label": "client", "value": "B", "mean_at_least": 60}
    assert outcomes(measured, strata=[one]) == [("mean score for client B", "failed")]
    assert outcomes(measured, strata=[{"label": "client", "mean_at_least": 60}]) == [
        ("mean score for client A", "passed"),
        ("mean score for client B", "failed"),
    ]
    for gate in ({"label": "client", "value": "C", "mean_at_least": 0}, {"label": "planet", "mean_at_least": 0}):
        result = only(measured, strata=[gate])
        assert (result.state, result.reason) == ("undecided", "no turn bears that label")


@pytest.mark.parametrize(
    ("canaries", "state"),
    [
        (CanaryCheck(3, 3, 0, 0, (), ()), "passed"),
        (CanaryCheck(3, 2, 1, 0, (), ()), "failed"),
        (CanaryCheck(3, 1, 1, 1, (), ()), "failed"),
        (CanaryCheck(3, 2, 0, 1, (), ()), "undecided"),
        (CanaryCheck(3, 3, 0, 0, (Untested("a:b", "canaries were switched off"),), ()), "undecided"),
        (NO_CANARIES, "undecided"),
    ],
)
def test_a_canary_that_failed_or_was_not_asked_is_not_passed(canaries, state):
    result = only(measure(scored(90), canaries), no_failed_canary=True)
    assert result.state == state
    assert result.reason


def make_trend(days=(), runs=()):
    """Days of a run, and runs of which it is the last; for each whether it fell, None without a past."""
    figure, moment = Estimate(value=Fraction(70), n=9), datetime(2026, 7, 1, tzinfo=UTC)
    told = [None if fell is None else Expectation(80.0, 75.0, 3, 0.01, fell) for fell in (*days, *runs)]
    points = tuple(
        SimpleNamespace(day=date(2026, 7, number), mean=figure, expectation=item)
        for number, item in enumerate(told[: len(days)], start=1)
    )
    series = tuple(
        SimpleNamespace(run=f"run-{number}", last=moment, mean=figure, expectation=item)
        for number, item in enumerate(told[len(days) :], start=1)
    )
    return Trend(SimpleNamespace(points=points), series)


@pytest.mark.parametrize(
    ("days", "runs", "state"),
    [
        ([], [], "undecided"),
        ([None, None], [None], "undecided"),
        ([None, False], [], "passed"),
        ([None, True], [], "failed"),
        ([], [None, False], "passed"),
        ([None], [None, None, True], "failed"),
        ([None, False], [None, True, False], "passed"),
        ([], [None, True, None], "undecided"),
    ],
)
def test_a_regression_is_one_of_the_run_itself_and_not_of_an_earlier_one(days, runs, state):
    result = only(measure(scored(90), trend=make_trend(days, runs)), no_regression=True)
    assert result.state == state
    assert state != "failed" or result.reason.endswith(("the day 2026-07-02", f"the run run-{len(runs)}"))


def test_the_days_of_a_run_of_one_day_say_nothing():
    assert only(measure(scored(90, 80)), no_regression=True).state == "undecided"


def test_a_caveat_that_is_not_to_be_fails_its_gate():
    measured = measure(scored(90), caveats=(Caveat("few-turns", "Few."),))
    assert outcomes(measured, no_caveats=["few-turns", "clamped"]) == [
        ("no caveat few-turns", "failed"),
        ("no caveat clamped", "passed"),
    ]


def test_the_caveats_of_strict_can_be_named_in_a_gate():
    assert set(get_args(CaveatSlug)) >= STRICT


percents = st.fractions(0, 100)


@given(percents, percents, percents, percents, st.sampled_from(["at least", "at most"]))
def test_what_passes_by_its_interval_passes_by_its_value(one, other, third, limit, side):
    low, value, high = sorted([one, other, third])
    estimate = Estimate(value=value, low=float(low), high=float(high), n=9)
    limit = Fraction(round(float(limit), 3))
    by_interval, by_value = (decide(estimate, Demand(side, limit, "score", by))[0] for by in ("interval", "value"))
    if abs(float(value) - float(limit)) > 1e-9 and by_interval != "undecided":
        assert by_interval == by_value
    assert by_value != "undecided"
