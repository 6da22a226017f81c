"""The sections of a report, in their default order; each is a module here and a template of the same name."""

from typing import Any, Protocol

from reportgen.publishing.report import Report
from reportgen.publishing.sections import (
    agreement,
    alternatives,
    calibration,
    caps,
    comparison,
    cover,
    dimensions,
    distribution,
    figures,
    latency,
    limitations,
    method,
    metrics,
    notes,
    provenance,
    quadrants,
    questions,
    roadmap,
    strata,
    summary,
    trend,
    trust,
    turns,
    worst,
)


class Section(Protocol):
    """What a section's module offers: its title, and what its template needs of the report."""

    TITLE: str

    def build(self, report: Report, /) -> dict[str, Any] | None:
        """The names that the template uses; numbers are printed, captured text is fit for display.

        None leaves the section out, where the report has nothing for it.
        """
        ...


SECTIONS: dict[str, Section] = {
    "cover": cover,
    "summary": summary,
    "notes": notes,
    "metrics": metrics,
    "quadrants": quadrants,
    "distribution": distribution,
    "dimensions": dimensions,
    "strata": strata,
    "trend": trend,
    "comparison": comparison,
    "caps": caps,
    "worst": worst,
    "agreement": agreement,
    "calibration": calibration,
    "trust": trust,
    "figures": figures,
    "latency": latency,
    "method": method,
    "limitations": limitations,
    "alternatives": alternatives,
    "roadmap": roadmap,
    "questions": questions,
    "turns": turns,
    "provenance": provenance,
}

OF_A_COMPOSITE = frozenset({"distribution", "dimensions", "strata", "trend", "caps", "worst"})
"""These show the score of a turn as a whole. Without one, the section on metrics shows the like for each of them."""
