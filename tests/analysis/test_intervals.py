"""Interval estimates against values that others published or that follow by hand."""

import json
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.intervals import difference_interval, mean_interval, median_interval, share_interval
from reportgen.analysis.spread import spread_of_mean
from tests.analysis.api_schools import CLUSTERS, VALUES

scores = st.lists(st.floats(0, 100, allow_nan=False), min_size=2, max_size=40)


@pytest.mark.parametrize(
    ("hits", "size", "low", "high"),
    [
        # R binom::binom.confint, method wilson, as kept in the tests of statsmodels.
        (18, 20, 0.6989663547715128, 0.972133518786232),
        (4, 20, 0.0806576625797981, 0.4160174322518935),
        (4, 200, 0.00780442641634947, 0.05028708690582643),
        (0, 10, 0.0, 0.2775328),
    ],
)
def test_shares_of_independent_turns_have_the_wilson_interval(hits, size, low, high):
    interval = share_interval([True] * hits + [False] * (size - hits), range(size))
    assert interval.low == pytest.approx(low, abs=6e-8)
    assert interval.high == pytest.approx(high, abs=6e-8)


def test_a_share_of_all_has_an_upper_end_of_exactly_one():
    assert share_interval([True] * 7, range(7)).high == 1.0


def test_clusters_widen_the_interval_of_a_share():
    hits = [True] * 10 + [False] * 10
    alone = share_interval(hits, range(20))
    paired = share_interval(hits, [number // 5 for number in range(20)])
    assert paired.high - paired.low > alone.high - alone.low
    assert (paired.clusters, alone.clusters) == (4, 20)


def test_a_mean_of_independent_scores_uses_s_over_root_n_on_the_logit_scale():
    # mean 84, s² = 92.5, V = 18.5, t(4) = 2.776445; 84/16 has the logit 1.658228.
    interval = mean_interval([80, 90, 70, 85, 95], range(5))
    half = 2.7764451 * sqrt(18.5) * 100 / (84 * 16)
    assert (interval.low, interval.high) == (
        pytest.approx(100 / (1 + 2.718281828459045 ** -(1.6582281 - half)), abs=1e-4),
        pytest.approx(100 / (1 + 2.718281828459045 ** -(1.6582281 + half)), abs=1e-4),
    )


def test_equal_clusters_leave_one_degree_of_freedom_less_than_there_are():
    interval = mean_interval([10, 20, 30, 40, 50, 60], ["a", "a", "b", "b", "c", "c"])
    assert interval.df == pytest.approx(2)
    assert interval.clusters == 3


def test_a_dominant_cluster_costs_degrees_of_freedom():
    # One client with 60 % of the turns and four with 10 % each.
    clusters = ["big"] * 60 + [name for name in "abcd" for _ in range(10)]
    interval = mean_interval([(number * 37) % 100 for number in range(100)], clusters)
    assert interval.df == pytest.approx(2.1, abs=0.05)


def test_equal_scores_get_the_mass_that_could_have_stayed_unseen():
    interval = mean_interval([80.0] * 10, range(10))
    unseen = 1 - 0.025 ** (1 / 10)
    assert interval.low == pytest.approx(80 * (1 - unseen))
    assert interval.high == pytest.approx(80 + 20 * unseen)


@pytest.mark.parametrize("value", [0.0, 100.0])
def test_scores_that_are_all_at_a_limit_stay_within_it(value):
    interval = mean_interval([value] * 5, range(5))
    assert 0 <= interval.low <= value <= interval.high <= 100


@pytest.mark.parametrize("values", [[], [50.0]])
def test_fewer_than_two_units_give_no_interval(values):
    assert mean_interval(values, range(len(values))) is None


def test_one_cluster_gives_no_interval_of_a_mean():
    assert mean_interval([10.0, 90.0], ["a", "a"]) is None


def test_one_cluster_of_several_turns_gives_no_interval_of_a_share():
    assert share_interval([True, False], ["a", "a"]) is None
    assert share_interval([True], ["a"]).low == pytest.approx(0.2065, abs=1e-4)


def test_no_turn_gives_no_interval_of_a_share():
    assert share_interval([], []) is None


def test_scores_that_differ_within_clusters_of_equal_mean_fall_back_to_single_turns():
    within = mean_interval([40.0, 60.0, 40.0, 60.0], ["a", "a", "b", "b"])
    alone = mean_interval([40.0, 60.0, 40.0, 60.0], range(4))
    assert (within.low, within.high) == (alone.low, alone.high)


@given(scores)
def test_the_interval_of_a_mean_holds_the_mean_and_stays_on_the_scale(values):
    interval = mean_interval(values, range(len(values)))
    mean = sum(values) / len(values)
    assert -1e-9 <= interval.low <= mean + 1e-9
    assert mean - 1e-9 <= interval.high <= 100 + 1e-9


@pytest.mark.parametrize(
    ("size", "low", "high"),
    # Ranks of the sign test: 2·P(Bin(n, ½) < k) is .0313 for 6 and 1, .0414 for 20 and 6, .0352 for 100 and 40.
    [(6, 1, 6), (20, 6, 15), (100, 40, 61)],
)
def test_a_median_of_independent_scores_lies_between_order_statistics(size, low, high):
    interval = median_interval(list(range(1, size + 1))[::-1], range(size))
    assert (interval.low, interval.high) == (low, high)


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_fewer_than_six_scores_give_no_interval_of_a_median(size):
    assert median_interval([50.0] * size, range(size)) is None


def test_equal_scores_have_a_median_without_width():
    interval = median_interval([80.0] * 6, range(6))
    assert (interval.low, interval.high) == (80, 80)


def test_clusters_widen_the_interval_of_a_median():
    values = [number % 10 * 10 for number in range(100)]
    alone = median_interval(values, range(100))
    by_value = median_interval(sorted(values), [number // 10 for number in range(100)])
    assert by_value.high - by_value.low > alone.high - alone.low
    assert by_value.clusters == 10


def test_few_clusters_give_no_interval_of_a_median():
    assert median_interval([10, 20, 30, 40, 50, 60, 70], ["a", "a", "b", "b", "c", "c", "c"]) is None


@given(scores, st.integers(1, 10))
def test_the_interval_of_a_median_holds_the_median(values, clusters):
    interval = median_interval(values, [number % clusters for number in range(len(values))])
    ordered = sorted(values)
    if interval is not None:
        assert interval.low <= ordered[(len(ordered) - 1) // 2] <= ordered[len(ordered) // 2] <= interval.high


def test_about_95_of_100_intervals_hold_the_mean_and_the_median():
    """Coarse and short; `benchmarks/coverage.py` measures it finely."""
    import numpy as np

    rng, held = np.random.default_rng(1), {"mean": 0, "clustered": 0, "median": 0}
    draws = 600
    for _ in range(draws):
        values = np.minimum(rng.normal(80, 20, 40), 100).clip(0).tolist()
        held["mean"] += covers(mean_interval(values, range(40)), 77.98)
        held["median"] += covers(median_interval(values, range(40)), 80)
        clients = np.repeat(rng.normal(0, 10, 12), 4) + rng.normal(80, 12, 48)
        values = clients.clip(0, 100).tolist()
        held["clustered"] += covers(mean_interval(values, [number // 4 for number in range(48)]), 79.06)
    assert all(0.92 <= count / draws <= 0.985 for count in held.values()), held


def covers(interval, truth):
    return interval.low <= truth <= interval.high


@pytest.fixture(scope="module")
def known(shared):
    entries = json.loads(Path(shared, "facts/reference_values.json").read_text())["values"]
    return {entry["id"]: entry for entry in entries}


@pytest.mark.real_data
def test_the_published_example_of_a_mean_is_reproduced(known):
    entry = known["mean_t"]
    mean, deviation, size = entry["input"]["mean"], entry["input"]["sd"], int(entry["input"]["n"])
    step = deviation * sqrt((size - 1) / size)
    values = [mean - step, mean + step] * (size // 2)
    interval, spread = difference_interval(values, range(size)), spread_of_mean(values, range(size))
    assert [sqrt(spread.variance), interval.low, interval.high] == pytest.approx(
        entry["expected"], abs=entry["tolerance"]
    )


@pytest.mark.real_data
def test_the_published_cluster_sample_is_reproduced(known):
    variants, corrected = known["cluster_mean_variants"], known["cluster_mean_fpc"]
    spread, alone = spread_of_mean(VALUES, CLUSTERS), spread_of_mean(VALUES, range(len(VALUES)))
    assert sqrt(spread.variance) == pytest.approx(variants["computed"]["CR2"], abs=variants["tolerance"])
    assert spread.df == pytest.approx(variants["computed"]["CR2_df"], abs=variants["tolerance"])
    assert sqrt(alone.variance) == pytest.approx(variants["computed"]["naive"], abs=variants["tolerance"])
    assert sum(VALUES) / len(VALUES) == pytest.approx(corrected["expected"][0], abs=corrected["tolerance"])


@pytest.mark.real_data
def test_the_published_reference_values_of_wilson_are_reproduced(known):
    checked = 0
    for name, entry in known.items():
        if name.startswith(("wilson_", "newcombe1998_")):
            hits, size = int(entry["input"]["k"]), int(entry["input"]["n"])
            expected = entry["expected"] if name.startswith("wilson_") else entry["expected"][0]
            interval = share_interval([True] * hits + [False] * (size - hits), range(size))
            assert [interval.low, interval.high] == pytest.approx(expected, abs=entry["tolerance"]), name
            checked += 1
    assert checked >= 8
