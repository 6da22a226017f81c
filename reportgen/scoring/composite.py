"""Verdicts -> a score: the weighted mean of the observed subscores, then caps, then a band; all exact."""

from collections.abc import Sequence
from fractions import Fraction

from reportgen.model.rubric import Cap, Rubric
from reportgen.model.score import AppliedCap, Score, Subscore
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.scoring.bands import band_of
from reportgen.scoring.caps import triggered_caps
from reportgen.scoring.metrics import score_metrics
from reportgen.scoring.observing import is_left_out, observe_dimension
from reportgen.scoring.readings import Gathered, gather_readings


def score_turn(turn: Turn, verdicts: Sequence[Verdict], rubric: Rubric, judge: str) -> Score:
    """The score of a turn with all its arithmetic, or the reason why it has none.

    A dimension that does not apply renormalises the weights of the others. One that the judge failed to give makes
    the turn unscored; it is never left out of the mean and never counts as 0. Where there are several readings, see
    `gather_readings`. By a rubric without a composite no turn has a score as a whole, see `score_metrics`.

    Args:
        turn: The captured turn.
        verdicts: The verdicts on it, one or several for each judge call, by one judge or several.
        rubric: What to score by.
        judge: The judge's name, put on the score.
    """
    if not rubric.has_composite:
        return score_metrics(turn, verdicts, rubric, judge)
    gathered = gather_readings(verdicts, rubric)
    if gathered.failure:
        return _unscored(turn, rubric, judge, gathered, *gathered.failure)
    subscores = tuple(observe_dimension(dimension, turn, gathered) for dimension in rubric.dimensions)
    missing = [item.dimension for item in subscores if item.used is None and not is_left_out(item)]
    if missing:
        return _unscored(turn, rubric, judge, gathered, "invalid", f"The judge gave no score for {', '.join(missing)}.")
    if all(item.used is None for item in subscores):
        return _unscored(turn, rubric, judge, gathered, "not_applicable", "No dimension applies to this turn.")
    return _scored(turn, rubric, judge, _weigh(subscores, rubric), gathered)


def raw_score(weighed: Sequence[tuple[int, Fraction | None]], maximum: int) -> Fraction:
    """The weighted mean of the subscores that apply, 0 to 100, before caps.

    >>> raw_score([(30, Fraction(9)), (25, Fraction(8)), (25, Fraction(5)), (20, None)], 10)
    Fraction(595, 8)

    Args:
        weighed: Each dimension's weight with its subscore, None where it does not apply; at least one applies.
        maximum: The upper end of the scale.
    """
    there = [(weight, used) for weight, used in weighed if used is not None]
    return sum((100 * weight * used for weight, used in there), Fraction(0)) / (
        maximum * sum(weight for weight, _ in there)
    )


def cap_score(raw: Fraction, ceilings: Sequence[int]) -> Fraction:
    """The raw score, or the lowest of the ceilings that hold for the turn if that is less."""
    return min([raw, *map(Fraction, ceilings)])


def _unscored(  # noqa: PLR0917 - what a score says where there is none
    turn: Turn, rubric: Rubric, judge: str, gathered: Gathered, outcome: str, reason: str
) -> Score:
    caps = tuple(AppliedCap(id=cap.id, ceiling=cap.ceiling, lowered=False) for cap in triggered_caps(turn, rubric))
    return Score(
        turn=turn.id,
        judge=judge,
        rubric=rubric.digest,
        caps=caps,
        unscored=outcome,
        reason=reason,
        readings=gathered.readings,
    )


def _weigh(subscores: Sequence[Subscore], rubric: Rubric) -> tuple[Subscore, ...]:
    """Each observed subscore with its effective weight and its contribution."""
    total = sum(item.weight for item in subscores if item.used is not None)
    return tuple(_weigh_one(item, total, rubric.scale.maximum) for item in subscores)


def _weigh_one(item: Subscore, total: int, maximum: int) -> Subscore:
    if item.used is None:
        return item
    weight = Fraction(item.weight, total)
    arithmetic = {"effective_weight": weight, "contribution": 100 * weight * item.used / maximum}
    return item.model_copy(update=arithmetic)


def _scored(turn: Turn, rubric: Rubric, judge: str, subscores: tuple[Subscore, ...], gathered: Gathered) -> Score:
    raw = raw_score([(item.weight, item.used) for item in subscores], rubric.scale.maximum)
    caps = triggered_caps(turn, rubric)
    score = cap_score(raw, [cap.ceiling for cap in caps])
    band = band_of(score, rubric.bands).id
    return Score(
        turn=turn.id,
        judge=judge,
        rubric=rubric.digest,
        subscores=subscores,
        raw=raw,
        caps=tuple(_apply(cap, raw) for cap in caps),
        score=score,
        band=band,
        verdict=gathered.category,
        agrees=gathered.category == band,
        readings=gathered.readings,
    )


def _apply(cap: Cap, raw: Fraction) -> AppliedCap:
    return AppliedCap(id=cap.id, ceiling=cap.ceiling, lowered=raw > cap.ceiling)
