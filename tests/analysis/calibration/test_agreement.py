"""Agreement where it is undefined, complete, weighted, or planted."""

import numpy as np
import pytest

from reportgen.analysis.calibration.agreement import compare_categories, compare_values
from reportgen.analysis.calibration.bias import measure_bias
from reportgen.analysis.calibration.coefficients import Coefficient
from reportgen.analysis.calibration.corrected import Rate, RunMean, correct_mean, correct_share
from reportgen.analysis.calibration.design import build_design, equal_design, jackknife
from reportgen.analysis.calibration.gate import decide_gate
from reportgen.analysis.calibration.kappa import measure_kappa
from reportgen.analysis.calibration.many_raters import measure_alpha
from reportgen.analysis.calibration.ranks import measure_rho
from reportgen.analysis.calibration.shares import measure_share

BANDS = ("poor", "partial", "good")
ENOUGH = {"poor": 10, "partial": 10}
approx = pytest.approx


def test_without_any_turn_every_figure_is_none_with_a_reason():
    found, values = compare_categories([], [], BANDS), compare_values([], [])
    figures = [found.agreement, found.kappa, found.kappa_linear, found.kappa_quadratic, found.ac1, found.alpha]
    figures += [found.detection.sensitivity, found.detection.specificity, values.rho, values.bias.mean, values.alpha]
    assert all(figure.value is None and figure.undefined for figure in figures)


def test_one_turn_has_values_but_no_interval():
    found, values = compare_categories(["poor"], ["good"], BANDS), compare_values([40.0], [80.0])
    assert (found.agreement.value, found.kappa.value, found.kappa.low) == (0, 0, None)
    assert (values.bias.mean.value, values.bias.mean.low, values.bias.deviation) == (-40, None, None)
    assert values.rho.value is None


def test_where_all_turns_lie_in_one_band_there_is_no_kappa_but_a_raw_agreement():
    found = compare_categories(["good"] * 8, ["good"] * 8, BANDS)
    assert (found.kappa.value, found.kappa.undefined) == (None, "only one category was used")
    assert (found.agreement.value, found.agreement.high) == (1, 1)
    assert found.alpha.value is None
    assert found.detection.sensitivity.undefined == "people found no turn poor"


def test_a_judge_that_always_says_the_same_has_a_kappa_of_0_and_no_rho():
    people = ["poor", "partial", "good", "good"]
    kappa = measure_kappa(["good"] * 4, people, BANDS)
    assert (kappa.value, kappa.low, kappa.undefined) == (0, None, "one side used one category only")
    assert measure_rho([3, 3, 3, 3], [1, 2, 3, 3]).undefined == "one side is the same for all"


def test_full_agreement_is_bounded_by_what_could_be_unseen():
    bands = ["poor"] * 20 + ["partial"] * 20 + ["good"] * 20
    kappa = measure_kappa(bands, bands, BANDS)
    # pe is 1/3; the exact bound of 60 of 60 is 0.025^(1/60) = 0.940370.
    assert (kappa.value, kappa.high) == (1, 1)
    assert kappa.low == approx((0.940370 - 1 / 3) / (2 / 3), abs=2e-6)
    assert decide_gate(kappa, ENOUGH)[0] == "pass"


def test_the_order_of_the_categories_decides_the_weighted_kappa_whatever_their_names():
    ones, others = ["a", "z", "m", "z", "a"], ["a", "m", "m", "z", "z"]
    by_order = measure_kappa(ones, others, ("a", "z", "m"), "linear").value
    by_name = measure_kappa(ones, others, ("a", "m", "z"), "linear").value
    assert by_order != approx(by_name)


@pytest.mark.parametrize(
    ("kappa", "below_best", "state"),
    [
        (Coefficient(0.85, n=300, least=0.78), ENOUGH, "pass"),
        (Coefficient(0.75, n=300, least=0.69), ENOUGH, "provisional"),
        (Coefficient(0.95, n=49, least=0.9), ENOUGH, "provisional"),
        (Coefficient(0.69, n=300, least=0.6), ENOUGH, "fail"),
        (Coefficient(0.75, n=300), ENOUGH, "provisional"),
        (Coefficient(0.95, n=300, least=0.9), {"poor": 9, "partial": 50}, "not-estimable"),
        (Coefficient(None, n=300, undefined="only one category was used"), ENOUGH, "not-estimable"),
    ],
)
def test_the_gate_is_passed_only_by_the_bound_with_enough_labels(kappa, below_best, state):
    found, reason = decide_gate(kappa, below_best)
    assert found == state
    assert reason


def test_equal_weights_change_no_value():
    rng = np.random.default_rng(1)
    people = rng.choice(BANDS, 40).tolist()
    judge = [own if rng.random() < 0.7 else "good" for own in people]
    scores, theirs = rng.integers(0, 11, 40).astype(float).tolist(), rng.integers(0, 11, 40).astype(float).tolist()
    design = build_design(["a"] * 40, [3.0] * 40)
    plain, weighted = (compare_categories(judge, people, BANDS, held) for held in (None, design))
    for name in ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "ac1", "alpha"):
        assert getattr(weighted, name).value == approx(getattr(plain, name).value, abs=2e-6), name
    values, others = (compare_values(scores, theirs, held) for held in (None, design))
    assert values.rho.value == approx(others.rho.value, abs=2e-6)
    assert values.alpha.value == approx(others.alpha.value, abs=2e-6)
    assert (values.bias.mean, values.bias.deviation) == (others.bias.mean, others.bias.deviation)
    # The jackknife comes near to Fleiss, Cohen and Everitt.
    assert weighted.kappa.error == approx(plain.kappa.error, rel=0.15)


def test_a_turn_that_stands_for_two_counts_as_two():
    judge, people, weights = ["poor", "good", "good", "poor"], ["poor", "good", "poor", "good"], [2, 3, 1, 1]
    several = [value for value, weight in zip(judge, weights, strict=True) for _ in range(weight)]
    theirs = [value for value, weight in zip(people, weights, strict=True) for _ in range(weight)]
    design = build_design([0] * 4, weights)
    assert measure_kappa(judge, people, BANDS, "nominal", design).value == approx(
        measure_kappa(several, theirs, BANDS).value
    )
    share = measure_share([True, True, False, False], None, design, "")
    assert share.value == approx(5 / 7)


def test_a_sample_by_thirds_is_weighted_back_to_production():
    # A judge of this confusion has a kappa of .728 in production, and less in a sample of equal thirds.
    confusion = {"poor": (18, 2, 0), "partial": (4, 13, 3), "good": (0, 2, 18)}
    people = [band for band, cells in confusion.items() for _ in range(sum(cells))]
    judge = [
        band for cells in confusion.values() for band, count in zip(BANDS, cells, strict=True) for _ in range(count)
    ]
    shares = {"poor": 8.0, "partial": 22.0, "good": 70.0}
    design = build_design(people, [shares[band] / 20 for band in people])
    plain, weighted = measure_kappa(judge, people, BANDS), measure_kappa(judge, people, BANDS, "nominal", design)
    assert plain.value == approx(0.725, abs=1e-3)
    assert weighted.value != approx(plain.value, abs=0.03)
    assert weighted.least < weighted.low + 0.2


def test_a_stratum_of_one_turn_goes_with_its_neighbour():
    design = build_design(["a", "a", "b", "c", "c"], [1, 1, 5, 1, 1])
    assert design.strata.tolist() in ([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    assert build_design(["a", "b"], [1, 2]).strata.tolist() == [0, 0]


def test_many_turns_are_left_out_in_groups_and_tell_the_same_spread():
    values = np.random.default_rng(2).normal(50, 10, 5_000)
    found = jackknife(lambda weights: float(np.average(values, weights=weights)), equal_design(5_000))
    assert (found.df, found.variance) == (999, approx(values.var(ddof=1) / 5_000, rel=0.1))


def test_no_bound_of_a_coefficient_lies_beyond_1():
    ones = ["poor"] * 9 + ["good"] * 4
    found = compare_categories(ones, [*ones[:-1], "poor"], BANDS)
    assert all(figure.high <= 1 for figure in (found.ac1, found.alpha, found.kappa))


def test_many_values_of_the_interval_metric_agree_with_the_count_of_pairs():
    units = [(1.5, 2.5, 2.0), (3.0, 3.0), (7.25, 9.0), (4.0,)]
    pairs = [(one - other) ** 2 / (len(unit) - 1) for unit in units[:3] for one in unit for other in unit]
    every = [value for unit in units[:3] for value in unit]
    expected = sum((one - other) ** 2 for one in every for other in every) / (len(every) - 1)
    assert measure_alpha(units, "interval").value == approx(1 - sum(pairs) / expected)


def test_limits_of_agreement_need_two_turns():
    assert measure_bias([2.0]).deviation is None
    found = measure_bias([5.0, 5.0])
    assert (found.mean.value, found.mean.low, found.deviation) == (5, None, 0)


def test_a_judge_no_better_than_chance_corrects_nothing():
    found = correct_share(Rate(0.2, 100), Rate(0.4, 30), Rate(0.6, 70))
    assert (found.value, found.undefined) == (None, "the judge tells poor turns from others no better than chance")


def test_few_labels_correct_no_mean_and_a_constant_judge_leaves_the_mean_to_people():
    run = RunMean(80.0, 1.0, 0.0, 300)
    few = correct_mean(run, np.full(19, 80.0), np.full(19, 70.0), equal_design(19))
    assert few.mean.undefined == "fewer than 20 labelled turns"
    people = np.arange(60.0, 90.0)
    found = correct_mean(run, np.full(30, 80.0), people, equal_design(30))
    assert (found.trust, found.mean.value) == (0, approx(people.mean()))


def test_a_judge_four_points_too_generous_on_poor_turns_passes_no_gate_and_the_corrected_mean_covers_the_truth():
    rng = np.random.default_rng(7)
    runs, covered, raw = 60, 0, 0
    for _ in range(runs):
        people = np.clip(np.where(rng.random(600) < 0.25, rng.normal(38, 8, 600), rng.normal(84, 9, 600)), 0, 100)
        # Four points of ten on each dimension, so forty of a hundred.
        judge = np.clip(people + np.where(people < 50, 40.0, 0.0) + rng.normal(0, 3, 600), 0, 100)
        strata = np.digitize(judge, (50, 75))
        chosen = np.concatenate([_first(np.flatnonzero(strata == number), 30) for number in range(3)])
        sizes = {number: (strata == number).sum() for number in range(3)}
        drawn = {number: (strata[chosen] == number).sum() for number in range(3)}
        design = build_design(strata[chosen].tolist(), [sizes[one] / drawn[one] for one in strata[chosen]])
        found = _judge_run(judge, people, chosen, design)
        kappa = measure_kappa(_bands(judge[chosen]), _bands(people[chosen]), BANDS, "nominal", design)
        counts = {band: _bands(people[chosen]).count(band) for band in BANDS[:2]}
        assert decide_gate(kappa, counts)[0] != "pass"
        assert measure_bias((judge - people)[chosen].tolist(), design).mean.low > 0
        covered += found.mean.low <= people.mean() <= found.mean.high
        raw += abs(judge.mean() - people.mean()) < 5
    assert covered >= 0.9 * runs
    assert raw == 0


def _first(places, count):
    return places[:count]


def _bands(scores):
    return [BANDS[place] for place in np.digitize(scores, (50, 75))]


def _judge_run(judge, people, chosen, design):
    run = RunMean(float(judge.mean()), float(judge.var(ddof=1)) / 600, float(judge.var(ddof=1)), 600)
    return correct_mean(run, judge[chosen], people[chosen], design)
