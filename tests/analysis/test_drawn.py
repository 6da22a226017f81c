"""Figures of a drawn sample: each turn stands for as many as its stratum has for each drawn one."""

import random
from dataclasses import replace
from fractions import Fraction
from statistics import mean

import pytest

from reportgen.analysis.drawing import allocate
from reportgen.analysis.estimates import estimate_mean, estimate_median, estimate_share
from reportgen.analysis.sampling import DrawnStratum, measure_sampling
from reportgen.analysis.strata import build_breakdowns
from reportgen.analysis.summary import build_summary
from reportgen.analysis.trend.days import build_days
from reportgen.model.turn import Drawn
from tests.analysis.makers import RUBRIC, make_rows


def draw(scores, client, population):
    """Rows of one stratum, of which so many captured turns there are."""
    drawn = Drawn(strata=("client",), population=population, drawn=len(scores), seed="s", source=64 * "f")
    return [replace(row, id=f"{client}-{row.id}", drawn=drawn) for row in make_rows(scores, labels={"client": client})]


SMALL, LARGE = draw([40, 60], "a", 20), draw([80, 90, 100, 90], "b", 80)


def test_a_mean_speaks_of_all_captured_turns():
    # 20 captured turns at 50 and 80 at 90.
    assert estimate_mean([*SMALL, *LARGE]).value == 82
    assert estimate_mean(SMALL).value == 50


def test_a_share_speaks_of_all_captured_turns():
    share = estimate_share([*SMALL, *LARGE], lambda row: row.labels["client"] == "a")
    assert share.value == Fraction(20, 100)
    assert share.low < 0.2 < share.high


def test_weights_that_are_all_the_same_change_nothing():
    plain = make_rows([40, 60, 80, 90, 100, 90])
    alike = [replace(row, drawn=Drawn(strata=(), population=60, drawn=6, seed="s")) for row in plain]
    assert estimate_mean(alike) == estimate_mean(plain)
    assert estimate_median(alike) == estimate_median(plain)


def test_the_interval_is_wider_where_few_turns_stand_for_many():
    heavy = [*draw([40, 60], "a", 980), *draw([80, 90, 100, 90] * 10, "b", 40)]
    width = [
        estimate.high - estimate.low
        for estimate in (estimate_mean(heavy), estimate_mean(draw([40, 60] * 20, "a", 980)))
    ]
    assert width[0] > 2 * width[1]


def test_bounds_for_unscored_turns_are_weighted_too():
    rows = [*draw([None, 60], "a", 20), *LARGE]
    summary = build_summary(rows, RUBRIC)
    assert (summary.bound_low, summary.bound_high) == (78, 88)


def test_a_median_of_turns_that_stand_for_different_numbers_is_not_given():
    estimate = estimate_median([*SMALL, *LARGE])
    assert estimate.value is None
    assert "stand for equally many" in estimate.undefined


def test_strata_are_held_against_the_rest_by_their_weights():
    other = draw([10, 20, 10, 20], "c", 400)
    (breakdown,) = build_breakdowns([*SMALL, *LARGE, *other], ["client"], [band.id for band in RUBRIC.bands])
    rest = {stratum.value: stratum.rest.difference.value for stratum in breakdown.strata}
    assert float(rest["b"]) == pytest.approx(90 - (20 * 50 + 400 * 15) / 420, abs=1e-6)


def test_what_was_drawn_of_what_is_stated():
    sampling = measure_sampling([*SMALL, *LARGE])
    assert (sampling.population, sampling.drawn, sampling.labels) == (100, 6, ("client",))
    assert sampling.strata == (DrawnStratum(("a",), 20, 2), DrawnStratum(("b",), 80, 4))
    assert measure_sampling(make_rows([50])) is None


def test_the_interval_covers_the_mean_of_what_was_drawn_from():
    draw_one, strata = random.Random(7), {"a": (55, 20, 600), "b": (80, 10, 300), "c": (95, 4, 100)}
    capture = {
        name: [min(100.0, max(0.0, draw_one.gauss(centre, spread))) for _ in range(size)]
        for name, (centre, spread, size) in strata.items()
    }
    truth = mean(value for values in capture.values() for value in values)
    sizes = allocate({name: len(values) for name, values in capture.items()}, 60, at_least=15)
    covered = 0
    for _ in range(150):
        rows = [
            row
            for name, values in capture.items()
            for row in draw(draw_one.sample(values, sizes[name]), name, len(values))
        ]
        estimate = estimate_mean(rows)
        covered += estimate.low <= truth <= estimate.high
    assert covered / 150 >= 0.93


def test_a_sample_has_no_trend_over_days_since_its_turns_were_not_drawn_by_day():
    assert build_days([*SMALL, *LARGE]).points == ()
    assert build_days(make_rows([50, 60])).points != ()
