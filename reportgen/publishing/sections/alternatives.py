"""Other methods that were considered."""

from typing import Any

from reportgen.publishing.prose import render_prose
from reportgen.publishing.report import Report

TITLE = "Alternatives considered"


def build(report: Report) -> dict[str, Any]:
    """The text about other methods."""
    return {"text": render_prose("alternatives", report)}
