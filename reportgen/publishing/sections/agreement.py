"""The judge's categorical verdict against the band of the arithmetic, and the check of its quotes."""

from typing import Any

from reportgen.model.rubric import Rubric
from reportgen.publishing.links import LINKS_SHOWN, count_more, link_turns
from reportgen.publishing.printing import plural, print_count, print_exact, print_percent, print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import shorten

TITLE = "Judge against arithmetic"
TITLE_OF_METRICS = "Quotes of the judge"
"""Without a composite there is no word on a turn as a whole that arithmetic could be held against."""

_EXPLANATION_SHOWN = 240


def build(report: Report) -> dict[str, Any]:
    """The table of words against bands, the turns in which they differ, and the check of the quotes."""
    agreement, quotes, canaries = report.findings.agreement, report.findings.quotes, report.findings.canaries
    return {
        "title": TITLE if report.run.rubric.has_composite else TITLE_OF_METRICS,
        "bands": list(agreement.table),
        "table": _table(agreement.table),
        "turns": plural(agreement.turns, "scored turn"),
        "agreeing": print_count(agreement.agreeing),
        "share": print_percent(agreement.agreeing, agreement.turns),
        "comparable": agreement.turns > 0,
        "disagreements": _disagreements(report),
        "more": count_more(agreement.disagreements),
        "quotes": plural(quotes.quotes, "quote"),
        "quoted": quotes.quotes > 0,
        "supported": print_count(quotes.supported),
        "supported_share": print_percent(quotes.supported, quotes.quotes),
        "unsupported_in": link_turns(quotes.turns, report),
        "canaries_passed": print_count(canaries.passed),
        "canaries": plural(canaries.asked, "canary"),
        "tested": canaries.asked > 0,
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


def _disagreements(report: Report) -> list[dict[str, str | None]]:
    wanted = set(report.findings.agreement.disagreements[:LINKS_SHOWN])
    if not wanted:
        return []
    return [
        {
            "said": _explain_word(entry) if report.has_texts else None,
            "computed": _explain_band(entry, report.run.rubric),
            "number": str(entry.number),
            "href": report.href(entry.turn.id),
            "id": str(shorten(entry.turn.id, 80)),
            "verdict": entry.score.verdict or "",
            "band": entry.score.band or "",
            "score": print_score(entry.score.score, report.run.rubric),
        }
        for entry in report.turns()
        if entry.turn.id in wanted
    ]


def _explain_word(entry: TurnEntry) -> str:
    """Why the judge says what it says, in its own words and short; of several readings, the first that says it."""
    replies = [verdict.reply for verdict in entry.verdicts if verdict.reply]
    replies.sort(key=lambda reply: reply.verdict != entry.score.verdict)
    explanations = [reply.explanation for reply in replies]
    return str(shorten(explanations[0], _EXPLANATION_SHOWN)) if explanations else "It gave no explanation."


def _explain_band(entry: TurnEntry, rubric: Rubric) -> str:
    """Why the arithmetic gives another band: the subscores, and the cap if one lowered the score."""
    score = entry.score
    used = [
        f"{rubric.dimension(item.dimension).name} {print_exact(item.used)}"
        for item in score.subscores
        if item.used is not None
    ]
    lowered = [f"cap {cap.id} lowers it to {cap.ceiling}" for cap in score.caps if cap.lowered]
    return "; ".join([f"{', '.join(used)} give {print_score(score.raw, rubric)}", *lowered]) + "."
