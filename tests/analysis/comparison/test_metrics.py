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
from reportgen.publishing.changes import name_marked, say_mean_briefly, say_split
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


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(
    ("before", "after", "turned", "said"),
    [
        (["v1"], ["v2"], True, "index: v1 before, v2 now"),
        (["a", "b", "b"], ["c", "d", "d"], True, "index: b (2), a (1) before; d (2), c (1) now"),
        (["v1", None], ["v2", None], True, "index: (no label) (1), v1 (1) before; (no label) (1), v2 (1) now"),
        ([None], ["v2"], True, "index: (no label) before, v2 now"),
        (["v1"], ["v1", "v2"], False, "index, in other shares: v1 (2) before; v1 (1), v2 (1) now"),
        ([None], ["v2", None], False, "index, in other shares: (no label) (2) before; (no label) (1), v2 (1) now"),
    ],
)
def test_a_knob_is_turned_where_no_value_of_it_is_in_both_runs(before, after, turned, said, paired):
    count = max(len(before), len(after))
    sides = [
        [item(n, 10, 10, {"index": value} if value else ()) for n, value in zip(range(count), values * 2, strict=False)]
        for values in (before, after)
    ]
    (knob,) = find_knobs(*sides, paired=paired)
    assert knob.turned == turned
    assert say_knobs(compare(*sides)) == [said]


def test_more_knobs_than_are_named_are_counted():
    names = ["a", "b", "c", "d", "e", "f"]
    before, after = ([item(1, 1, 1, dict.fromkeys(names, value))] for value in "xy")
    assert "the change of a and b and c and d and 2 more" in say_advice(compare(before, after))


def test_spellings_of_one_name_are_one_knob_and_the_fact_goes_before_the_label():
    before = [item(1, 1, 1, {"top-k": "3"}, knobs={"top_k": "3"}), item(2, 1, 1, {"top-k": "3"})]
    after = [item(1, 1, 1, {"Top-K": "9"}, knobs={"top_k": "5"}), item(2, 1, 1, {"Top-K": "5"})]
    assert say_knobs(compare(before, after)) == ["top_k: 3 before, 5 now"]


def test_labels_that_are_spelled_otherwise_are_one_label():
    before = [item(f"a{n}", 10, 10, {"chunk-size": "small" if n % 2 else "large"}) for n in range(8)]
    after = [item(f"b{n}", 10, 10, {"Chunk_Size": "small" if n % 4 else "large"}) for n in range(8)]
    found = compare(before, after)
    assert found.knobs == ()
    assert [(label.label, label.undefined) for label in found.metrics[0].labels] == [("Chunk_Size", None)]


@pytest.mark.parametrize("ids", ["ab", "aa"])
def test_a_label_without_a_common_value_is_not_split_and_the_reason_is_said(ids):
    before, after = (
        [item(f"{ids[side]}{n}", 10, 10, {"index": f"v{side}-{n % 2}", "client": "xy"[n % 2]}) for n in range(8)]
        for side in (0, 1)
    )
    found = compare(before, after)
    client, index = found.metrics[0].labels
    assert (client.undefined, len(client.strata)) == (None, 2)
    assert (index.mix, index.rate, index.strata) == (None, None, ())
    assert say_split(index) == "not split into mix and rate, since no value is in both runs"


def test_a_knob_whose_values_are_in_both_runs_is_mixed():
    before = [item(n, 1, 1, {"a": "x", "same": "s", "mix": "pq"[n % 2], "id": str(n)}) for n in range(20)]
    after = [item(n, 1, 1, {"a": "y", "same": "s", "mix": "pq"[n % 4 == 0], "id": f"-{n}"}) for n in range(20)]
    found = find_knobs(before, after, paired=True)
    assert [(knob.name, knob.turned) for knob in found] == [("a", True), ("mix", False)]
    assert [knob.name for knob in find_knobs(before, after, paired=False)] == ["a"]
    assert find_knobs(before, [], paired=False) == ()


def test_what_the_trajectory_says_goes_before_a_label_and_absence_is_a_value():
    before = [item(1, 1, 1, {"strategy": "by label"}, knobs={"strategy": "by event", "top_k": "4"})]
    after = [item(1, 1, 1, {"engine": "by label"}, knobs={"strategy": "by event"})]
    assert [(knob.name, *knob.before, *knob.after) for knob in find_knobs(before, after, paired=True)] == [
        ("engine", "(no label)", "by label"),
        ("top_k", "4", "(no label)"),
    ]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=12))
def test_a_run_against_its_like_never_claims_anything(values):
    turns = [item(number, one, other) for number, (one, other) in enumerate(values)]
    found = compare(turns, turns)
    assert {metric.outcome for metric in found.metrics} == {"no-difference-found"}
    assert find_knobs(turns, turns, paired=True) == ()
    assert replace(found, run="b").moved == frozenset()
