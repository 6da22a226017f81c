"""The data from which a page recomputes its own scores: what the judge gave, and the rubric's arithmetic."""

from decimal import Decimal
from typing import Any

from reportgen.analysis.quadrants import CORNERS
from reportgen.model.rubric import Rubric
from reportgen.model.score import Score
from reportgen.model.verdict import Number, Verdict
from reportgen.publishing.printing import print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import clean, turn_anchor
from reportgen.scoring.readings import split_by_judge

Given = list[list[list[str | None]]]
"""By judge and dimension, the subscore of each usable reading, exactly as given."""


def describe_rubric(report: Report) -> dict[str, Any]:
    """The rubric's arithmetic, and the headline that follows from it by the printed page."""
    rubric, summary = report.run.rubric, report.findings.summary
    return {
        "scale": rubric.scale.maximum,
        "dimensions": [{"name": clean(item.name), "weight": item.weight} for item in rubric.dimensions],
        "bands": [{"id": band.id, "atLeast": band.at_least} for band in rubric.bands],
        "caps": [{"id": cap.id, "ceiling": cap.ceiling} for cap in rubric.caps],
        "mean": None if summary.mean.value is None else print_score(summary.mean.value, rubric),
        "turns": summary.turns,
        "scored": summary.scored,
        **({} if rubric.has_composite else {"corners": _name_corners(rubric)}),
    }


def _name_corners(rubric: Rubric) -> list[str]:
    """What turns can be found by without a composite; none where no metrics are held against one another."""
    return [clean(rubric.quadrants.cell(corner).name) for corner in CORNERS] if rubric.quadrants else []


def describe_turn(entry: TurnEntry, rubric: Rubric) -> dict[str, Any]:
    """What the score of one turn follows from, and the score as printed.

    `leftOut` and `caps` are places in the lists of the rubric: the dimensions that do not apply, the caps that hold.
    """
    score = entry.score
    return {
        "number": entry.number,
        "anchor": turn_anchor(entry.turn.id),
        "printed": None if score.score is None else print_score(score.score, rubric),
        "band": score.band,
        "given": [] if score.score is None else _given(entry.verdicts, rubric),
        "leftOut": _left_out(score),
        "caps": _holding(score, rubric),
    }


def _given(verdicts: tuple[Verdict, ...], rubric: Rubric) -> Given:
    """The usable readings of each judge; a judge that gave none for some judge call does not count."""
    judges = [_readings(group, rubric) for _, group in split_by_judge(verdicts)]
    return [readings for readings in judges if all(readings)]


def _readings(verdicts: list[Verdict], rubric: Rubric) -> list[list[str | None]]:
    asked = {dimension: call.id for call in rubric.calls for dimension in call.scores}
    return [
        [
            _exactly(verdict.reply.scores.get(dimension.id))
            for verdict in verdicts
            if verdict.call == asked[dimension.id] and verdict.outcome == "ok" and verdict.reply
        ]
        for dimension in rubric.dimensions
    ]


def _exactly(value: Number | None) -> str | None:
    return None if value is None else format(Decimal(str(value)), "f")


def _left_out(score: Score) -> list[int]:
    """Of a scored turn, a dimension that is not used is one that does not apply."""
    return [place for place, item in enumerate(score.subscores) if item.used is None]


def _holding(score: Score, rubric: Rubric) -> list[int]:
    held = {cap.id for cap in score.caps}
    return [place for place, cap in enumerate(rubric.caps) if cap.id in held]
