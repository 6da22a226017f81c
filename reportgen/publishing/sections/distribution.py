"""How the scores are spread, as a histogram."""

from typing import Any

from reportgen.publishing.charts import Column, build_histogram
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_interval,
    print_percent,
    print_score,
    print_share,
    print_share_interval,
    print_units,
)
from reportgen.publishing.report import Report
from reportgen.publishing.sections.summary import say_median

TITLE = "Distribution of scores"


def build(report: Report) -> dict[str, Any]:
    """The histogram and the same as numbers."""
    bins, bands = report.findings.distribution, report.run.rubric.bands
    histogram = build_histogram(bins, bands)
    scored = report.findings.summary.scored
    edges = [str(band.at_least) for band in reversed(bands) if band.at_least > 0]
    return {
        "scored": plural(report.findings.summary.scored, "scored turn"),
        "any": scored > 0,
        "histogram": histogram,
        "says": "; ".join(f"{bar.label}: {bar.value}" for bar in histogram.columns if bar.bars) or "no scores",
        "edges": " and ".join(edges),
        "rows": [
            {"label": bar.label, "count": bar.value, "percent": print_percent(item.count, scored), "bands": _name(bar)}
            for bar, item in zip(histogram.columns, bins, strict=True)
        ],
        "parts": _parts(report),
        "facts": _facts(report),
    }


def _facts(report: Report) -> dict[str, str | bool]:
    """How far the scores tell turns apart: median, different scores, and the most frequent one."""
    scores, rubric = report.findings.scores, report.run.rubric
    scored, share = report.findings.summary.scored, scores.at_mode
    count = int(scored * share.value) if share.value is not None else 0
    return {
        "median": say_median(scores.median, rubric),
        "units": print_units(scores.median),
        "distinct": plural(scores.distinct, "different score"),
        "one": scores.distinct == 1,
        "mode": print_score(scores.mode, rubric),
        "at_mode": f"{print_count(count)} of {plural(scored, 'scored turn')}",
        "share": f"{print_share(share.value)}, 95\u00a0% interval: {print_share_interval(share)}",
    }


def _name(column: Column) -> str:
    """The band of a column, or the counts of those that share it."""
    several = len(column.bars) > 1
    return ", ".join(f"{bar.value} {bar.band}" if several else bar.band for bar in reversed(column.bars)) or NONE


def _parts(report: Report) -> list[dict[str, str]]:
    """The means of turns with all dimensions and of renormalised ones, two scales in one; none where there is one."""
    summary, rubric = report.findings.summary, report.run.rubric
    if len(rubric.dimensions) == 1 or not (summary.mean_all_dimensions.n and summary.mean_renormalised.n):
        return []
    parts = (
        ("Turns scored on all dimensions", summary.mean_all_dimensions),
        ("Turns on which a dimension does not apply (weights renormalised)", summary.mean_renormalised),
    )
    return [
        {
            "title": title,
            "count": print_count(estimate.n),
            "value": print_score(estimate.value, rubric),
            "interval": print_interval(estimate, rubric),
            "units": print_units(estimate),
        }
        for title, estimate in parts
    ]
