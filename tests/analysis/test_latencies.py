"""Latencies: over the turns that state them, never over others as 0."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.latencies import build_latencies, quantile
from reportgen.model.turn import Drawn, Latency
from tests.analysis.makers import make_plain, make_row


def make_timed(totals, **changes):
    return [
        make_row(make_plain(80), number, latency=None if total is None else Latency(total_ms=total), **changes)
        for number, total in enumerate(totals)
    ]


def test_a_latency_that_is_not_stated_is_counted_and_is_in_no_figure():
    total, retrieval, _ = build_latencies(make_timed([100.5, None, 0, 200]))
    assert (total.n, total.missing) == (3, 1)
    assert (total.mean, total.median) == (Fraction(601, 6), Fraction(201, 2))
    assert (retrieval.n, retrieval.missing, retrieval.mean) == (0, 4, None)
    assert retrieval.undefined == "no turn states it"
    assert build_latencies([])[0].undefined == "no turns"


def test_a_95th_percentile_needs_twenty_turns():
    few, many = (build_latencies(make_timed(range(1, count + 1)))[0] for count in (19, 21))
    assert few.p95 is None
    assert few.undefined == "no 95th percentile: fewer than 20 turns state it"
    assert (many.p95, many.undefined) == (20, None)


def test_a_drawn_sample_has_its_weighted_mean_alone():
    drawn = [Drawn(strata=("a",), population=size, drawn=1, seed="s", source="0" * 64) for size in (1, 3)]
    rows = [
        make_row(make_plain(80), latency=Latency(total_ms=ms), drawn=how)
        for ms, how in zip((100, 200), drawn, strict=True)
    ]
    total = build_latencies(rows)[0]
    assert (total.mean, total.median, total.p95) == (175, None, None)
    assert "drawn sample" in total.undefined


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=60), st.integers(0, 100))
def test_quantiles_are_those_of_numpy(values, percent):
    found = quantile(sorted(map(Fraction, values)), Fraction(percent, 100))
    assert np.isclose(float(found), np.percentile(values, percent))
