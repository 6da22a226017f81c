"""Questions that readers ask, with answers."""

from typing import Any

from reportgen.publishing.prose import render_family
from reportgen.publishing.report import Report

TITLE = "Questions and answers"


def build(report: Report) -> dict[str, Any]:
    """The questions in their order."""
    return {"texts": render_family("questions", report)}
