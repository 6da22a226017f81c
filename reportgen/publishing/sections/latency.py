"""How long the turns took, in a small table; it is no part of any score."""

from fractions import Fraction
from typing import Any

from reportgen.analysis.latencies import LatencyFacts
from reportgen.publishing.printing import NONE, print_count, print_duration
from reportgen.publishing.report import Report

TITLE = "Latency"

_NAMES = {"total": "From question to answer", "retrieval": "Retrieval", "generation": "Writing the answer"}


def build(report: Report) -> dict[str, Any] | None:
    """A line for each latency; None where no turn states any."""
    found = report.findings.latencies
    if all(item.n == 0 for item in found):
        return None
    return {"rows": [_row(item) for item in found]}


def _row(item: LatencyFacts) -> dict[str, Any]:
    return {
        "name": _NAMES[item.part],
        "n": print_count(item.n),
        "missing": print_count(item.missing),
        "mean": _print(item.mean),
        "median": _print(item.median),
        "p95": _print(item.p95),
        "undefined": item.undefined,
    }


def _print(value: Fraction | None) -> str:
    return NONE if value is None else print_duration(float(value))
