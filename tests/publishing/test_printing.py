"""Numbers are printed by one set of rules."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.distribution import Bin
from reportgen.model.run import Estimate
from reportgen.publishing.charts import build_band_bar, build_histogram, build_whisker
from reportgen.publishing.printing import (
    plural,
    print_duration,
    print_interval,
    print_percents,
    print_score,
    print_share_interval,
)
from reportgen.rubrics import load_rubric

RUBRIC = load_rubric("sql-agent-1")


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=12).filter(any))
def test_printed_shares_add_to_exactly_100(counts):
    shares = [Fraction(text.split()[0]) for text in print_percents(counts)]
    assert sum(shares) == 100
    assert all(
        abs(share - Fraction(100 * count, sum(counts))) < Fraction(1, 10)
        for share, count in zip(shares, counts, strict=True)
    )


def test_a_mean_never_shows_an_edge_that_it_did_not_reach():
    assert print_score(Fraction(74_96, 100), RUBRIC) == "74.9"
    assert print_score(Fraction(9996, 100), RUBRIC) == "99.9"
    assert print_score(Fraction(75), RUBRIC) == "75.0"


def test_an_interval_that_does_not_exist_gives_its_reason():
    missing = Estimate(value=Fraction(3), n=1, undefined="one turn gives no interval")
    assert print_interval(missing, RUBRIC) == "one turn gives no interval"
    assert print_interval(Estimate(value=Fraction(80), low=71.25, high=88.0, n=9), RUBRIC) == "71.3 to 88.0"
    assert print_share_interval(Estimate(value=Fraction(1, 2), low=0.0, high=1e-05, n=9)) == "0.0\u00a0% to 0.1\u00a0%"


@pytest.mark.parametrize(
    ("milliseconds", "printed"), [(0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (None, "duration not captured")]
)
def test_durations(milliseconds, printed):
    assert print_duration(milliseconds) == printed


def test_plurals():
    assert [plural(count, "reply") for count in (0, 1, 2)] == ["0 replies", "1 reply", "2 replies"]


def test_a_bin_that_a_band_edge_runs_through_is_drawn_by_its_bands_the_lower_one_below():
    bins = [Bin(70, 80, 5, {"good": 2, "partial": 3}), Bin(100, 100, 6, {"good": 6})]
    shared, full = build_histogram(bins, RUBRIC.bands).columns
    lower, upper = shared.bars
    assert [(bar.band, bar.value) for bar in shared.bars] == [("partial", "3"), ("good", "2")]
    assert float(upper.y) + float(upper.height) == pytest.approx(float(lower.y), abs=0.02)
    assert shared.top == upper.y
    assert [bar.band for bar in full.bars] == ["good"]
    assert build_histogram([Bin(0, 10, 0, {})], RUBRIC.bands).columns[0].bars == ()


def test_the_bars_of_a_band_bar_fill_it_without_gaps():
    bars = build_band_bar([("good", 3), ("partial", 0), ("poor", 1)])
    assert [(bar.band, bar.x, bar.width) for bar in bars] == [("good", "0", "90"), ("poor", "90", "30")]
    assert build_band_bar([("good", 0)]) == ()


def test_a_chart_of_nothing_has_no_impossible_coordinates():
    histogram = build_histogram([], RUBRIC.bands)
    whisker = build_whisker(Estimate(n=0), RUBRIC.bands)
    assert whisker.at is None
    assert "nan" not in f"{histogram}{whisker}"
