"""What other weights change, against the scoring of single turns."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.analysis.sensitivity import STEP, list_settings, measure_sensitivity
from reportgen.analysis.strata import build_breakdowns
from reportgen.scoring.bands import band_of
from reportgen.scoring.composite import cap_score, raw_score
from tests.analysis.makers import RUBRIC, make_plain, make_row, make_score

BANDS = [band.id for band in RUBRIC.bands]
subscore = st.sampled_from([0, 1, 3, 5, "6.5", "7.333", 8, 9, 10, 10])
turns = st.lists(
    st.tuples(subscore, subscore, subscore, st.none() | subscore, st.booleans(), st.sampled_from("ab")),
    min_size=1,
    max_size=12,
)


def build_rows(cases):
    return [
        make_row(make_score(case[:4], capped=case[4]), number, labels={"client": case[5]})
        for number, case in enumerate(cases)
    ]


def measure(rows, rubric=RUBRIC):
    return measure_sensitivity(rows, rubric, build_breakdowns(rows, ["client"], BANDS))


def score_again(row, weights):
    pairs = zip(weights, (item.used for item in row.score.subscores), strict=True)
    return cap_score(raw_score(list(pairs), 10), [cap.ceiling for cap in row.score.caps])


@settings(max_examples=30)
@given(turns)
def test_all_turns_at_once_give_what_scoring_turn_by_turn_gives(cases):
    rows = build_rows(cases)
    found, by_setting = (
        measure(rows),
        [[score_again(row, weights) for row in rows] for weights in list_settings(RUBRIC)],
    )
    moves = [max(abs(line[place] - row.score.score) for line in by_setting) for place, row in enumerate(rows)]
    means = [sum(line) / len(line) for line in by_setting]
    ordered, half = sorted(moves), len(moves) // 2
    assert found.largest == max(moves)
    assert found.median == (ordered[half] if len(moves) % 2 else (ordered[half - 1] + ordered[half]) / 2)
    assert (found.mean_low, found.mean_high) == (min(means), max(means))
    assert found.band_changes == sum(
        any(band_of(line[place], RUBRIC.bands).id != row.score.band for line in by_setting)
        for place, row in enumerate(rows)
    )
    assert found.orders == () or found.orders[0].flips == count_flips(rows, by_setting)


def count_flips(rows, by_setting):
    groups = {name: [place for place, row in enumerate(rows) if row.labels["client"] == name] for name in "ab"}
    flips = 0
    for one, other in combinations([places for places in groups.values() if places], 2):
        gaps = [mean_of(line, one) - mean_of(line, other) for line in by_setting]
        flips += len({(gap > 0) - (gap < 0) for gap in gaps}) > 1
    return flips


def mean_of(line, places):
    return sum((line[place] for place in places), Fraction(0)) / len(places)


@given(turns, st.lists(st.fractions(-STEP, STEP), min_size=4, max_size=4))
def test_no_weights_within_the_box_move_a_turn_further_than_its_corners(cases, moves):
    rows = build_rows(cases)
    largest = measure(rows).largest
    weights = [dimension.weight + move for dimension, move in zip(RUBRIC.dimensions, moves, strict=True)]
    assert all(abs(score_again(row, weights) - row.score.score) <= largest for row in rows)


def test_subscores_with_many_digits_are_exact_too():
    # Their common denominator does not fit 64 bits.
    rows = [make_row(make_score([f"{n}.{'1234567' * 3}", 7, 8, 9]), n) for n in range(1, 9)]
    weights = list_settings(RUBRIC)
    expected = max(abs(score_again(row, setting) - row.score.score) for row in rows for setting in weights)
    assert measure(rows).largest == expected


def test_there_are_81_settings_of_four_weights_and_the_rubric_is_one_of_them():
    assert len(set(list_settings(RUBRIC))) == 81
    assert tuple(dimension.weight for dimension in RUBRIC.dimensions) in list_settings(RUBRIC)


def test_one_weight_moved_alone_moves_a_turn_as_the_formula_says():
    # w = .30 -> .35 with the others scaled: 5/70 * (100 - C) points, for subscores 10, 0, 0, 0 and C = 30: 5.0.
    row = make_row(make_score([10, 0, 0, 0]))
    scaled = [35, Fraction(25 * 65, 70), Fraction(25 * 65, 70), Fraction(20 * 65, 70)]
    assert score_again(row, scaled) - row.score.score == 5


def test_equal_subscores_do_not_move():
    found = measure([make_row(make_score([8, 8, 8, 8]), n) for n in range(3)])
    assert (found.largest, found.median, found.band_changes) == (0, 0, 0)
    assert found.mean_low == found.mean_high == 80


def test_an_order_that_rests_on_the_weights_is_found():
    # "a" is good where "b" is weak; by the rubric a leads by 30*3 - 25*3 = 15/10 points.
    rows = [make_row(make_score([10, 7, 8, 8]), n, labels={"client": "a"}) for n in range(10)]
    rows += [make_row(make_score([7, 10, 8, 8]), n + 10, labels={"client": "b"}) for n in range(10)]
    order = measure(rows).orders[0]
    assert (order.pairs, order.flips, order.established) == (1, 1, ())


def test_no_scored_turn_has_no_sensitivity():
    found = measure([make_row(make_plain(None))])
    assert (found.largest, found.undefined) == (None, "no turn was scored")
    assert measure([]).undefined == "no turn was scored"


def test_many_dimensions_are_not_gone_through():
    part = RUBRIC.dimensions[0]
    many = tuple(part.model_copy(update={"id": f"d{n}", "weight": 10}) for n in range(10))
    found = measure([make_row(make_score([8, 8, 8, 8]))], RUBRIC.model_copy(update={"dimensions": many}))
    assert (found.settings, found.largest) == (0, None)
    assert "more than 6" in found.undefined


@pytest.mark.parametrize("weight", [3, 5])
def test_no_weight_falls_below_one(weight):
    first, second, *rest = RUBRIC.dimensions
    small = (
        first.model_copy(update={"weight": weight}),
        second.model_copy(update={"weight": second.weight + first.weight - weight}),
    )
    rubric = RUBRIC.model_copy(update={"dimensions": (*small, *rest)})
    assert min(min(setting) for setting in list_settings(rubric)) == 1
    score = make_score([10, None, None, None])
    assert measure([replace(make_row(score))], rubric).largest == 0
