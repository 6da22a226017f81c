"""The breakdown of every turn: what was asked, done and answered, what the judge said, and the arithmetic."""

from collections.abc import Iterator
from typing import Any

from reportgen.publishing.printing import plural, print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.snapshots import ROWS_SHOWN
from reportgen.publishing.text import shorten, turn_anchor
from reportgen.publishing.turns import TurnText, build_turn

TITLE = "Turn by turn"

_QUESTION_SHOWN = 160


def build(report: Report) -> dict[str, Any]:
    """The turns come one at a time while the template asks for them, so that few are in memory at once."""
    return {
        "count": plural(report.findings.summary.turns, "turn"),
        "any": report.findings.summary.turns > 0,
        "rows_shown": str(ROWS_SHOWN),
        "index": (_line(entry, report) for entry in report.turns()),
        "turns": _turns(report),
    }


def _line(entry: TurnEntry, report: Report) -> dict[str, str | None]:
    score = entry.score.score
    return {
        "number": str(entry.number),
        "href": f"#{turn_anchor(entry.turn.id)}",
        "id": str(shorten(entry.turn.id, 60)),
        "question": str(shorten(entry.turn.question, _QUESTION_SHOWN)),
        "score": None if score is None else print_score(score, report.run.rubric),
        "band": entry.score.band,
        "unscored": entry.score.unscored,
    }


def _turns(report: Report) -> Iterator[TurnText]:
    for entry in report.turns():
        yield build_turn(entry, report.run)
