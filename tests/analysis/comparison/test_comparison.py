"""What changed between two runs: turn by turn, between periods, by label, and what is not claimed."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.comparison.changes import mark_family, measure_change
from reportgen.analysis.comparison.comparing import compare_runs
from reportgen.analysis.comparison.labels import split_by_labels
from reportgen.analysis.comparison.movements import count_movements, count_transitions, find_movers
from reportgen.analysis.comparison.sides import Side, Sides, lay_out, score_of
from reportgen.model.instrument import Instrument
from reportgen.model.revision import Baseline, BaselineTurn
from reportgen.model.run import EvidenceLimits
from reportgen.model.verdict import Judge
from reportgen.publishing.changes import say_design, say_withdrawn
from reportgen.rubrics import load_rubric

RUBRIC = load_rubric("sql-agent-1")
BANDS = ["good", "partial", "poor"]
INSTRUMENT = Instrument(
    rubric="sql-agent-1",
    rubric_digest=RUBRIC.digest,
    prompts={"turn": 64 * "b"},
    judge=Judge(provider="anthropic", model="claude-opus-5-5", effort="medium"),
    evidence=EvidenceLimits(),
)


def item(name, score, client=None, **changes):
    """A turn with that score, which all dimensions share."""
    exact = None if score is None else Fraction(score)
    return BaselineTurn(
        id=str(name),
        labels={"client": client} if client else {},
        score=exact,
        band=None if exact is None else "good" if exact >= 75 else "partial" if exact >= 50 else "poor",
        subscores={} if exact is None else {dimension.id: exact / 10 for dimension in RUBRIC.dimensions},
        **changes,
    )


def side(turns, agents=("helper 1.0",), instrument=INSTRUMENT):
    return Side(instrument, agents, tuple(turns))


def baseline(turns, agents=("helper 1.0",), instrument=INSTRUMENT):
    return Baseline(run="june", seal=64 * "0", instrument=instrument, agents=agents, turns=tuple(turns))


def compare(before, after, **changes):
    return compare_runs(baseline(before, **changes), side(after), RUBRIC)


def paired(before, after):
    return lay_out([item(n, score) for n, score in enumerate(before)], [item(n, s) for n, s in enumerate(after)])[0]


def test_turns_are_joined_on_their_ids_and_those_of_one_run_only_are_counted():
    sides, overlap = lay_out([item(n, 80) for n in "abcd"], [item(n, 90) for n in "dcbx"])
    assert sides.paired
    assert [turn.id for turn in sides.before] == [turn.id for turn in sides.after] == ["d", "c", "b"]
    assert (overlap.common, overlap.only_before, overlap.only_after) == (3, 1, 1)


def test_with_less_than_half_of_the_smaller_run_in_common_two_periods_are_compared():
    before = [item(n, 80) for n in range(10)]
    assert lay_out(before, [item(n, 80) for n in (0, 1, 20, 30)])[0].paired
    assert not lay_out(before, [item(n, 80) for n in (0, 20, 30, 40)])[0].paired


def test_turns_of_one_id_that_ask_different_questions_are_not_one_turn():
    before = [item(n, 80, asked_otherwise=n != 0) for n in range(4)]
    sides, overlap = lay_out(before, [item(n, 90) for n in range(4)])
    assert not sides.paired
    assert (overlap.common, overlap.asked_otherwise) == (1, 3)


def test_a_paired_change_is_the_paired_t_interval_with_its_detectable_effect():
    # d = 1, 2, 3, 4: mean 2.5, standard error 0.645497, t(3) = 3.182446 and 0.978472.
    change = measure_change(paired([50, 60, 70, 80], [51, 62, 73, 84]), score_of)
    assert (change.before, change.after, change.difference.value) == (65, Fraction(135, 2), Fraction(5, 2))
    assert (change.difference.low, change.difference.high) == pytest.approx((0.4457397, 4.5542603), abs=1e-6)
    assert change.detectable == pytest.approx((3.182446 + 0.978472) * 0.645497, abs=1e-5)
    assert change.p_value == pytest.approx(0.0304662, abs=1e-6)  # scipy.stats.ttest_rel


def test_a_change_between_periods_is_that_of_welch():
    # scipy.stats.ttest_ind([60, 70, 80], [20, 40, 60, 40], equal_var=False)
    before = [item(f"a{n}", score) for n, score in enumerate((20, 40, 60, 40))]
    after = [item(f"b{n}", score) for n, score in enumerate((60, 70, 80))]
    change = measure_change(lay_out(before, after)[0], score_of)
    assert change.difference.value == 30
    assert (change.p_value, change.difference.df) == pytest.approx((0.0308, 4.9091), abs=1e-4)


def test_a_change_of_subscores_is_on_their_own_scale():
    sides = lay_out([item(f"a{n}", s) for n, s in enumerate((20, 40, 60))], [item("b", 70), item("c", 90)])[0]
    points = measure_change(sides, score_of)
    subscores = measure_change(sides, lambda turn: turn.score / 10, top=10)
    assert subscores.difference.value * 10 == points.difference.value
    assert subscores.difference.high * 10 == pytest.approx(points.difference.high, abs=1e-4)


@pytest.mark.parametrize(
    ("before", "after", "value", "why"),
    [
        ([], [], None, "no turn of the baseline has such a figure"),
        ([80], [70], -10, "one turn gives no interval"),
        ([None, None], [80, 80], None, "no turn has both scores"),
        ([80, 90], [70, 80], -10, "all 2 differences are equal"),
        ([80] * 8, [80] * 8, 0, "all 8 differences are equal"),
    ],
)
def test_a_change_that_has_no_interval_says_why(before, after, value, why):
    change = measure_change(paired(before, after), score_of)
    assert (change.difference.value, change.difference.undefined) == (value, why)
    assert (change.difference.low, change.detectable) == (None, None)


def test_runs_that_are_the_same_say_what_share_could_differ_unseen():
    found = compare([item(n, 80) for n in range(10)], [item(n, 80) for n in range(10)])
    assert (found.outcome, found.mean.p_value) == ("no-difference-found", None)
    assert found.mean.unseen == pytest.approx(1 - 0.025**0.1, abs=1e-6)


def test_a_shift_that_is_the_same_for_all_turns_has_the_p_value_of_the_sign_test():
    found = compare([item(n, 80) for n in range(10)], [item(n, 70) for n in range(10)])
    assert (found.mean.p_value, found.outcome) == (pytest.approx(2 / 2**10, abs=1e-6), "worse")
    assert compare([item(1, 80)], [item(1, 70)]).outcome == "not-tested"


def test_two_turns_are_compared_with_a_very_wide_interval():
    change = measure_change(paired([80, 80], [70, 72]), score_of)
    assert change.difference.high - change.difference.low == pytest.approx(2 * 12.7062, abs=1e-3)


def test_clients_from_five_on_are_what_is_independent():
    before = [item(n, 80, f"c{n % 5}") for n in range(50)]
    after = [item(n, 80 - n % 5, f"c{n % 5}") for n in range(50)]
    change = measure_change(lay_out(before, after)[0], score_of)
    assert (change.difference.by, change.difference.clusters, change.difference.df) == ("client", 5, 4)


def test_each_turn_improved_worsened_or_kept_its_score():
    sides = paired([80, 80, 80, None, 80, None], [90, 70, 80, 80, None, None])
    moved = count_movements(sides)
    assert (moved.improved, moved.worsened, moved.unchanged) == (1, 1, 1)
    assert (moved.gained, moved.lost, moved.neither) == (1, 1, 1)


def test_transitions_count_each_way_from_band_to_band():
    counts = {(t.before, t.after): t.turns for t in count_transitions(paired([80, 80, 60], [40, 80, 80]), BANDS)}
    assert len(counts) == 9
    assert {way: count for way, count in counts.items() if count} == {
        ("good", "poor"): 1,
        ("good", "good"): 1,
        ("partial", "good"): 1,
    }


def test_the_turns_that_moved_most_come_first_in_either_direction():
    movers = find_movers(paired([80] * 20, [80 + (-1) ** n * n for n in range(20)]))
    assert [mover.turn for mover in movers] == [str(n) for n in range(19, 9, -1)]
    assert find_movers(paired([80], [80])) == ()


scored = st.lists(st.tuples(st.integers(0, 100), st.sampled_from("abc")), min_size=1, max_size=20)


@given(scored, scored)
def test_mix_and_rate_are_exactly_the_change_of_the_mean(before, after):
    sides = Sides(
        False,
        [item(f"a{n}", score, client) for n, (score, client) in enumerate(before)],
        [item(f"b{n}", score, client) for n, (score, client) in enumerate(after)],
    )
    change = measure_change(sides, score_of).difference.value
    for label in split_by_labels(sides):
        if label.undefined is not None:
            assert not {client for _, client in before} & {client for _, client in after}
            continue
        assert label.mix + label.rate == change
        assert sum(line.share_before for line in label.strata) == sum(line.share_after for line in label.strata) == 1


def test_more_turns_of_a_weak_client_are_mix_and_no_change_of_its_own():
    """Simpson: both clients improve, the mean falls."""
    before = [item(f"a{n}", 90 if n else 50, "strong" if n else "weak") for n in range(10)]
    after = [item(f"b{n}", 55 if n else 95, "weak" if n else "strong") for n in range(10)]
    (label,) = split_by_labels(Sides(False, before, after))
    assert (label.mix, label.rate) == (-32, 5)
    assert all(line.rate > 0 for line in label.strata)


def test_a_client_that_is_new_changes_the_mean_by_mix_alone():
    before, after = [item("a", 90, "old")], [item("b", 90, "old"), item("c", 50, "new")]
    (label,) = split_by_labels(Sides(False, before, after))
    new = next(line for line in label.strata if line.value == "new")
    assert (new.change.before, new.mix, new.rate) == (None, -20, 0)


def test_beyond_what_a_table_holds_values_share_a_line():
    turns = [item(n, 80, f"client {n}") for n in range(80)]
    (label,) = split_by_labels(Sides(True, turns, turns))
    assert len(label.strata) == 50
    assert label.strata[0].value == "(31 other values)"


def noisy(random_, count, *, fall=0):
    """Turns of six clients with scores as they are, and as another reading by the same judge would give them."""
    before, after = [], []
    for number in range(count):
        client, score = f"client {number % 6}", random_.choice((100, 97, 95, 92, 88, 80, 70, 45))
        readings = [min(100, max(0, score + random_.choice((-5, -2, 0, 0, 2, 5)))) for _ in range(2)]
        before.append(item(number, readings[0], client))
        after.append(item(number, readings[1] - (fall if number % 6 == 4 else 0), client))
    return before, after


def test_a_regression_planted_in_one_client_is_found_and_attributed_to_it():
    before, after = noisy(random.Random(11), 180, fall=15)
    found = compare(before, after)
    (label,) = found.labels
    assert [line.value for line in label.strata if line.change.differs] == ["client 4"]
    worst = min(label.strata, key=lambda line: line.rate)
    assert (worst.value, label.mix) == ("client 4", 0)
    assert abs(worst.rate) > 10 * max(abs(line.rate) for line in label.strata if line is not worst)
    assert all(mover.after < mover.before for mover in found.movers)


def test_judging_again_rarely_looks_like_a_change():
    """With 200 copies judged again, a level of 5 % gives at most 20 false alarms in all but 1 of 1,000 cases."""
    source, alarms, marked = random.Random(7), 0, 0
    for _ in range(200):
        found = compare(*noisy(source, 60))
        alarms += found.outcome != "no-difference-found"
        marked += any(line.change.differs for label in found.labels for line in label.strata)
    assert alarms <= 20
    assert marked <= 20


def test_other_instruments_leave_the_figures_and_no_claim():
    other = INSTRUMENT.model_copy(update={"judge": INSTRUMENT.judge.model_copy(update={"effort": "high"})})
    before, after = noisy(random.Random(3), 180, fall=30)
    marked, found = compare(before, after), compare(before, after, instrument=other)
    assert [(item.key, item.before, item.after) for item in found.breaks] == [("effort", "high", "medium")]
    assert found.outcome is None
    assert found.mean.difference == marked.mean.difference
    assert any(line.change.differs for line in marked.labels[0].strata)
    assert not any(line.change.differs for line in found.labels[0].strata)


def test_of_different_systems_nothing_is_claimed():
    before, after = noisy(random.Random(3), 180, fall=30)
    found = compare(before, after, agents=("helper 0.9",))
    assert (found.other_system, found.outcome, found.breaks) == (True, None, ())


@pytest.mark.parametrize("gates", [(None, "pass"), ("pass", None), ("provisional", "pass"), ("fail", "not-estimable")])
def test_of_different_systems_nothing_is_claimed_until_the_gate_is_passed_in_both_runs(gates):
    before, after = noisy(random.Random(3), 180, fall=30)
    one = baseline(before, agents=("helper 0.9",)).model_copy(update={"gate": gates[0]})
    found = compare_runs(one, replace(side(after), gate=gates[1]), RUBRIC)
    assert (found.outcome, found.mean.differs, found.gates) == (None, False, gates)
    (said,) = say_withdrawn(found)
    assert "only where it passed its gate in both is a claim made" in said
    passed = compare_runs(one.model_copy(update={"gate": "pass"}), replace(side(after), gate="pass"), RUBRIC)
    assert (passed.outcome is not None, passed.other_system, say_withdrawn(passed)) == (True, True, [])
    assert any(line.change.differs for line in passed.labels[0].strata)


def test_the_p_values_of_a_family_are_those_of_holm_and_small_differences_are_not_marked():
    change = measure_change(paired([50, 60, 70, 80], [51, 62, 73, 84]), score_of)
    changes = [replace(change, p_value=p_value) for p_value in (0.02, 0.01, None)]
    assert [line.p_value for line in mark_family(changes)] == [0.02, 0.02, None]
    assert [line.differs for line in mark_family(changes)] == [True, True, False]
    assert not any(line.differs for line in mark_family(changes, least=3))


def test_a_drawn_sample_on_either_side_is_told():
    turns = [item(n, 80) for n in range(3)]
    whole, drawn = side(turns), replace(side(turns), sampled=True)
    assert not compare_runs(baseline(turns), whole, RUBRIC).sampled
    assert compare_runs(baseline(turns), drawn, RUBRIC).sampled
    assert "each drawn turn counts as one" in say_design(compare_runs(baseline(turns), drawn, RUBRIC))
