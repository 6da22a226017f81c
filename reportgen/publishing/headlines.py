"""The headline of a metric, and what a mean over all turns would be: shared by cover, summary and metrics."""

from typing import Any

from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.run import Estimate, Summary
from reportgen.publishing.charts import build_scale
from reportgen.publishing.outcomes import OUTCOMES
from reportgen.publishing.printing import plural, print_count, print_interval, print_score, print_units, say_mean
from reportgen.publishing.report import Report


def build_headline(dimension: Dimension, view: Report) -> dict[str, Any]:
    """The mean of a metric with all that it rests on, for the cover, the summary and its own part."""
    summary, rubric = view.findings.summary, view.run.rubric
    mean = summary.mean
    return {
        "id": dimension.id,
        "name": dimension.name,
        "mean": None if mean.value is None else print_score(mean.value, rubric),
        "interval": print_interval(mean, rubric) if mean.low is not None else None,
        "no_interval": mean.undefined,
        "units": print_units(mean) if mean.low is not None else None,
        "scored": f"{print_count(summary.scored)} of {plural(summary.turns, 'judged turn')}",
        "bounds": say_bounds(summary, rubric),
        "why": [f"{_say_why(name)}: {print_count(count)}" for name, count in summary.unscored.items()],
        "scale": build_scale(mean, rubric.bands),
        "scale_says": say_mean(mean, rubric),
    }


def _say_why(outcome: str) -> str:
    """Why turns have no value of a metric."""
    return "it does not apply" if outcome == "not_applicable" else OUTCOMES.get(outcome, outcome)


def say_means(summary: Summary, rubric: Rubric, *, bounded: bool = False) -> str | None:
    """The mean of the run, or that of each metric in percent of its scale, in a few words; None without any.

    Args:
        summary: Of the run.
        rubric: Of the run.
        bounded: Whether each comes with its 95 % interval.
    """
    found = [("mean", summary.mean)]
    if summary.metrics is not None:
        found = [(rubric.dimension(item.dimension).name, item.mean) for item in summary.metrics]
    if all(mean.value is None for _, mean in found):
        return None
    return ", ".join(f"{name} {_say_mean(mean, rubric, bounded=bounded)}" for name, mean in found)


def _say_mean(mean: Estimate, rubric: Rubric, *, bounded: bool) -> str:
    if mean.value is None:
        return "without a value"
    said = print_score(mean.value, rubric)
    if not bounded:
        return said
    interval = print_interval(mean, rubric)
    return f"{said} ({interval})" if mean.low is not None else f"{said} (no interval: {interval})"


def say_bounds(summary: Summary, rubric: Rubric) -> str | None:
    """Between what the mean over all turns lies, whatever the unscored ones are worth; None without any."""
    if summary.bound_low == summary.bound_high:
        return None
    low, high = print_score(summary.bound_low, rubric), print_score(summary.bound_high, rubric)
    return f"mean over all between {low} and {high}"
