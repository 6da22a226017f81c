"""Strata against all other turns, their ranks, and how far scores tell turns apart."""

from fractions import Fraction

import pytest

from reportgen.analysis.canaries import build_canary_check
from reportgen.analysis.caveats import check_run
from reportgen.analysis.contrasts import contrast_means, side_of
from reportgen.analysis.distribution import build_score_facts
from reportgen.analysis.estimates import estimate_mean, estimate_median
from reportgen.analysis.multiplicity import adjust_holm
from reportgen.analysis.strata import build_breakdowns
from reportgen.analysis.summary import build_summary
from tests.analysis.makers import RUBRIC, make_rows
from tests.test_prose import JUDGES, build_manifest

BANDS = [band.id for band in RUBRIC.bands]


def break_down(groups, **changes):
    rows = [row for name, scores in groups.items() for row in make_rows(scores, labels={"client": name}, **changes)]
    return {stratum.value: stratum for stratum in build_breakdowns(rows, ["client"], BANDS)[0].strata}


GOOD, WEAK, MIXED = [90, 92, 94, 96, 88] * 7, [40, 50, 30, 45, 55] * 7, [60, 95, 80, 75, 90] * 7


def test_a_stratum_is_held_against_its_complement_and_holm_counts_the_lines():
    found = break_down({"a": GOOD, "b": WEAK, "c": MIXED})
    plain = []
    for name, scores in (("a", GOOD), ("b", WEAK), ("c", MIXED)):
        rest = [
            value for other, values in (("a", GOOD), ("b", WEAK), ("c", MIXED)) if other != name for value in values
        ]
        one, other = (side_of(values, range(len(values))) for values in (scores, rest))
        contrast = contrast_means(one, other)
        plain.append(contrast.p_value)
        assert float(found[name].rest.difference.value) == pytest.approx(contrast.difference, abs=1e-6)
        assert found[name].rest.difference.df == pytest.approx(contrast.df, abs=1e-5)
    assert [found[name].rest.p_value for name in "abc"] == pytest.approx(adjust_holm(plain), abs=1e-6)
    assert found["b"].rest.differs


def test_two_strata_are_one_question():
    found = break_down({"a": GOOD, "b": [value - 3 for value in GOOD]})
    contrast = contrast_means(side_of(GOOD, range(35)), side_of([value - 3 for value in GOOD], range(35)))
    assert found["a"].rest.p_value == found["b"].rest.p_value == pytest.approx(contrast.p_value, abs=1e-6)


def test_a_sure_difference_below_two_points_is_not_marked():
    found = break_down({"a": [90, 90.5] * 100, "b": [91, 91.5] * 100})
    assert found["a"].rest.p_value < 0.001
    assert not found["a"].rest.differs


def test_ranks_are_for_strata_of_thirty_turns_and_equal_means_share_one():
    found = break_down({"a": GOOD, "b": GOOD, "c": WEAK, "few": [100, 99]})
    assert {name: stratum.rank for name, stratum in found.items()} == {"a": 1, "b": 1, "c": 3, "few": None}


def test_a_stratum_without_a_score_and_one_that_is_all_there_is_are_not_tested():
    found = break_down({"a": GOOD, "b": [None, None]})
    assert (found["b"].rest.p_value, found["b"].rest.difference.undefined) == (None, "no turn was scored")
    assert found["a"].rest.difference.undefined == "no other turn was scored"
    assert not found["a"].rest.differs


def test_with_five_clients_the_rest_counts_clients():
    groups = {name: [80 + place, 85, 90, 70] for place, name in enumerate("abcdef")}
    one = break_down(groups)["a"]
    # The stratum is one client, whose turns count alone; the rest are five clients.
    rest = side_of([value for name in "bcdef" for value in groups[name]], [name for name in "bcdef" for _ in range(4)])
    assert rest.spread.clusters == 5
    assert one.rest.difference.df == pytest.approx(contrast_means(side_of(groups["a"], range(4)), rest).df, abs=1e-5)


@pytest.mark.parametrize(
    ("scores", "value", "why"),
    [
        ([], None, "no turns"),
        ([None], None, "no turn was scored"),
        ([80], 80, "too few turns for an interval of the median"),
        ([80, 90], 85, "too few turns for an interval of the median"),
        ([80, 90, 100, 70, 60], 80, "too few turns for an interval of the median"),
    ],
)
def test_a_median_of_few_has_a_value_and_the_reason_why_it_has_no_interval(scores, value, why):
    found = estimate_median(make_rows(scores))
    assert (found.value, found.low, found.undefined) == (value, None, why)


def test_the_most_frequent_score_is_the_highest_of_those_that_tie():
    facts = build_score_facts(make_rows([100, 100, 50, 50, 70, None]))
    assert (facts.mode, facts.at_mode.value, facts.distinct) == (100, Fraction(2, 5), 3)
    assert (facts.at_mode.n, facts.median.value) == (5, 70)


def test_no_score_has_no_most_frequent_one():
    facts = build_score_facts(make_rows([None]))
    assert (facts.mode, facts.at_mode.value, facts.distinct) == (None, None, 0)


def caveats_of(scores, **changes):
    rows = make_rows(scores, **changes)
    manifest = build_manifest(JUDGES["live"], len(rows), None)
    summary, facts = build_summary(rows, RUBRIC), build_score_facts(rows)
    return {item.slug for item in check_run(manifest, summary, facts, rows, build_canary_check(manifest, None))}


def test_one_conversation_is_a_caveat():
    assert "one-cluster" in caveats_of([80, 90] * 20, conversation="c")
    assert "one-cluster" not in caveats_of([80, 90] * 20)
    assert caveats_of([80]) & {"one-cluster", "few-turns"} == {"few-turns"}


def test_a_wide_interval_is_a_caveat():
    assert "wide-interval" in caveats_of([0, 100] * 20)
    assert "wide-interval" not in caveats_of([70, 90] * 20)


def test_near_constant_scores_are_a_caveat():
    assert "near-constant" in caveats_of([100] * 38 + [50, 60])
    assert "near-constant" not in caveats_of([100] * 9)
    assert "near-constant" not in caveats_of([100] * 30 + [90] * 10)


def test_equal_scores_keep_the_interval_of_what_may_be_unseen():
    found = estimate_mean(make_rows([100] * 10))
    assert (found.value, found.high) == (100, 100)
    assert found.low == pytest.approx(100 * 0.025 ** (1 / 10), abs=1e-5)
