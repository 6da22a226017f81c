"""Where validation and governance stand."""

from typing import Any

from reportgen.publishing.prose import render_prose
from reportgen.publishing.report import Report

TITLE = "Roadmap"


def build(report: Report) -> dict[str, Any]:
    """The text about what is planned and what is done."""
    return {"text": render_prose("roadmap", report)}
