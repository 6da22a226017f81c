"""The judge's own noise, against published examples and by hand."""

import json
from math import sqrt

import pytest
from pytest import approx  # noqa: PT013

from reportgen.analysis.noise import measure_noise, score_readings
from reportgen.analysis.repeats import intraclass_correlation, repeatability, within_sd
from tests.analysis.makers import RUBRIC, make_plain, make_repeated, make_row, make_score
from tests.test_prose import JUDGES, build_manifest

MANIFEST = build_manifest(JUDGES["live"], 4, None)
SECOND = (490, 397, 512, 401, 470, 611, 415, 431, 638, 429, 420, 633, 275, 492, 165, 372, 421)
"""The second readings of peak flow by the Wright meter in Bland and Altman (1986)."""


def measure(rows, manifest=MANIFEST):
    return measure_noise(rows, RUBRIC, manifest)


def test_readings_of_one_turn_are_scored_one_by_one():
    score = make_repeated([10, 10, 10, 10], [8, 10, 10, 10], [9, 10, 10, 10])
    assert score_readings(score, RUBRIC) == [100, 94, 97]


def test_the_caps_of_the_turn_hold_for_each_reading():
    assert score_readings(make_repeated([10, 10, 10, 10], [1, 1, 1, 1], capped=True), RUBRIC) == [25, 10]


def test_a_reading_without_a_subscore_is_left_out():
    score = make_repeated([10, 10, 10, 10], [8, 10, 10, 10])
    first = score.subscores[0].model_copy(update={"samples": (10, None)})
    assert score_readings(score.model_copy(update={"subscores": (first, *score.subscores[1:])}), RUBRIC) == [100]


def test_readings_off_the_scale_are_moved_to_its_end():
    assert score_readings(make_repeated([12, 10, 10, 10], [10, 10, 10, 10]), RUBRIC) == [100, 100]


def test_the_noise_of_two_turns_follows_by_hand():
    # 100 and 94: squares 9 + 9; 80 and 80: none. s_w = sqrt(18 / 2) = 3.
    rows = [
        make_row(make_repeated([10, 10, 10, 10], [8, 10, 10, 10]), 0),
        make_row(make_repeated([8, 8, 8, 8], [8, 8, 8, 8]), 1),
    ]
    (noise,) = measure(rows)
    assert (noise.source, noise.turns, noise.readings, noise.changed) == ("readings", 2, 4, 1)
    assert noise.deviation == 3
    assert noise.repeatability == approx(1.96 * sqrt(2) * 3, abs=1e-6)
    assert (noise.flips.value, noise.flips.n) == (0, 2)
    assert noise.unseen is None


def test_pairs_in_different_bands_are_counted():
    rows = [make_row(make_repeated([10, 10, 10, 10], [6, 6, 6, 6], [6, 6, 6, 6]), n) for n in range(2)]
    (noise,) = measure(rows)
    assert noise.flips.value == approx(4 / 6)


def test_the_part_of_the_noise_in_the_mean_follows_by_hand():
    # Scores 94 and 80 by the lower median; V = s²/n = 98/2 = 49; noise s_w² (1/2 + 1/2) / n² = 9/4.
    rows = [
        make_row(make_repeated([10, 10, 10, 10], [8, 10, 10, 10]), 0),
        make_row(make_repeated([8, 8, 8, 8], [8, 8, 8, 8]), 1),
    ]
    assert measure(rows)[0].headline_share.value == approx((9 / 4) / 49, abs=1e-6)


def test_equal_turns_of_a_run_are_readings_of_the_same_thing():
    rows = [make_row(make_score([value] * 4), n, content="same") for n, value in enumerate((10, 8))]
    rows += [make_row(make_score([5] * 4), 2, content="other"), make_row(make_plain(None), 3, content="same")]
    (noise,) = measure(rows)
    assert (noise.source, noise.turns, noise.readings) == ("equal-turns", 1, 2)
    assert noise.deviation == approx(sqrt(200), abs=1e-6)
    assert noise.correlation.undefined == "a single turn was read more than once"


def test_turns_that_were_made_equal_by_withholding_are_no_readings():
    from reportgen.model.derivation import Derivation

    rows = [make_row(make_score([value] * 4), n, content="same") for n, value in enumerate((10, 8))]
    derived = Derivation(client="c", parent="0" * 64, commitments=())
    assert measure(rows, MANIFEST.model_copy(update={"derived": derived})) == ()


def test_readings_that_never_differ_leave_what_could_be_unseen():
    rows = [make_row(make_repeated([n] * 4, [n] * 4), n) for n in range(4, 10)]
    (noise,) = measure(rows)
    assert (noise.changed, noise.deviation, noise.flips.value) == (0, 0, 0)
    assert noise.unseen == approx(1 - 0.025 ** (1 / 6), abs=1e-6)
    assert noise.correlation.value == 1


def test_equal_scores_throughout_have_no_correlation():
    (noise,) = measure([make_row(make_repeated([8] * 4, [8] * 4), n) for n in range(3)])
    assert (noise.correlation.value, noise.correlation.undefined) == (None, "all readings are equal")
    assert noise.headline_share.undefined == "all scores are equal"


@pytest.mark.parametrize("rows", [[], [make_row(make_plain(None))], [make_row(make_score([8] * 4))]])
def test_what_was_read_once_has_no_noise(rows):
    assert measure(rows) == ()


def test_unequal_groups_have_the_correlation_of_the_analysis_of_variance():
    # Groups 1, 3 and 4, 6, 8: MSB = 5·… by hand: means 2 and 6, grand 4.4; SSB = 2·5.76 + 3·2.56 = 19.2; MSW = 10/3;
    # k0 = (5 - 13/5)/1 = 2.4; (19.2 - 3.333)/(19.2 + 1.4·3.333) = 0.664804.
    assert intraclass_correlation([[1, 3], [4, 6, 8]]) == approx(0.664804, abs=1e-6)


def test_no_readings_have_no_deviation():
    assert within_sd([]) is None


@pytest.mark.real_data
def test_the_repeatability_of_the_wright_peak_flow_meter_is_reproduced(shared):
    # Bland and Altman (1986): twice the standard deviation of the differences, 21.6 l/min, which is s_w times √2.
    entries = json.loads((shared / "facts" / "reference_values.json").read_text())["values"]
    first = next(entry for entry in entries if entry["id"] == "bland_altman_1986")["input"]["wright"]
    deviation = within_sd(list(zip(first, SECOND, strict=True)))
    assert repeatability(deviation) / 1.96 == approx(21.6, abs=0.05)
