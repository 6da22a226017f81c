"""The stated limitations, each with this run's own figures."""

from typing import Any

from reportgen.publishing.prose import render_family
from reportgen.publishing.report import Report

TITLE = "Limitations"


def build(report: Report) -> dict[str, Any]:
    """The limitations in their order."""
    return {"texts": render_family("limitations", report)}
