"""How the scores are spread, as a histogram."""

from typing import Any

from reportgen.publishing.charts import MIXED, build_histogram
from reportgen.publishing.printing import plural, print_percent
from reportgen.publishing.report import Report

TITLE = "Distribution of scores"


def build(report: Report) -> dict[str, Any]:
    """The histogram and the same as numbers."""
    bins, bands = report.findings.distribution, report.run.rubric.bands
    histogram = build_histogram(bins, bands)
    scored = report.findings.summary.scored
    edges = [str(band.at_least) for band in reversed(bands) if band.at_least > 0]
    return {
        "scored": plural(report.findings.summary.scored, "scored turn"),
        "histogram": histogram,
        "says": "; ".join(f"{bar.label}: {bar.value}" for bar in histogram.bars if bar.value != "0") or "no scores",
        "mixed": [bar.label for bar in histogram.bars if bar.band == MIXED],
        "edges": " and ".join(edges),
        "rows": [
            {"label": bar.label, "count": bar.value, "percent": print_percent(item.count, scored), "band": bar.band}
            for bar, item in zip(histogram.bars, bins, strict=True)
        ],
    }
