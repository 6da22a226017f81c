"""How far the judge agrees with people: the gate, the figures of agreement, and the run as people would have it."""

from typing import Any

from reportgen.analysis.calibration.agreement import CategoryAgreement, ValueAgreement
from reportgen.analysis.calibration.ceiling import Ceiling
from reportgen.analysis.calibration.coefficients import Coefficient
from reportgen.analysis.calibration.gate import IN_BAND_AT_LEAST, KAPPA_AT_LEAST, LABELS_AT_LEAST
from reportgen.analysis.calibration.results import FAR_APART, CalibrationResult, DimensionAgreement, Disagreement
from reportgen.analysis.calibration.sides import ascending_bands
from reportgen.model.rubric import Rubric
from reportgen.publishing.agreement_figures import (
    name_gate,
    print_coefficient,
    print_coefficient_interval,
    print_distance,
    print_distance_interval,
    print_part,
    print_part_interval,
    print_points_interval,
)
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_day,
    print_points,
    print_score,
    print_share,
    stored,
)
from reportgen.publishing.report import Report
from reportgen.publishing.text import shorten

TITLE = "Calibration: the judge beside people"


def build(report: Report) -> dict[str, Any]:
    """The figures of the calibration; without one only that there is none."""
    found, rubric = report.findings.calibration, report.run.rubric
    if found is None:
        return {"measured": False, "derived": report.run.manifest.derived is not None}
    use = found.production or found.labelled
    bands = ascending_bands(rubric)
    return {
        "measured": True,
        "gate": name_gate(found.gate),
        "passed": found.gate == "pass",
        "reason": found.gate_reason,
        "asks": (f"{KAPPA_AT_LEAST:.2f}", print_count(LABELS_AT_LEAST), print_count(IN_BAND_AT_LEAST)),
        "day": print_day(found.made_at),
        "turns": plural(found.turns, "turn"),
        "labellers": plural(found.labellers, "person").replace("persons", "people"),
        "drawn": found.drawn,
        "strata": plural(found.strata, "stratum").replace("stratums", "strata"),
        "covered": print_share(stored(found.covered)),
        "left_out": [(print_count(count), reason) for reason, count in found.left_out.items()],
        "bands": list(bands),
        "lowest": bands[0],
        "table": _table(use.bands, bands),
        "figures": [*_band_figures(use.bands, found), *_score_figures(use.scores, found)],
        "limits": _limits(use.scores),
        "dimensions": [_dimension(item) for item in use.dimensions],
        "ceiling": _ceiling(found.ceiling),
        "people": _people(found, rubric),
        "far": (print_count(FAR_APART), print_count(found.far_apart), len(found.worst) < found.far_apart),
        "worst": [_worst(turn, report) for turn in found.worst],
    }


def _table(found: CategoryAgreement, bands: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {
            "band": judge,
            "cells": [(print_count(found.table[judge][people]), judge == people) for people in bands],
            "total": print_count(sum(found.table[judge].values())),
        }
        for judge in bands
    ]


def _band_figures(use: CategoryAgreement, found: CalibrationResult) -> list[dict[str, str]]:
    plain = found.labelled.bands
    lines = [
        ("Kappa of the bands", use.kappa, plain.kappa),
        ("Kappa, linear weights", use.kappa_linear, plain.kappa_linear),
        ("Kappa, quadratic weights", use.kappa_quadratic, plain.kappa_quadratic),
        ("AC1 of the bands", use.ac1, plain.ac1),
        ("Alpha of the bands, ordinal", use.alpha, plain.alpha),
    ]
    shares = [
        ("Same band", use.agreement, plain.agreement),
        (f"Found {use.detection.band} of what people found so", use.detection.sensitivity, plain.detection.sensitivity),
        (f"Not found {use.detection.band} of the others", use.detection.specificity, plain.detection.specificity),
    ]
    return [_coefficient(*line) for line in lines] + [
        _line(name, print_part(own), print_part_interval(own), print_part(as_is), own) for name, own, as_is in shares
    ]


def _score_figures(use: ValueAgreement, found: CalibrationResult) -> list[dict[str, str]]:
    plain = found.labelled.scores
    bias = use.bias.mean
    return [
        _coefficient("Rank correlation of the scores, rho", use.rho, plain.rho),
        _coefficient("Alpha of the scores, interval", use.alpha, plain.alpha),
        _line(
            "Judge less people, points",
            print_distance(bias.value),
            print_distance_interval(bias),
            print_distance(plain.bias.mean.value),
            bias,
        ),
    ]


def _coefficient(name: str, own: Coefficient, as_is: Coefficient) -> dict[str, str]:
    return _line(name, print_coefficient(own), print_coefficient_interval(own), print_coefficient(as_is), own)


def _line(name: str, value: str, interval: str, as_is: str, found: Coefficient) -> dict[str, str]:
    return {"name": name, "value": value, "interval": interval, "as_is": as_is, "n": print_count(found.n)}


def _limits(found: ValueAgreement) -> str | None:
    low, high = found.bias.lower_limit, found.bias.upper_limit
    return None if low is None or high is None else f"{print_distance(low)} to {print_distance(high)}"


def _dimension(item: DimensionAgreement) -> dict[str, str]:
    bias = item.values.bias.mean
    return {
        "name": item.name,
        "n": print_count(item.values.n),
        "alone": f"{print_count(item.only_judge)}, {print_count(item.only_people)}",
        "rho": print_coefficient(item.values.rho),
        "rho_interval": print_coefficient_interval(item.values.rho),
        "bias": print_distance(bias.value, 2),
        "bias_interval": print_distance_interval(bias, 2),
    }


def _ceiling(found: Ceiling | None) -> dict[str, str] | None:
    if found is None:
        return None
    one = found.pairs[0].kappa if len(found.pairs) == 1 else None
    return {
        "raters": print_count(len(found.raters)),
        "units": plural(found.units, "turn"),
        "kappa": print_coefficient(Coefficient(found.kappa)),
        "interval": f" ({print_coefficient_interval(one)})" if one and one.low is not None else "",
        "alpha": print_coefficient(found.alpha),
    }


def _people(found: CalibrationResult, rubric: Rubric) -> list[dict[str, str]]:
    people = found.people_find
    mean, poor = people.mean, people.poor
    return [
        {
            "name": "Mean score",
            "judge": NONE if people.judge_mean is None else print_score(stored(people.judge_mean), rubric),
            "people": NONE if mean.value is None else print_points(mean.value),
            "interval": print_points_interval(mean),
        },
        {
            "name": f"Share of {rubric.bands[-1].id}",
            "judge": NONE if people.judge_poor is None else print_share(stored(people.judge_poor)),
            "people": print_part(poor),
            "interval": print_part_interval(poor),
        },
    ]


def _worst(turn: Disagreement, report: Report) -> dict[str, str]:
    rubric = report.run.rubric
    return {
        "href": report.href(turn.turn),
        "id": str(shorten(turn.turn, 80)),
        "judge": print_score(turn.judge, rubric),
        "judge_band": turn.judge_band,
        "people": "band only" if turn.people is None else print_score(turn.people, rubric),
        "people_band": turn.people_band,
        "labellers": print_count(turn.labellers),
    }
