"""The caps: which facts held, in which turns, and whose score they lowered."""

from typing import Any

from reportgen.analysis.turn_lists import CapUse
from reportgen.publishing.links import count_more, link_turns
from reportgen.publishing.printing import print_count
from reportgen.publishing.report import Report

TITLE = "Caps that applied"


def build(report: Report) -> dict[str, Any]:
    """Each cap with the turns in which its fact held."""
    uses = report.findings.caps
    return {"caps": [_cap(use, report) for use in uses], "any": any(use.held for use in uses)}


def _cap(use: CapUse, report: Report) -> dict[str, Any]:
    return {
        "id": use.id,
        "ceiling": str(use.ceiling),
        "sentence": use.sentence,
        "held": print_count(len(use.held)),
        "lowered": print_count(len(use.lowered)),
        "turns": link_turns(use.held, report),
        "more": count_more(use.held),
    }
