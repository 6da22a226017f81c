"""The test of equivalence of two judges on the same turns."""

import json
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest

from reportgen.analysis.comparison.sides import Sides, score_of
from reportgen.analysis.drift import measure_drift, measure_shift
from reportgen.analysis.equivalence import equivalence_power, run_tost, values_needed
from reportgen.model.revision import BaselineTurn
from reportgen.rubrics import load_rubric
from reportgen.scoring.bands import band_of

RUBRIC = load_rubric("sql-agent-1")
THREE = Fraction(3)


def make_sides(pairs, **changes):
    """Turns with the same score in each dimension, under both judges; a score of None is one without."""

    def build(number, score):
        if score is None:
            return BaselineTurn(id=str(number), **changes)
        exact = Fraction(score).limit_denominator(10**9)
        scores = {item.id: exact / 10 for item in RUBRIC.dimensions}
        band = band_of(exact, RUBRIC.bands).id
        return BaselineTurn(id=str(number), score=exact, band=band, subscores=scores, **changes)

    sides = ([build(number, pair[place]) for number, pair in enumerate(pairs)] for place in (0, 1))
    return Sides(True, *sides)


def shift_of(differences, start=60, **changes):
    return measure_shift(make_sides([(start, start + value) for value in differences], **changes), score_of, THREE)


@pytest.mark.real_data
def test_the_published_example_of_an_equivalence_test_is_reproduced(shared):
    """Lakens 2017; the example gives means, deviations and a correlation, and differences with just these are made."""
    known = json.loads(Path(shared, "facts/reference_values.json").read_text())["values"]
    entry = next(entry for entry in known if entry["id"] == "tost_paired")
    given = entry["input"]
    size, spread = int(given["n"]), given["sd1"] ** 2 + given["sd2"] ** 2 - 2 * given["r"] * given["sd1"] * given["sd2"]
    deviation, mean = spread**0.5, given["m1"] - given["m2"]
    margin = given["dz_bound"] * deviation
    found = run_tost(mean, deviation / size**0.5, size - 1, margin)
    raw = [float(number) for number in range(size)]
    differences = [mean + deviation * (value - fmean(raw)) / stdev(raw) for value in raw]
    exact = Fraction(margin).limit_denominator(10**9)
    shift = measure_shift(make_sides([(50, 50 + value) for value in differences]), score_of, exact)
    computed = [found.t_low, found.p_low, found.t_high, found.p_high, -margin, margin, shift.low_90, shift.high_90]
    assert computed == pytest.approx(entry["expected"], abs=entry["tolerance"])
    assert shift.p_value == pytest.approx(found.p_value, abs=1e-6)
    assert shift.state == "equivalent"


def test_the_power_is_that_of_a_simulation():
    draws = np.random.default_rng(7).normal(0, 8, (40_000, 63))
    half = 1.669804 * draws.std(axis=1, ddof=1) / 63**0.5  # t(.95; 62)
    simulated = (abs(draws.mean(axis=1)) + half < 3).mean()
    assert equivalence_power(8 / 63**0.5, 62, 3.0) == pytest.approx(simulated, abs=0.008)


def test_a_margin_within_the_interval_has_next_to_no_power_and_none_is_out_of_range():
    assert 0 <= equivalence_power(40, 1.0, 0.01) < 0.001
    assert equivalence_power(0.001, 500.0, 3.0) == pytest.approx(1)
    assert values_needed(80, 0.03) is None
    assert values_needed(0.001, 3.0) == 3


@pytest.mark.parametrize(
    ("differences", "state"),
    [
        ([1, -1] * 30, "equivalent"),
        ([2.5, 2.6] * 30, "equivalent"),
        ([9, -9] * 10, "inconclusive"),
        ([4, 4.5] * 10, "drifted"),
        ([-4, -4.5] * 10, "drifted"),
        ([2, 3.9] * 30, "inconclusive"),
        ([1, 30, -20, 22, 3], "inconclusive"),
    ],
)
def test_the_state_follows_from_both_intervals_and_the_margin(differences, state):
    shift = shift_of(differences)
    assert shift.state == state
    assert shift.low_90 > shift.mean.low
    assert shift.high_90 < shift.mean.high
    assert (shift.low_90 > -3 and shift.high_90 < 3) == (state == "equivalent")
    assert (shift.p_value < 0.05) == (state == "equivalent")


@pytest.mark.parametrize(
    ("differences", "state", "reason"),
    [
        ([], "inconclusive", "no turn has both scores"),
        ([0], "inconclusive", "one turn gives no interval"),
        ([0.1, 0.1], "inconclusive", "all 2 differences are equal"),
        ([0] * 29, "inconclusive", "all 29 differences are equal; 11.9 % could be different"),
        ([0] * 30, "equivalent", "all 30 differences are equal; 11.6 % could be different"),
        ([2] * 30, "equivalent", "all 30 differences are equal"),
        ([3] * 30, "inconclusive", "all 30 differences are equal"),
        ([4] * 30, "drifted", "all 30 differences are equal"),
        ([4] * 5, "inconclusive", "all 5 differences are equal"),
        ([4] * 6, "drifted", "all 6 differences are equal"),
    ],
)
def test_without_an_interval_the_reason_is_given_and_only_many_equal_differences_decide(differences, state, reason):
    shift = shift_of(differences)
    assert shift.state == state
    assert shift.reason.startswith(reason)
    assert (shift.low_90, shift.power, shift.needed, shift.p_value) == (None, None, None, None)


def test_two_turns_decide_nothing_even_where_they_hardly_differ():
    shift = shift_of([0.001, 0.0011])
    assert (shift.state, shift.reason) == ("inconclusive", "fewer than 3 turns decide nothing")


def test_turns_of_one_conversation_decide_nothing():
    shift = shift_of([4, 5, 4, 5, 4, 5], conversation="one")
    assert (shift.state, shift.reason) == ("inconclusive", "one conversation gives no interval")


def test_a_judge_too_generous_on_poor_turns_has_drifted_although_the_composite_is_equivalent():
    pairs = [(90 + n % 3, 90 + (n + 1) % 3) for n in range(20)] + [(60 + n % 2, 60 + (n + 1) % 2) for n in range(20)]
    pairs += [(30, 34 + n % 2) for n in range(20)]
    drift = measure_drift(make_sides(pairs), RUBRIC, THREE)
    states = {part.name: part.shift.state for part in drift.bands}
    assert (drift.composite.state, drift.state) == ("equivalent", "drifted")
    assert states["poor"] == "drifted"
    assert "drifted" not in {states["good"], states["partial"]}


def test_a_noisy_judge_that_is_asked_again_has_no_drifted_band_though_its_lowest_turns_move_up():
    readings = np.random.default_rng(3).normal([[60]] * 90 + [[90]] * 60, 12, (150, 2)).clip(0, 100)
    drift = measure_drift(make_sides(readings.tolist()), RUBRIC, THREE)
    poor = next(part.shift for part in drift.bands if part.name == "poor")
    assert poor.mean.low > 3
    assert (poor.state, drift.state) == ("inconclusive", "equivalent")
    assert poor.reason.startswith("the shift may be noise")


@pytest.mark.parametrize("shift", [15, -15])
def test_poor_turns_that_all_leave_their_band_are_still_found(shift):
    pairs = [(90, 90 + n % 2) for n in range(100)] + [(44 + n % 4, 44 + n % 4 + shift + n % 2) for n in range(10)]
    drift = measure_drift(make_sides(pairs), RUBRIC, THREE)
    assert {part.name: part.shift.state for part in drift.bands}["poor"] == "drifted"
    assert (drift.composite.state, drift.state) == ("equivalent", "drifted")


def test_a_dimension_has_the_margin_in_parts_of_its_scale():
    drift = measure_drift(make_sides([(60, 60 + n % 2) for n in range(40)]), RUBRIC, THREE)
    assert {part.shift.margin for part in drift.dimensions} == {Fraction(3, 10)}
    assert {part.shift.state for part in drift.dimensions} == {"equivalent"}
    assert drift.state == "equivalent"


def test_turns_that_one_judge_gave_no_score_are_counted_and_enter_no_shift():
    pairs = [(60, 60 + n % 2) for n in range(40)] + [(60, None)] * 3 + [(None, 60)] * 2 + [(None, None)]
    drift = measure_drift(make_sides(pairs), RUBRIC, THREE)
    assert (drift.lost, drift.gained, drift.composite.mean.n) == (3, 2, 40)


def test_the_share_of_changed_bands_has_the_interval_of_wilson():
    drift = measure_drift(make_sides([(74, 76)] * 2 + [(60, 61)] * 8), RUBRIC, THREE)
    changed = drift.changed
    assert (changed.value, changed.low, changed.high) == (Fraction(1, 5), 0.056682, 0.509838)


def test_the_kappa_of_the_bands_is_that_of_both_judges():
    # Of 10 turns 8 agree; by chance alone .6 x .4 + .4 x .6 = .48 would, so kappa is (.8 - .48) / .52.
    drift = measure_drift(make_sides([(74, 76)] * 2 + [(60, 61)] * 4 + [(80, 80)] * 4), RUBRIC, THREE)
    expected = (Fraction(8, 10) - Fraction(48, 100)) / Fraction(52, 100)
    assert abs(drift.kappa.value - expected) < Fraction(1, 10**6)
    assert drift.kappa.low < float(expected) < drift.kappa.high
    assert measure_drift(make_sides([(60, 61)] * 9), RUBRIC, THREE).kappa.undefined is not None


@pytest.mark.parametrize(
    ("moved", "state"), [((0, 0), "equivalent"), ((0, 2), "drifted"), ((1, 1), "drifted"), ((0, None), "inconclusive")]
)
def test_without_a_composite_all_dimensions_together_decide(moved, state):
    rubric = load_rubric("rag-1")
    names = [dimension.id for dimension in rubric.dimensions]

    def build(number, steps):
        start = Fraction(10 + number % 3, 20)
        values = {
            name: None if step is None else start + Fraction(step, 20) for name, step in zip(names, steps, strict=True)
        }
        return BaselineTurn(id=str(number), subscores=values)

    sides = Sides(True, [build(n, (0, 0)) for n in range(40)], [build(n, moved) for n in range(40)])
    drift = measure_drift(sides, rubric, THREE)
    assert (drift.state, drift.composite.state) == (state, "inconclusive")
