"""Rank correlation and paired differences, held against reference values, and where there are none."""

from fractions import Fraction

import pytest
from scipy import stats

from reportgen.analysis.correlation import correlate_ranks
from reportgen.analysis.intervals import difference_interval


@pytest.mark.parametrize(
    ("x", "y", "rho"),
    [
        # Wikipedia's example of IQ and television, rho = -29/165
        ([106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17], -29 / 165),
        # heavy ties, where the shortcut 1 - 6 sum d^2 / (n^3 - n) gives 0 and 0.125
        ([2, 2, 3, 3, 2], [2, 3, 2, 2, 2], -0.4082482904638631),
    ],
)
def test_rank_correlations_with_known_values(x, y, rho):
    assert correlate_ranks(x, y).rho == pytest.approx(rho, abs=1e-12)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "3 turns or more"),
        ([1, 2], [1, 2], "3 turns or more"),
        ([5, 5, 5, 5], [1, 2, 3, 4], "one side is the same for all"),
        ([1, 2, 3], [1, 3, 2], "4 turns or more"),
        ([1, 2, 3, 4], [4, 3, 2, 1], "the ranks agree throughout"),
    ],
)
def test_where_there_is_no_interval_the_reason_is_given(x, y, reason):
    found = correlate_ranks(x, y)
    assert (found.low, found.high) == (None, None)
    assert reason in found.undefined


def test_without_clusters_the_interval_is_the_paired_t_interval():
    values = [1.5, -2.0, 0.25, 3.0, -0.5, 1.0]
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    found = difference_interval(values, range(6))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(("values", "clusters"), [([], []), ([1.0], [1]), ([1.0, 2.0], [1, 1]), ([3.0] * 4, range(4))])
def test_one_cluster_or_equal_differences_give_no_interval(values, clusters):
    assert difference_interval(values, clusters) is None


def test_reference_intervals_contain_their_value():
    assert correlate_ranks([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]).rho == pytest.approx(float(Fraction(4, 5)))
