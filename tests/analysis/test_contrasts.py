"""The difference of two independent means, and the correction for many of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.contrasts import contrast_means, side_of
from reportgen.analysis.multiplicity import adjust_holm

p_values = st.lists(st.none() | st.floats(0, 1), max_size=20)


def side(values, clusters=None):
    return side_of(values, range(len(values)) if clusters is None else clusters)


def test_independent_scores_give_the_test_of_welch():
    from scipy.stats import ttest_ind

    one, other = [90, 95, 70, 88, 100, 62], [40, 80, 55, 75]
    found, known = contrast_means(side(one), side(other)), ttest_ind(one, other, equal_var=False)
    interval = known.confidence_interval()
    assert (found.p_value, found.df) == (pytest.approx(known.pvalue), pytest.approx(known.df))
    assert (found.low, found.high) == (pytest.approx(interval.low), pytest.approx(interval.high))


def test_swapping_the_sides_only_turns_the_sign():
    one, other = side([90, 95, 70]), side([40, 80, 55, 75])
    there, back = contrast_means(one, other), contrast_means(other, one)
    assert (there.difference, there.low, there.p_value) == (-back.difference, -back.high, back.p_value)


def test_clusters_widen_the_interval_of_a_difference():
    values = [90, 91, 92, 60, 61, 62, 75, 76, 77]
    alone = contrast_means(side(values), side([40, 50, 60]))
    together = contrast_means(side(values, [number // 3 for number in range(9)]), side([40, 50, 60]))
    assert together.high - together.low > alone.high - alone.low


def test_one_cluster_on_a_side_leaves_the_bare_difference():
    found = contrast_means(side([90, 80], ["a", "a"]), side([40, 50, 60]))
    assert (found.difference, found.low, found.p_value) == (35, None, None)


def test_no_score_is_no_side():
    assert side_of([], []) is None


def test_equal_scores_are_not_taken_as_certain():
    # Two turns at 100 say next to nothing; forty at 0 beside a mean of 90 say a lot.
    rest = side([85, 95] * 20)
    few, many = contrast_means(side([100, 100]), rest), contrast_means(side([0] * 40), rest)
    assert few.p_value > 0.2
    assert many.p_value < 1e-6
    assert many.low > -100


def test_two_sides_of_equal_scores_have_an_interval_too():
    found = contrast_means(side([80] * 5), side([80] * 5))
    assert found.difference == 0
    assert found.low < 0 < found.high
    assert found.p_value == 1


@given(p_values)
def test_holm_never_finds_less_than_bonferroni_nor_more_than_no_correction(values):
    count = sum(value is not None for value in values)
    for plain, corrected in zip(values, adjust_holm(values), strict=True):
        if plain is None:
            assert corrected is None
        else:
            assert plain <= corrected <= min(1, count * plain)


def test_no_comparison_needs_no_correction():
    assert adjust_holm([]) == []
    assert adjust_holm([None]) == [None]


@pytest.mark.real_data
def test_the_rejections_of_a_published_example_are_reproduced(shared):
    entries = json.loads((shared / "facts" / "reference_values.json").read_text())["values"]
    entry = next(entry for entry in entries if entry["id"] == "bh_1995")
    assert sum(value <= 0.05 for value in adjust_holm(entry["input"])) == entry["expected"][1]
