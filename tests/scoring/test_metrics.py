"""Dimensions that are metrics of their own: one call that fails costs its own metric and no other."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.quadrants import corner_of
from reportgen.errors import RubricError
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Reply, Verdict
from reportgen.rubrics import load_rubric
from reportgen.scoring.composite import score_turn
from reportgen.scoring.metrics import score_alone

RUBRIC = load_rubric("rag-1")
RELEVANCE, FAITHFULNESS = (dimension.id for dimension in RUBRIC.dimensions)
steps = st.integers(0, 20).map(lambda step: step / 20)


def make_turn(answer=None) -> Turn:
    return Turn.from_data(
        {
            "format": "reportgen/turn/1",
            "id": "t1",
            "captured_at": "2026-07-01T09:00:00Z",
            "question": "How many?",
            "agent": {"name": "helper"},
            "answer": answer or {"text": "It is 12."},
        }
    )


def make_verdict(call, value, outcome="ok", judge="m", sample=1) -> Verdict:
    reply = Reply(quotes=(), explanation="", scores={call: value}, verdict="good", addressed_judge=False)
    return Verdict(
        key="k",
        turn="t1",
        call=call,
        sample=sample,
        judge=Judge(provider="test", model=judge),
        rubric=RUBRIC.digest,
        evidence="e",
        outcome=outcome,
        reason=None if outcome == "ok" else "because",
        reply=reply if outcome == "ok" else None,
    )


def score(*verdicts, answer=None):
    return score_turn(make_turn(answer), verdicts, RUBRIC, "test:m")


def used(found):
    return {item.dimension: item.used for item in found.subscores}


@given(steps, steps)
def test_both_stand_alone_and_there_is_no_score_of_the_whole(relevance, faithfulness):
    found = score(make_verdict(RELEVANCE, relevance), make_verdict(FAITHFULNESS, faithfulness))
    assert (found.score, found.raw, found.band, found.unscored) == (None, None, None, None)
    assert used(found) == {RELEVANCE: Fraction(str(relevance)), FAITHFULNESS: Fraction(str(faithfulness))}
    for dimension, value in zip(RUBRIC.dimensions, (relevance, faithfulness), strict=True):
        alone = score_alone(found, dimension, RUBRIC)
        assert alone.score == 100 * Fraction(str(value))
        assert alone.band == ("good" if value >= 0.8 else "partial" if value >= 0.5 else "poor")


@pytest.mark.parametrize("failed", ["refused", "truncated", "invalid", "empty", "request_error", "gave_up"])
def test_a_call_that_failed_leaves_its_metric_without_a_value_and_the_other_stands(failed):
    found = score(make_verdict(RELEVANCE, 0.9), make_verdict(FAITHFULNESS, None, failed))
    assert (found.unscored, found.reason) == (failed, "because")
    assert used(found) == {RELEVANCE: Fraction(9, 10), FAITHFULNESS: None}
    other, alone = (score_alone(found, dimension, RUBRIC) for dimension in RUBRIC.dimensions)
    assert (other.score, other.unscored) == (90, None)
    assert (alone.score, alone.unscored, alone.reason) == (None, failed, "because")


def test_a_call_without_a_verdict_is_missing_and_not_low():
    found = score(make_verdict(FAITHFULNESS, 1))
    assert [item.failure for item in found.subscores] == ["missing", None]
    assert found.unscored == "missing"


def test_a_metric_that_does_not_apply_is_no_failure():
    found = score(
        make_verdict(RELEVANCE, 0.9), make_verdict(FAITHFULNESS, None), answer={"not_captured": "composed elsewhere"}
    )
    assert found.unscored is None
    alone = score_alone(found, RUBRIC.dimension(FAITHFULNESS), RUBRIC)
    assert (alone.score, alone.unscored) == (None, "not_applicable")


def test_a_call_that_gave_null_where_a_value_is_due_counts_as_invalid():
    found = score(make_verdict(RELEVANCE, 0.9), make_verdict(FAITHFULNESS, None))
    assert found.unscored == "invalid"


def test_of_several_readings_each_metric_has_the_median_of_its_own():
    repeated = [make_verdict(RELEVANCE, value, sample=number) for number, value in enumerate((0.2, 0.9, 0.8), 1)]
    found = score(*repeated, make_verdict(FAITHFULNESS, 1), make_verdict(FAITHFULNESS, 0, "refused", sample=2))
    assert used(found) == {RELEVANCE: Fraction(8, 10), FAITHFULNESS: 1}
    assert (found.readings.asked, found.readings.usable, found.readings.failures) == (3, 1, {"refused": 1})


def test_of_a_panel_too_each_metric_has_the_median_of_its_own():
    panel = [make_verdict(RELEVANCE, value, judge=judge) for judge, value in (("a", 0.4), ("b", 0.9))]
    panel += [make_verdict(FAITHFULNESS, 1, judge="a"), make_verdict(FAITHFULNESS, 0, "refused", judge="b")]
    assert used(score(*panel)) == {RELEVANCE: Fraction(65, 100), FAITHFULNESS: 1}


@given(steps, steps)
def test_a_turn_lies_in_the_corner_that_its_two_values_say(relevance, faithfulness):
    found = score(make_verdict(RELEVANCE, relevance), make_verdict(FAITHFULNESS, faithfulness))
    low = ("first_" if relevance < 0.7 else "") + ("second_" if faithfulness < 0.7 else "")
    names = {"": "both_high", "first_": "first_low", "second_": "second_low", "first_second_": "both_low"}
    assert corner_of(found, RUBRIC) == names[low]


def test_without_one_of_the_values_a_turn_lies_in_no_corner():
    assert corner_of(score(make_verdict(RELEVANCE, 0.9)), RUBRIC) is None
    assert corner_of(score(make_verdict(RELEVANCE, 0.9)), load_rubric("sql-agent-1")) is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("composite: false", "caps: [{id: c, when: empty-answer, ceiling: 5, sentence: s}]\ncomposite: false"), "cap"),
        (("  first: context-relevance", "  first: tone"), "'tone' is not a dimension"),
        (("  at_least: 0.7", "  at_least: 0"), "at_least"),
        (("  at_least: 0.7", "  at_least: 2"), "no value reaches 2"),
    ],
)
def test_a_rubric_that_contradicts_itself_is_refused(tmp_path, change, problem):
    from reportgen.rubrics import _FOLDER

    for path in _FOLDER.glob("rag-1*"):
        (tmp_path / path.name).write_text(path.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises(RubricError, match=problem):
        load_rubric(str(tmp_path / "rag-1.yaml"))
