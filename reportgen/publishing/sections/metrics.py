"""Each metric by itself, by a rubric without a composite: headline, spread, days, labels, and the lowest values."""

from typing import Any

from reportgen.model.rubric import Dimension
from reportgen.publishing.headlines import build_headline
from reportgen.publishing.metrics import view_metrics
from reportgen.publishing.report import Report
from reportgen.publishing.sections import distribution, strata, trend, worst

TITLE = "The metrics"


def build(report: Report) -> dict[str, Any] | None:
    """A part for each metric; None where a composite stands for them."""
    if report.run.rubric.has_composite:
        return None
    return {
        "scale": str(report.run.rubric.scale.maximum),
        "parts": [_part(dimension, view) for dimension, view in view_metrics(report)],
    }


def _part(dimension: Dimension, view: Report) -> dict[str, Any]:
    return {
        "id": dimension.id,
        "name": dimension.name,
        "asks": dimension.asks,
        "headline": build_headline(dimension, view),
        "distribution": distribution.build(view),
        "trend": trend.build(view),
        "strata": strata.build(view),
        "worst": worst.build(view),
    }
