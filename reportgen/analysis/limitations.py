"""The stated limitations, each measured on the run at hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.calibration.results import CalibrationResult
from reportgen.analysis.estimates import estimate_mean
from reportgen.analysis.rows import TurnRow
from reportgen.model.calibration import GateState
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate


@dataclass(frozen=True, slots=True)
class Limitations:
    """The figures that the limitations quote; all are counts of turns unless they say otherwise.

    `near_edge` counts scored turns whose score would change its band if one subscore moved by one step. `calibrated`
    says that agreement with people was measured, `gate` in which state its gate is; `human_labels` counts the turns
    that people labelled, `labellers` these people.
    """

    turns: int
    scored: int
    statements: int
    judged_once: int
    with_rows_beyond_sample: int
    statements_beyond_sample: int
    with_unknown_count: int
    with_shortened_evidence: int
    without_answer: int
    mean_without_answer: Estimate
    mean_with_answer: Estimate
    near_edge: int
    relayed: int
    split: int
    looks_bundled: int
    calibrated: bool
    human_labels: int
    labellers: int = 0
    gate: GateState | None = None
    with_retrieval: int = 0


def measure_limitations(
    rows: Sequence[TurnRow], rubric: Rubric, calibration: CalibrationResult | None = None
) -> Limitations:
    """The figures of each stated limitation for these turns.

    Args:
        rows: The turns.
        rubric: What they were scored by.
        calibration: What is known of the judge's agreement with people.
    """
    return Limitations(
        turns=len(rows),
        scored=sum(row.score.unscored is None for row in rows),
        statements=sum(row.statements for row in rows),
        judged_once=sum(row.score.readings is None for row in rows),
        with_rows_beyond_sample=sum(row.beyond_sample > 0 for row in rows),
        statements_beyond_sample=sum(row.beyond_sample for row in rows),
        with_unknown_count=sum(row.unknown_count > 0 for row in rows),
        with_shortened_evidence=sum(row.cuts > 0 for row in rows),
        without_answer=sum(not row.answered for row in rows),
        mean_without_answer=estimate_mean([row for row in rows if not row.answered]),
        mean_with_answer=estimate_mean([row for row in rows if row.answered]),
        near_edge=count_near_edge(rows, rubric),
        relayed=sum(row.relayed for row in rows),
        split=sum(row.split for row in rows),
        looks_bundled=sum(row.looks_bundled for row in rows),
        calibrated=calibration is not None,
        human_labels=calibration.turns if calibration else 0,
        labellers=calibration.labellers if calibration else 0,
        gate=calibration.gate if calibration else None,
        with_retrieval=sum(row.retrievals > 0 for row in rows),
    )


def count_near_edge(rows: Sequence[TurnRow], rubric: Rubric) -> int:
    """How many scored turns would change their band if one subscore moved by one step."""
    return sum(_near_edge(row, rubric) for row in rows)


def _near_edge(row: TurnRow, rubric: Rubric) -> bool:
    """Whether one step of one subscore, up or down, would carry the score across a band edge."""
    score = row.score.score
    if score is None or any(cap.lowered for cap in row.score.caps):
        return False
    heaviest = max((item.effective_weight or Fraction(0) for item in row.score.subscores), default=Fraction(0))
    step = 100 * heaviest / rubric.scale.steps
    edges = [band.at_least for band in rubric.bands if band.at_least > 0]
    return any(score - step < edge <= score or score < edge <= score + step for edge in edges)
