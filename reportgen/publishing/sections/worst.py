"""The lowest scores, each with what brought it about."""

from typing import Any

from reportgen.publishing.links import count_more, link_turns
from reportgen.publishing.printing import print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import shorten

TITLE = "Lowest scores"

_QUESTION_SHOWN = 240
_EXPLANATION_SHOWN = 400


def build(report: Report) -> dict[str, Any]:
    """The lowest scores, lowest first, and the turns without a score."""
    order = {name: place for place, name in enumerate(report.findings.worst)}
    found = [entry for entry in report.turns() if entry.turn.id in order] if order else []
    found.sort(key=lambda entry: order[entry.turn.id])
    unscored = report.findings.unscored
    return {
        "turns": [_turn(entry, report) for entry in found],
        "any_scored": report.findings.summary.scored > 0,
        "unscored": link_turns(unscored, report),
        "unscored_more": count_more(unscored),
    }


def _turn(entry: TurnEntry, report: Report) -> dict[str, Any]:
    score, rubric = entry.score, report.run.rubric
    explanations = [verdict.reply.explanation for verdict in entry.verdicts if verdict.reply]
    return {
        "number": str(entry.number),
        "href": report.href(entry.turn.id),
        "id": str(shorten(entry.turn.id, 80)),
        "question": str(shorten(entry.turn.question, _QUESTION_SHOWN)) if report.has_texts else None,
        "score": print_score(score.score, rubric),
        "band": score.band,
        "first_weak": rubric.dimension(entry.first_weak).name if entry.first_weak else None,
        "caps": [cap.id for cap in score.caps if cap.lowered],
        "explanation": str(shorten(explanations[0], _EXPLANATION_SHOWN)) if explanations and report.has_texts else None,
    }
