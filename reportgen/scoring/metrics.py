"""Verdicts -> metrics: each dimension by itself, by a rubric without a composite."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from reportgen.model.rubric import Dimension, JudgeCall, Rubric
from reportgen.model.score import Readings, Score, Subscore
from reportgen.model.turn import Turn
from reportgen.model.verdict import Category, Verdict
from reportgen.scoring.bands import band_of
from reportgen.scoring.observing import is_left_out, observe_dimension
from reportgen.scoring.readings import Gathered, gather_readings


def score_metrics(turn: Turn, verdicts: Sequence[Verdict], rubric: Rubric, judge: str) -> Score:
    """The subscores of a turn, which has no score as a whole.

    A judge call that failed leaves its own dimensions without a subscore, with the reason; the others stand. The turn
    counts as scored if no call failed.

    Args:
        turn: The captured turn.
        verdicts: The verdicts on it, one or several for each judge call, by one judge or several.
        rubric: What to score by.
        judge: The judge's name, put on the score.
    """
    gathered = {call.id: _gather(call, verdicts, rubric) for call in rubric.calls}
    asked = {name: call.id for call in rubric.calls for name in call.scores}
    subscores = tuple(_observe(item, turn, gathered[asked[item.id]]) for item in rubric.dimensions)
    failed = [item for item in subscores if item.failure]
    reasons = dict.fromkeys(item.note for item in failed if item.note)
    return Score(
        turn=turn.id,
        judge=judge,
        rubric=rubric.digest,
        subscores=subscores,
        unscored=failed[0].failure if failed else None,
        reason=" ".join(reasons) or None,
        readings=_join_readings(item.readings for item in gathered.values()),
    )


def score_alone(score: Score, dimension: Dimension, rubric: Rubric) -> Score:
    """What a turn has by one metric alone, in percent of its scale, so that it can be counted as any score is.

    >>> from reportgen.rubrics import load_rubric
    >>> rubric = load_rubric("rag-1")
    >>> item = Subscore(dimension="faithfulness", weight=50, used=Fraction(9, 10))
    >>> whole = Score(turn="t", judge="j", rubric=rubric.digest, subscores=(item,))
    >>> alone = score_alone(whole, rubric.dimension("faithfulness"), rubric)
    >>> alone.score, alone.band
    (Fraction(90, 1), 'good')
    """
    item = next((item for item in score.subscores if item.dimension == dimension.id), None)
    alone = {"raw": None, "score": None, "band": None, "subscores": (item,) if item else ()}
    if item is None or item.used is None:
        return score.model_copy(update=alone | _reason_of(item, score))
    value = 100 * item.used / rubric.scale.maximum
    whole = item.model_copy(update={"effective_weight": Fraction(1)})
    found = {"raw": value, "score": value, "band": band_of(value, rubric.bands).id, "unscored": None, "reason": None}
    return score.model_copy(update=alone | found | {"subscores": (whole,)})


def band_to_draw_by(score: Score, rubric: Rubric) -> Category | None:
    """The band by which a turn is drawn from others: its own, or without a composite the lowest of its metrics.

    None where it has none, or where one of its metrics has no value because a judge call failed.
    """
    if rubric.has_composite or score.unscored is not None:
        return score.band
    found = {score_alone(score, dimension, rubric).band for dimension in rubric.dimensions}
    return next((band.id for band in reversed(rubric.bands) if band.id in found), None)


def _reason_of(item: Subscore | None, score: Score) -> dict[str, str | None]:
    """Why a metric has no value."""
    if item is not None and is_left_out(item):
        return {"unscored": "not_applicable", "reason": item.note}
    if item is not None and item.failure:
        return {"unscored": item.failure, "reason": item.note}
    return {"unscored": score.unscored or "missing", "reason": score.reason}


def _gather(call: JudgeCall, verdicts: Sequence[Verdict], rubric: Rubric) -> Gathered:
    return gather_readings([item for item in verdicts if item.call == call.id], rubric, (call,))


def _observe(dimension: Dimension, turn: Turn, gathered: Gathered) -> Subscore:
    outcome, reason = gathered.failure or (None, None)
    if outcome is None:
        found = observe_dimension(dimension, turn, gathered)
        if found.used is not None or is_left_out(found):
            return found
        outcome, reason = "invalid", f"The judge gave no score for {dimension.id}."
    return Subscore(dimension=dimension.id, weight=dimension.weight, failure=outcome, note=reason)


def _join_readings(readings: Iterable[Readings | None]) -> Readings | None:
    """The readings of all calls: as many as of the call that was asked most, and usable as of the worst."""
    there = [item for item in readings if item is not None]
    if not there:
        return None
    failures: Counter[str] = Counter()
    for item in there:
        failures.update(item.failures)
    asked, usable = max(item.asked for item in there), min(item.usable for item in there)
    return Readings.model_validate({"by": there[0].by, "asked": asked, "usable": usable, "failures": dict(failures)})
