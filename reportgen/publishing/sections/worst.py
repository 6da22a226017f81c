"""The lowest scores, each with what brought it about."""

from typing import Any

from reportgen.model.turn import Turn
from reportgen.publishing.links import count_more, link_turns
from reportgen.publishing.printing import print_count, print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import clean, shorten

TITLE = "Lowest scores"

_QUESTION_SHOWN = 240
_EXPLANATION_SHOWN = 400
_PASSAGE_SHOWN = 200
_PASSAGES_SHOWN = 3


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
    return {
        "number": str(entry.number),
        "href": report.href(entry.turn.id),
        "id": str(shorten(entry.turn.id, 80)),
        "question": str(shorten(entry.turn.question, _QUESTION_SHOWN)) if report.has_texts else None,
        "score": print_score(score.score, rubric),
        "band": score.band,
        "first_weak": rubric.dimension(entry.first_weak).name if entry.first_weak else None,
        "caps": [cap.id for cap in score.caps if cap.lowered],
        "said": _explain(entry) if report.has_texts else [],
        "fetched": _fetched(entry.turn) if report.has_texts else None,
    }


def _explain(entry: TurnEntry) -> list[dict[str, str | None]]:
    """The explanation of each judge call, and whose it is where there are several; of more readings the first."""
    first: dict[str, str] = {}
    several = len({verdict.call for verdict in entry.verdicts}) > 1
    for verdict in entry.verdicts:
        if verdict.reply:
            first.setdefault(verdict.call, verdict.reply.explanation)
    return [
        {"call": clean(call) if several else None, "text": str(shorten(text, _EXPLANATION_SHOWN))}
        for call, text in first.items()
    ]


def _fetched(turn: Turn) -> dict[str, Any] | None:
    """The passages that were retrieved and what was made of them; None where nothing was searched."""
    if not turn.retrievals:
        return None
    passages = [passage for event in turn.retrievals for passage in event.passages or ()]
    texts = [passage.text for passage in passages if passage.text is not None]
    answer = turn.answer.text if turn.answer else None
    return {
        "passages": [str(shorten(text, _PASSAGE_SHOWN)) for text in texts[:_PASSAGES_SHOWN]],
        "count": print_count(len(passages)),
        "answer": None if answer is None else str(shorten(answer, _EXPLANATION_SHOWN)),
    }
