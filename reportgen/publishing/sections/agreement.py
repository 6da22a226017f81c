"""The judge's categorical verdict against the band of the arithmetic, and the check of its quotes."""

from typing import Any

from reportgen.publishing.printing import plural, print_count, print_percent, print_score
from reportgen.publishing.report import Report
from reportgen.publishing.sections.caps import LINKS_SHOWN, link_turns
from reportgen.publishing.text import shorten, turn_anchor

TITLE = "Judge against arithmetic"


def build(report: Report) -> dict[str, Any]:
    """The table of words against bands, the turns in which they differ, and the check of the quotes."""
    agreement, quotes = report.findings.agreement, report.findings.quotes
    return {
        "bands": list(agreement.table),
        "table": _table(agreement.table),
        "turns": plural(agreement.turns, "scored turn"),
        "agreeing": print_count(agreement.agreeing),
        "share": print_percent(agreement.agreeing, agreement.turns),
        "comparable": agreement.turns > 0,
        "disagreements": _disagreements(report),
        "more": print_count(len(agreement.disagreements) - LINKS_SHOWN)
        if len(agreement.disagreements) > LINKS_SHOWN
        else None,
        "quotes": plural(quotes.quotes, "quote"),
        "quoted": quotes.quotes > 0,
        "supported": print_count(quotes.supported),
        "supported_share": print_percent(quotes.supported, quotes.quotes),
        "unsupported_in": link_turns(quotes.turns),
        "addressed": link_turns(report.findings.addressed),
        "addressed_count": plural(len(report.findings.addressed), "turn"),
    }


def _table(table: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    return [
        {
            "verdict": verdict,
            "cells": [{"count": print_count(count), "same": band == verdict} for band, count in row.items()],
            "total": print_count(sum(row.values())),
        }
        for verdict, row in table.items()
    ]


def _disagreements(report: Report) -> list[dict[str, str]]:
    wanted = set(report.findings.agreement.disagreements[:LINKS_SHOWN])
    if not wanted:
        return []
    return [
        {
            "number": str(entry.number),
            "href": f"#{turn_anchor(entry.turn.id)}",
            "id": str(shorten(entry.turn.id, 80)),
            "verdict": entry.score.verdict or "",
            "band": entry.score.band or "",
            "score": print_score(entry.score.score, report.run.rubric),
            "caps": ", ".join(cap.id for cap in entry.score.caps if cap.lowered) or "none",
        }
        for entry in report.turns()
        if entry.turn.id in wanted
    ]
