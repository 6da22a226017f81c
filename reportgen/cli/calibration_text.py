"""The calibration of a run, and the review of its weights, for a terminal or as JSON."""

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from reportgen.analysis.calibration.results import FAR_APART, CalibrationResult, DimensionAgreement
from reportgen.analysis.calibration.sides import ascending_bands
from reportgen.analysis.calibration.weight_review import WeightReview
from reportgen.cli.agreement_text import render_categories, render_ceiling, render_table, render_values
from reportgen.model.rubric import Rubric
from reportgen.pipeline.calibrating import Calibrated
from reportgen.publishing.agreement_figures import (
    name_gate,
    print_coefficient,
    print_distance,
    print_distance_interval,
    print_part,
    print_part_interval,
    print_points_interval,
    print_weight,
)
from reportgen.publishing.printing import NONE, plural, print_count, print_points, print_score, stored
from reportgen.publishing.text import shorten


def calibration_data(done: Calibrated) -> dict[str, Any]:
    """All that a calibration says, as plain JSON values, exact numbers as text."""
    return {
        "format": "reportgen/calibration-result/1",
        "run": done.records.run.manifest.run_id,
        "calibration": TypeAdapter(CalibrationResult).dump_python(done.result, mode="json"),
    }


def render_calibration(done: Calibrated) -> Iterator[str]:
    """The lines of a calibration, with plain spaces."""
    return (line.replace("\u00a0", " ") for line in _render(done))


def _render(done: Calibrated) -> Iterator[str]:
    found, rubric = done.result, done.records.run.rubric
    bands = ascending_bands(rubric)
    labelled, labellers = plural(found.turns, "labelled turn"), plural(found.labellers, "labeller")
    yield f"{done.records.run.manifest.run_id}: {labelled}, {labellers}"
    yield f"gate: {name_gate(found.gate)}, {found.gate_reason}"
    for reason, count in found.left_out.items():
        yield f"labels left out: {print_count(count)}, {reason}"
    use = found.production or found.labelled
    yield from render_table(use.bands, bands, "labelled turns, judge by line")
    weighted = "by the weights of the sample, which stand for the run:"
    yield weighted if found.production else "of the labelled turns as they are:"
    yield from render_categories(use.bands)
    yield from render_values(use.scores)
    yield ""
    yield "dimension by dimension, on the scale of the rubric: rho, judge less people"
    yield from (_dimension(item) for item in use.dimensions)
    if found.ceiling is not None:
        yield from render_ceiling(found.ceiling)
    yield from _as_people(found)
    yield from _far_apart(found, rubric)
    yield "kept in the annexes" if done.is_new else "the newest calibration in the annexes says the same"


def _far_apart(found: CalibrationResult, rubric: Rubric) -> Iterator[str]:
    yield ""
    shown = f"; the {len(found.worst)} furthest" if len(found.worst) < found.far_apart else ""
    yield f"{FAR_APART} points or more apart: {print_count(found.far_apart)} of {plural(found.turns, 'turn')}{shown}"
    for turn in found.worst:
        people = "no score" if turn.people is None else print_score(turn.people, rubric)
        judge = f"{print_score(turn.judge, rubric)} {turn.judge_band}"
        yield f"  {shorten(turn.turn, 60)}: judge {judge}, people {people} {turn.people_band}"


def _dimension(item: DimensionAgreement) -> str:
    bias = item.values.bias.mean
    rho = print_coefficient(item.values.rho, 3)
    between = print_distance_interval(bias, 2)
    return f"  {item.name:<28}{rho:>10}{print_distance(bias.value, 2):>10}   {between}, n {item.values.n}"


def _as_people(found: CalibrationResult) -> Iterator[str]:
    people = found.people_find
    yield ""
    yield "the run as people would have it"
    mean = NONE if people.mean.value is None else print_points(people.mean.value)
    judge = NONE if people.judge_mean is None else print_points(people.judge_mean)
    yield f"  {'mean score':<28}{mean:>10}   {print_points_interval(people.mean)}; the judge: {judge}"
    share = NONE if people.judge_poor is None else f"{float(100 * stored(people.judge_poor)):.1f} %"
    between = print_part_interval(people.poor)
    yield f"  {'share of the lowest band':<28}{print_part(people.poor):>10}   {between}; the judge: {share}"


def review_data(run: str, found: WeightReview) -> dict[str, Any]:
    """A review of the weights as plain JSON values."""
    plain = TypeAdapter(WeightReview).dump_python(found, mode="json")
    return {"format": "reportgen/weight-review/1", "run": run, **plain}


def render_review(run: str, found: WeightReview) -> Iterator[str]:
    """The lines of a review of the weights, with plain spaces."""
    yield f"{run}: {plural(found.turns, 'turn')} with all subscores and a band for the whole, no cap"
    said = {
        "contradicted": "the labels contradict the weights",
        "not-contradicted": "the labels do not contradict the weights",
        "not-estimable": "nothing can be said of the weights",
    }
    yield f"{said[found.state]}: {found.reason}"
    for item in found.weights:
        yield f"  {item.dimension:<28}{print_weight(item.current):>8}   fitted {print_weight(item.fitted.value)}" + (
            f" ({print_weight(item.fitted.low)} to {print_weight(item.fitted.high)})"
            if item.fitted.low is not None
            else ""
        )
    if found.error_current is not None and found.error_fitted is not None:
        current, fitted = print_points(found.error_current), print_points(found.error_fitted)
        yield f"typical error on unseen turns, in points: {current} by the rubric's weights, {fitted} by fitted ones"
        yield f"largest variance inflation: {print_points(found.inflation)}"
    yield "Weights are never changed by this. A rubric with other weights is a new version."
