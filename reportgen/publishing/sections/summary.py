"""The summary: the headline figures on one page, with all that they rest on."""

from typing import Any

from reportgen.model.run import Estimate, Summary
from reportgen.publishing.printing import (
    plural,
    print_count,
    print_figure,
    print_interval,
    print_percent,
    print_percents,
    print_score,
    print_share_interval,
)
from reportgen.publishing.prose import render_prose
from reportgen.publishing.report import Report
from reportgen.publishing.text import shorten, turn_anchor
from reportgen.publishing.turns import OUTCOMES

TITLE = "Summary"


def build(report: Report) -> dict[str, Any]:
    """The headline figures with what they rest on."""
    summary, rubric = report.findings.summary, report.run.rubric
    low, high = summary.bound_low, summary.bound_high
    return {
        "turns": print_count(summary.turns),
        "scored": print_count(summary.scored),
        "unscored": _unscored(summary),
        "mean": _mean(summary.mean, report),
        "basis": say_basis(summary.mean),
        "parts": _parts(summary, report),
        "bands": _bands(report),
        "at_maximum": plural(summary.at_maximum, "turn"),
        "at_maximum_share": print_percent(summary.at_maximum, summary.scored),
        "lowest": _lowest(report),
        "bounds": None if summary.scored == summary.turns else [print_score(low, rubric), print_score(high, rubric)],
        "notice": render_prose("notice", report).html,
    }


def _unscored(summary: Summary) -> list[dict[str, str]]:
    return [
        {"why": OUTCOMES.get(outcome, outcome), "count": print_count(count)}
        for outcome, count in summary.unscored.items()
    ]


def _mean(estimate: Estimate, report: Report) -> dict[str, Any]:
    rubric = report.run.rubric
    return {
        "value": print_score(estimate.value, rubric),
        "interval": print_interval(estimate, rubric),
        "known": estimate.value is not None,
        "bounded": estimate.low is not None,
        "count": plural(estimate.n, "turn"),
    }


def say_basis(estimate: Estimate) -> str:
    """What a mean and its interval rest on, in a sentence."""
    if estimate.value is None:
        return f"There is no mean: {estimate.undefined}."
    basis = f"The mean is over {plural(estimate.n, 'scored turn')}."
    if estimate.low is None:
        return f"{basis} There is no interval: {estimate.undefined}."
    units = _units(estimate.clusters or 0, estimate.by or "turn")
    freedom = "" if estimate.df is None else f", {print_figure(estimate.df)} degrees of freedom"
    return (
        f"{basis} The 95\u00a0% interval takes {units} as independent of one another{freedom}; it says how far "
        "the mean could move with other turns of the same kind, not with another judge."
    )


def _units(count: int, by: str) -> str:
    """How many of what; what is counted may have two names, such as "conversation or single turn"."""
    first, *others = by.split(" or ")
    return " or ".join([plural(count, first), *(plural(0, other).removeprefix("0 ") for other in others)])


def _parts(summary: Summary, report: Report) -> list[dict[str, Any]]:
    """The means of turns with all dimensions and of renormalised ones, which are two scales in one."""
    parts = (
        ("Turns scored on all dimensions", summary.mean_all_dimensions),
        ("Turns on which a dimension does not apply (weights renormalised)", summary.mean_renormalised),
    )
    return [{"title": title, **_mean(estimate, report)} for title, estimate in parts]


def _bands(report: Report) -> list[dict[str, str]]:
    bands = report.findings.summary.bands
    means = {band.id: band.means for band in report.run.rubric.bands}
    percents = print_percents([band.count for band in bands])
    return [
        {
            "id": band.band,
            "count": print_count(band.count),
            "percent": percent,
            "interval": print_share_interval(band.share),
            "means": means[band.band],
        }
        for band, percent in zip(bands, percents, strict=True)
    ]


def _lowest(report: Report) -> dict[str, Any] | None:
    lowest = report.findings.summary.lowest
    if lowest is None:
        return None
    sentences = {cap.id: cap.sentence for cap in report.run.rubric.caps}
    return {
        "score": print_score(lowest.score, report.run.rubric),
        "href": f"#{turn_anchor(lowest.turn)}",
        "id": str(shorten(lowest.turn, 80)),
        "why": [f"cap {cap}: {sentences.get(cap, '')}" for cap in lowest.caps],
    }
