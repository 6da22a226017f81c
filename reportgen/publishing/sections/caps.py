"""The caps: which facts held, in which turns, and whose score they lowered."""

from typing import Any

from reportgen.analysis.findings import CapUse
from reportgen.publishing.printing import print_count
from reportgen.publishing.report import Report
from reportgen.publishing.text import shorten

TITLE = "Caps that applied"

LINKS_SHOWN = 100


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
        "more": print_count(len(use.held) - LINKS_SHOWN) if len(use.held) > LINKS_SHOWN else None,
    }


def link_turns(ids: tuple[str, ...], report: Report) -> list[dict[str, str]]:
    """A link to each of the first turns."""
    return [{"href": report.href(name), "id": str(shorten(name, 80))} for name in ids[:LINKS_SHOWN]]
