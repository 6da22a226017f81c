"""Several readings of one turn: medians, failures, and the judges of a panel."""

from fractions import Fraction

import pytest

from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Reply, Verdict
from reportgen.rubrics import load_rubric
from reportgen.scoring.composite import score_turn

RUBRIC = load_rubric("sql-agent-1")
NAMES = tuple(dimension.id for dimension in RUBRIC.dimensions)
TURN = Turn.from_data(
    {
        "id": "t",
        "captured_at": "2026-07-01T09:00:00Z",
        "question": "How many?",
        "agent": {"name": "a"},
        "answer": {"text": "12"},
    }
)


def read(scores, category="good", sample=1, *, model="a", outcome="ok", note=None):
    scores = dict.fromkeys(NAMES, scores) if not isinstance(scores, tuple) else dict(zip(NAMES, scores, strict=True))
    reply = Reply(quotes=(), explanation="", scores=scores, verdict=category, addressed_judge=False)
    return Verdict(
        key="k",
        turn="t",
        call="turn",
        sample=sample,
        judge=Judge(provider="anthropic", model=model, note=note),
        rubric="r",
        evidence="e",
        outcome=outcome,
        reason=None if outcome == "ok" else f"{model} said no",
        reply=reply if outcome == "ok" else None,
    )


def score(*verdicts):
    return score_turn(TURN, verdicts, RUBRIC, "j")


def test_one_reading_has_neither_samples_nor_readings():
    once = score(read(8))
    assert once.readings is None
    assert all(item.samples is None for item in once.subscores)
    assert "samples" not in str(once.to_data())


@pytest.mark.parametrize(
    ("samples", "used"), [([8, 3, 9], 8), ([8, 9], Fraction(17, 2)), ([1, 9, 2, 8], 5), ([7, 7, 0], 7)]
)
def test_the_subscore_is_the_exact_median_of_the_samples(samples, used):
    found = score(*(read(value, sample=number) for number, value in enumerate(samples, start=1)))
    assert found.score == 10 * used
    assert all(item.samples == tuple(samples) for item in found.subscores)
    assert all(item.given == used for item in found.subscores)


@pytest.mark.parametrize(
    ("categories", "middle"),
    [
        (["good", "poor", "partial"], "partial"),
        (["good", "poor"], "poor"),
        (["good", "good", "partial", "poor"], "partial"),
        (["good", "good", "poor"], "good"),
    ],
)
def test_the_categorical_verdict_is_the_median_and_the_lower_of_two(categories, middle):
    assert score(*(read(8, category, number) for number, category in enumerate(categories, 1))).verdict == middle


def test_a_failed_sample_is_counted_and_the_others_score():
    found = score(read(8), read(9, sample=2, outcome="refused"), read(6, sample=3))
    assert found.score == 70
    assert found.readings.to_data() == {"by": "samples", "asked": 3, "usable": 2, "failures": {"refused": 1}}


def test_without_a_usable_sample_the_turn_is_unscored_with_the_first_reason():
    found = score(read(8, outcome="gave_up"), read(9, sample=2, outcome="refused"))
    assert (found.score, found.unscored, found.reason) == (None, "gave_up", "a said no")
    assert found.readings.failures == {"gave_up": 1, "refused": 1}


def test_each_sample_is_moved_to_the_scale_before_the_median():
    found = score(read(14), read(8, sample=2))
    assert found.score == 90
    assert found.subscores[0].note == "clamped from 14"


def test_a_panel_of_three_takes_the_median_and_of_two_the_mean():
    assert score(read(9), read(2, model="b"), read(8, model="c")).score == 80
    two = score(read(9), read(8, model="b"))
    assert (two.score, two.readings.by) == (85, "judges")


def test_a_judge_of_a_panel_that_was_asked_several_times_counts_once():
    found = score(read(2), read(4, sample=2), read(6, sample=3), read(8, model="b"))
    assert found.score == 60
    assert found.subscores[0].samples == (4, 8)


@pytest.mark.parametrize(("failing", "is_scored"), [("b", True), ("bc", False)])
def test_half_of_the_judges_rounded_up_must_have_given_a_verdict(failing, is_scored):
    found = score(*(read(8, model=model, outcome="refused" if model in failing else "ok") for model in "abc"))
    assert (found.score is not None) == is_scored
    assert found.readings.usable == 3 - len(failing)
    if not is_scored:
        assert found.reason == "Of 3 judges, 1 gave a usable verdict. The first that did not: b said no"


def test_what_a_note_says_makes_no_second_judge():
    found = score(read(8), read(6, sample=2, note="this model will retire"))
    assert found.readings.by == "samples"


def test_a_dimension_that_does_not_apply_has_no_samples_to_use():
    silent = TURN.model_copy(update={"answer": TURN.answer.model_copy(update={"text": None, "not_captured": "x"})})
    verdicts = [read((8, 8, 8, None)), read((6, 6, 6, None), sample=2)]
    found = score_turn(silent, verdicts, RUBRIC, "j")
    assert found.raw == 70
    assert (found.subscores[3].used, found.subscores[3].samples) == (None, (None, None))
