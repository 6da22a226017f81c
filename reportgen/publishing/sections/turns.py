"""The list of all turns; after it, or on pages of their own, the breakdown of each."""

from typing import Any

from reportgen.publishing.lines import build_lines
from reportgen.publishing.printing import plural
from reportgen.publishing.report import PaperNotes, Report
from reportgen.publishing.snapshots import ROWS_SHOWN

TITLE = "Turn by turn"


def build(report: Report) -> dict[str, Any]:
    """The lines come one at a time while the template asks for them, so that few are in memory at once."""
    return {
        "count": plural(report.findings.summary.turns, "turn"),
        "any": report.findings.summary.turns > 0,
        "rows_shown": str(ROWS_SHOWN),
        "index": None if report.paper and report.paper.selection else build_lines(report.turns(), report),
        "paper": report.paper or PaperNotes(),
    }
