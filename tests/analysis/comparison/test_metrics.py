"""Two runs by a rubric without a composite: each metric is held against itself, and knobs are named."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.comparison.comparing import compare_runs
from reportgen.analysis.comparison.knobs import find_knobs
from reportgen.analysis.comparison.sides import Side
from reportgen.model.instrument import Instrument
from reportgen.model.revision import Baseline, BaselineTurn
from reportgen.model.run import EvidenceLimits
from reportgen.model.verdict import Judge
from reportgen.publishing.advice import say_advice, say_knobs
from reportgen.publishing.changes import name_marked, say_mean_briefly
from reportgen.rubrics import load_rubric

RUBRIC = load_rubric("rag-1")
INSTRUMENT = Instrument(
    rubric="rag-1",
    rubric_digest=RUBRIC.digest,
    prompts={"turn": 64 * "b"},
    judge=Judge(provider="anthropic", model="claude-opus-5-5"),
    evidence=EvidenceLimits(),
)


def item(name, relevance, faithfulness, labels=(), **changes):
    values = {"context-relevance": relevance, "faithfulness": faithfulness}
    used = {key: None if value is None else Fraction(value, 20) for key, value in values.items()}
    return BaselineTurn(id=str(name), labels=dict(labels), subscores=used, **changes)


def compare(before, after, agents=("helper",)):
    baseline = Baseline(run="b", seal=64 * "0", instrument=INSTRUMENT, agents=("helper",), turns=tuple(before))
    return compare_runs(baseline, Side(INSTRUMENT, agents, tuple(after)), RUBRIC)


def many(relevance, faithfulness, strategy, count=30):
    """Turns that vary around these values."""
    return [
        item(number, relevance + number % 3, faithfulness - number * number % 4, {"strategy": strategy})
        for number in range(count)
    ]


def shifted(turns, **by):
    """The same turns with other values, by a noise that a program can repeat."""
    names = {"relevance": "context-relevance", "faithfulness": "faithfulness"}
    made = []
    for number, turn in enumerate(turns):
        moves = {names[key]: Fraction(value * 10 + number % 5 - 2, 200) for key, value in by.items()}
        used = {name: value + moves.get(name, 0) for name, value in turn.subscores.items()}
        made.append(turn.model_copy(update={"subscores": used, "labels": {"strategy": "mmr"}}))
    return made


def test_each_metric_has_its_own_pairs_change_and_outcome():
    before = [*many(8, 15, "dense"), item("lone", 10, None), item("other", None, 10)]
    after = [*shifted(before[:30], relevance=4), item("lone", 12, 3), item("other", 3, 10)]
    found = compare(before, after)
    relevance, faithfulness = found.metrics
    assert (relevance.mean.turns_after, faithfulness.mean.turns_after) == (31, 31)
    assert relevance.outcome == "better"
    assert float(relevance.mean.difference.value) == pytest.approx((20 * 30 + 10) / 31, abs=0.1)
    assert faithfulness.outcome == "no-difference-found"
    assert (found.outcome, found.mean.difference.undefined) == ("better", "the rubric has no composite")
    assert [line.change.turns_after for line in found.dimensions] == [31, 31]
    assert relevance.movement.lost == 0
    assert relevance.movement.gained == 1


def test_p_values_of_the_metrics_are_corrected_for_how_many_there_are():
    before = many(8, 12, "dense")
    found = compare(before, shifted(before, relevance=1, faithfulness=1))
    alone = compare(before, shifted(before, relevance=1))
    assert found.metrics[0].mean.p_value >= alone.metrics[0].mean.p_value


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ({"relevance": 4}, "Keep the change of strategy: Context relevance rose by 20.0 points (95"),
        ({"faithfulness": -4}, "Revert the change of strategy: Faithfulness fell by 20.0 points (95"),
        ({"relevance": 4, "faithfulness": -4}, "Neither keep nor revert the change of strategy without weighing"),
        ({}, "Neither keep nor revert the change of strategy on this evidence: Context relevance is the same in each"),
    ],
)
def test_whether_to_keep_or_to_revert_is_said_with_its_uncertainty(moves, said):
    before = many(8, 15, "dense")
    found = compare(before, shifted(before, **moves))
    assert say_advice(found).startswith(said)
    assert "\u00a0%" in say_advice(found)
    assert say_knobs(found) == ["strategy: dense before, mmr now"]


def test_where_claims_are_withheld_nothing_is_advised_or_marked():
    before = many(8, 15, "dense")
    found = compare(before, shifted(before, relevance=4), agents=("helper 2",))
    assert say_advice(found) == "Keep or revert: not said, since nothing is claimed here."
    assert name_marked(found) == []
    assert {metric.outcome for metric in found.metrics} == {None}
    assert "nothing is claimed" in say_mean_briefly(found, RUBRIC)


def test_two_periods_and_several_knobs_are_named_as_doubts():
    before = [turn.model_copy(update={"knobs": {"model": "small"}}) for turn in many(8, 15, "dense")]
    after = [
        turn.model_copy(update={"id": f"new-{turn.id}", "knobs": {"model": "large"}})
        for turn in shifted(many(8, 15, "dense"), relevance=4)
    ]
    said = say_advice(compare(before, after))
    assert said.startswith("Keep the change of model and strategy: ")
    assert "Several knobs were turned at once" in said
    assert said.endswith("The runs hold different turns, so what was asked may explain it as well.")


def test_a_knob_is_turned_where_each_run_has_one_value_and_mixed_otherwise():
    before = [item(n, 1, 1, {"a": "x", "same": "s", "mix": "pq"[n % 2], "id": str(n)}) for n in range(20)]
    after = [item(n, 1, 1, {"a": "y", "same": "s", "mix": "pq"[n % 4 == 0], "id": f"-{n}"}) for n in range(20)]
    found = find_knobs(before, after, paired=True)
    assert [(knob.name, knob.turned) for knob in found] == [("a", True), ("mix", False)]
    assert [knob.name for knob in find_knobs(before, after, paired=False)] == ["a"]
    assert find_knobs(before, [], paired=False) == ()


def test_a_label_goes_before_what_the_trajectory_says_and_its_absence_is_a_value():
    before = [item(1, 1, 1, {"strategy": "by label"}, knobs={"strategy": "by event", "top_k": "4"})]
    after = [item(1, 1, 1, knobs={"strategy": "by event"})]
    assert [(knob.name, *knob.before, *knob.after) for knob in find_knobs(before, after, paired=True)] == [
        ("strategy", "by label", "by event"),
        ("top_k", "4", "(no label)"),
    ]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=12))
def test_a_run_against_its_like_never_claims_anything(values):
    turns = [item(number, one, other) for number, (one, other) in enumerate(values)]
    found = compare(turns, turns)
    assert {metric.outcome for metric in found.metrics} == {"no-difference-found"}
    assert find_knobs(turns, turns, paired=True) == ()
    assert replace(found, run="b").moved == frozenset()
