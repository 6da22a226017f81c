"""How a score comes about: known values worked out by hand, and laws that hold for any subscores."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.model.turn import Answer, Turn
from reportgen.model.verdict import Judge, Reply, Verdict
from reportgen.rubrics import load_rubric
from reportgen.scoring.composite import score_turn

RUBRIC = load_rubric("sql-agent-1")
DIMENSIONS = [dimension.id for dimension in RUBRIC.dimensions]
ANSWERED = {"text": "It is 12."}
NOT_CAPTURED = {"not_captured": "composed elsewhere"}
subscores = st.integers(0, 10)


def make_turn(answer=ANSWERED, statuses=("ok",)) -> Turn:
    return Turn.from_data(
        {
            "format": "reportgen/turn/1",
            "id": "t1",
            "captured_at": "2026-07-01T09:00:00Z",
            "question": "How many?",
            "agent": {"name": "helper"},
            "trajectory": [{"kind": "sql", "text": "select 1", "status": status} for status in statuses],
            "answer": answer,
        }
    )


def make_verdict(scores, outcome="ok", category="good") -> Verdict:
    reply = Reply(quotes=(), explanation="", scores=scores, verdict=category, addressed_judge=False)
    return Verdict(
        key="k",
        turn="t1",
        call="turn",
        judge=Judge(provider="test", model="m"),
        rubric=RUBRIC.digest,
        evidence="e",
        outcome=outcome,
        reason=None if outcome == "ok" else "because",
        reply=reply if outcome == "ok" else None,
    )


def score(values, answer=ANSWERED, statuses=("ok",), category="good"):
    scores = dict(zip(DIMENSIONS, values, strict=True))
    return score_turn(make_turn(answer, statuses), [make_verdict(scores, category=category)], RUBRIC, "test:m")


def test_four_subscores_make_the_plain_weighted_mean():
    # 30*8 + 25*9 + 25*6 + 20*7 = 240 + 225 + 150 + 140 = 755, of 1000.
    assert score([8, 9, 6, 7]).score == Fraction(755, 10)


def test_without_a_captured_answer_the_other_weights_become_37_5_and_31_25_and_31_25():
    result = score([8, 9, 6, None], NOT_CAPTURED)
    assert [item.effective_weight for item in result.subscores] == [
        Fraction(375, 1000),
        Fraction(3125, 10000),
        Fraction(3125, 10000),
        None,
    ]
    # (30*8 + 25*9 + 25*6) / 800 = 615/800.
    assert result.score == Fraction(61500, 800)


def test_a_subscore_for_an_answer_that_was_not_captured_is_kept_but_not_used():
    result = score([8, 9, 6, 10], NOT_CAPTURED)
    assert result.score == score([8, 9, 6, None], NOT_CAPTURED).score
    assert result.subscores[3].given == 10
    assert result.subscores[3].used is None
    assert "10 was given" in (result.subscores[3].note or "")


def test_a_missing_subscore_for_a_captured_answer_leaves_the_turn_unscored():
    result = score([8, 9, 6, None])
    assert result.score is None
    assert result.unscored == "invalid"
    assert "answer-faithfulness" in (result.reason or "")


@pytest.mark.parametrize("outcome", ["refused", "truncated", "invalid", "empty", "request_error", "gave_up"])
def test_a_failed_verdict_leaves_the_turn_unscored_with_its_reason(outcome):
    result = score_turn(make_turn(), [make_verdict({}, outcome)], RUBRIC, "test:m")
    assert (result.score, result.raw, result.band, result.unscored, result.reason) == (
        None,
        None,
        None,
        outcome,
        "because",
    )


def test_a_turn_without_any_verdict_is_unscored():
    assert score_turn(make_turn(), [], RUBRIC, "test:m").unscored == "missing"


def test_a_cap_pushes_down_and_says_that_it_did():
    result = score([10, 10, 10, 10], statuses=("error",))
    assert (result.raw, result.score, result.band) == (100, 25, "poor")
    assert [(cap.id, cap.lowered) for cap in result.caps] == [("all-sql-failed", True)]


def test_a_cap_above_the_raw_score_is_shown_but_changes_nothing():
    result = score([0, 1, 0, 0], statuses=("error",))
    assert result.score == result.raw == Fraction(5, 2)
    assert [(cap.id, cap.lowered) for cap in result.caps] == [("all-sql-failed", False)]


def test_recorded_subscores_off_the_scale_are_clamped_and_noted():
    result = score([12, -3, 10, 10])
    assert [item.used for item in result.subscores] == [10, 0, 10, 10]
    assert result.subscores[0].note == "clamped from 12"
    assert result.subscores[1].note == "clamped from -3"


@pytest.mark.parametrize(("values", "band"), [([10, 6, 6, 6], "partial"), ([9, 9, 6, 6], "good")])
def test_bands_are_decided_on_the_exact_value(values, band):
    # 300+150+150+120 = 720 -> 72.0, and 270+225+150+120 = 765 -> 76.5.
    assert score(values).band == band


def test_75_exactly_is_good_and_a_hair_less_is_not():
    # 30*10 + 25*10 + 25*0 + 20*10 = 750.
    assert (score([10, 10, 0, 10]).score, score([10, 10, 0, 10]).band) == (75, "good")
    # (30*10 + 25*0 + 25*10) / 800 * 1000 = 68.75; (30*9 + 25*10 + 25*3)/8 = 74.375.
    assert score([9, 10, 3, None], NOT_CAPTURED).band == "partial"


def test_the_categorical_verdict_is_compared_and_never_counted():
    assert score([10, 10, 10, 10], category="poor").score == 100
    assert score([10, 10, 10, 10], category="poor").agrees is False
    assert score([10, 10, 10, 10], category="good").agrees is True


@given(st.tuples(subscores, subscores, subscores, subscores))
def test_the_score_is_the_sum_of_its_contributions_and_stays_on_the_scale(values):
    result = score(values)
    assert result.raw == sum(item.contribution for item in result.subscores)
    assert 0 <= result.score <= 100
    assert sum(item.effective_weight for item in result.subscores) == 1


@given(st.tuples(subscores, subscores, subscores, subscores), st.integers(0, 3))
def test_a_better_subscore_never_lowers_the_score(values, place):
    better = [min(value + (number == place), 10) for number, value in enumerate(values)]
    assert score(better).score >= score(values).score


@given(st.tuples(subscores, subscores, subscores, subscores))
def test_a_cap_never_raises_a_score(values):
    assert score(values, statuses=("error",)).score <= score(values).score


@given(st.tuples(subscores, subscores, subscores, subscores))
def test_a_score_reads_back_as_it_was_written(values):
    result = score(values, statuses=("error",))
    assert type(result).from_data(result.to_data()) == result


def test_turn_without_answer_is_never_scored_as_zero_faithfulness():
    assert score([10, 10, 10, None], NOT_CAPTURED).score == 100


def test_answer_object_needs_text_or_a_reason():
    with pytest.raises(ValueError, match="not_captured"):
        Answer()
