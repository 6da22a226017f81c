"""The published reference values of agreement and calibration are reproduced to their tolerance."""

import json
from math import sqrt

import numpy as np
import pytest

from reportgen.analysis.calibration.bias import measure_bias
from reportgen.analysis.calibration.corrected import Rate, RunMean, correct_mean, correct_share, rogan_gladen
from reportgen.analysis.calibration.design import equal_design
from reportgen.analysis.calibration.kappa import kappa_error, kappa_of, weigh_agreement
from reportgen.analysis.calibration.many_raters import measure_alpha, measure_gwet
from reportgen.analysis.calibration.ranks import measure_rho
from reportgen.analysis.intervals import wilson
from reportgen.analysis.spread import z_quantile

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def known(shared):
    entries = json.loads((shared / "facts" / "reference_values.json").read_text())["values"]
    return {entry["id"]: entry for entry in entries}


def near(entry):
    return pytest.approx(entry["expected"], abs=entry["tolerance"])


@pytest.mark.parametrize("weighting", ["unweighted", "linear"])
def test_kappa_and_its_error_are_those_of_sas(known, weighting):
    entry = known[f"kappa_sas_{weighting}"]
    table, agreement = (
        np.array(entry["input"]),
        weigh_agreement(3, "nominal" if weighting == "unweighted" else "linear"),
    )
    value, error = kappa_of(table, agreement), kappa_error(table, agreement)
    # SAS prints the interval without atanh.
    assert [value, error, value - z_quantile() * error, value + z_quantile() * error] == near(entry)


def test_kappa_and_its_error_are_those_of_statpsych(known):
    entry = known["kappa_statpsych"]
    table = np.array(entry["input"])
    value, error = kappa_of(table, np.eye(2)), kappa_error(table, np.eye(2))
    assert [value, error, value - z_quantile() * error, value + z_quantile() * error] == near(entry)


@pytest.mark.parametrize(
    ("name", "weighting"),
    [
        ("kappa_cohen_1960", "nominal"),
        ("kappa_abstractors_unweighted", "nominal"),
        ("kappa_abstractors_linear", "linear"),
    ],
)
def test_published_kappas_are_reproduced(known, name, weighting):
    entry = known[name]
    assert kappa_of(np.array(entry["input"]), weigh_agreement(3, weighting)) == near(entry)


def test_a_kappa_with_weights_of_ones_own_is_that_of_cohen_1968(known):
    entry = known["kappaw_cohen_1968"]
    disagreement = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])
    assert kappa_of(np.array(entry["input"]), 1 - disagreement / 6) == near(entry)


def units_of(table):
    """A table of two raters as a list of pairs of places."""
    return [
        (line, column)
        for line, cells in enumerate(table)
        for column, count in enumerate(cells)
        for _ in range(int(count))
    ]


@pytest.mark.parametrize(("name", "weighting"), [("gwet_ac1", "nominal"), ("gwet_ac2_quadratic", "quadratic")])
def test_published_acs_of_two_raters_are_reproduced_with_their_intervals(known, name, weighting):
    entry = known[name]
    found = measure_gwet(units_of(entry["input"]), (0, 1, 2), weighting)
    assert [found.value, found.low, found.high] == near(entry)


def without_gaps(raters):
    return [[value for value in unit if value is not None] for unit in zip(*raters, strict=True)]


def test_the_published_ac1_of_four_raters_with_gaps_is_reproduced(known):
    entry = known["gwet_raw4"]
    found = measure_gwet(without_gaps(entry["input"]), (1, 2, 3, 4, 5))
    assert [found.value, found.error, found.low] == near(entry)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("krippendorff_2011_nominal", "nominal"),
        ("krippendorff_2011_ordinal", "ordinal"),
        ("krippendorff_wiki_interval", "interval"),
    ],
)
def test_published_alphas_are_reproduced(known, name, metric):
    assert measure_alpha(without_gaps(known[name]["input"]), metric).value == near(known[name])


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_equal_ratings_throughout_have_no_alpha(known, metric):
    assert measure_alpha(without_gaps(known["krippendorff_constant"]["input"]), metric).value is None


def test_rho_and_its_interval_are_those_of_statpsych(known):
    entry = known["spearman_bw"]
    found = measure_rho(entry["input"]["x"], entry["input"]["y"])
    error = sqrt((1 + found.value**2 / 2) / (len(entry["input"]["x"]) - 3)) * (1 - found.value**2)
    assert [found.value, error, found.low, found.high] == near(entry)


@pytest.mark.parametrize("name", ["spearman_wiki", "spearman_ties_1"])
def test_published_rank_correlations_are_reproduced(known, name):
    entry = known[name]
    assert measure_rho(entry["input"]["x"], entry["input"]["y"]).value == near(entry)


def test_a_constant_side_has_no_rank_correlation(known):
    entry = known["spearman_constant"]
    found = measure_rho(entry["input"]["x"], entry["input"]["y"])
    assert (found.value, found.undefined) == (None, "one side is the same for all")


def test_bias_and_limits_are_those_of_bland_and_altman_1986(known):
    # They took 2 for 1.96.
    entry = known["bland_altman_1986"]
    found = measure_bias([one - other for one, other in zip(*entry["input"].values(), strict=True)])
    limits = [found.mean.value - 2 * found.deviation, found.mean.value + 2 * found.deviation]
    assert [found.mean.value, found.deviation, *limits] == near(entry)


@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_published_intervals_of_lang_and_reiczigel_are_reproduced(known, number):
    entry = known[f"lang_reiczigel_{number}"]
    given = entry["input"]
    found = correct_share(Rate(given["p"], given["n"]), Rate(given["q1"], given["m1"]), Rate(given["q0"], given["m0"]))
    assert [found.low, found.high] == near(entry)


def test_a_share_by_known_sensitivity_and_specificity_is_that_of_rsurveillance(known):
    entry = known["rogan_gladen_known"]
    k, n, sensitivity, specificity = entry["input"].values()
    bounds = wilson(k / n, n, z_quantile(), n - 1, int(n))
    shares = (k / n, bounds.low, bounds.high)
    assert [rogan_gladen(share, sensitivity, specificity) for share in shares] == near(entry)


def test_the_mean_of_ppi_py_is_reproduced(known):
    entry = known["ppi_pp"]
    rng = np.random.RandomState(5)
    everything, judge = rng.normal(70, 15, 900), rng.normal(70, 15, 60)
    people = judge - 4 + rng.normal(0, 6, 60)
    spread = float(np.concatenate([judge, everything]).var())
    run = RunMean(float(everything.mean()), float(everything.var(ddof=1)) / 900, spread, 900, holds_labelled=False)
    found = correct_mean(run, judge, people, equal_design(60))
    # ppi-python takes the normal quantile, here it is that of t.
    value, half = found.mean.value, z_quantile() * found.mean.error
    assert [value, value - half, value + half] == near(entry)
    assert found.trust == pytest.approx(0.6713, abs=5e-5)
