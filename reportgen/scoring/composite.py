"""Verdicts -> a score: the weighted mean of the observed subscores, then caps, then a band; all exact."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from reportgen.model.rubric import Cap, Dimension, Rubric
from reportgen.model.score import AppliedCap, Score, Subscore
from reportgen.model.turn import Turn
from reportgen.model.verdict import Number, Verdict
from reportgen.scoring.bands import band_of
from reportgen.scoring.caps import FACTS, triggered_caps


def score_turn(turn: Turn, verdicts: Sequence[Verdict], rubric: Rubric, judge: str) -> Score:
    """The score of a turn with all its arithmetic, or the reason why it has none.

    A dimension that does not apply renormalises the weights of the others. One that the judge failed to give makes
    the turn unscored; it is never left out of the mean and never counts as 0.

    Args:
        turn: The captured turn.
        verdicts: The verdicts on it, one for each judge call.
        rubric: What to score by.
        judge: The judge's name, put on the score.
    """
    failure = _first_failure(verdicts, rubric)
    if failure:
        return _unscored(turn, rubric, judge, *failure)
    subscores = tuple(_observe(dimension, turn, _given(verdicts)) for dimension in rubric.dimensions)
    missing = [item.dimension for item in subscores if item.used is None and not _left_out(item)]
    if missing:
        return _unscored(turn, rubric, judge, "invalid", f"The judge gave no score for {', '.join(missing)}.")
    if all(item.used is None for item in subscores):
        return _unscored(turn, rubric, judge, "not_applicable", "No dimension applies to this turn.")
    return _scored(turn, rubric, judge, _weigh(subscores, rubric), verdicts)


_NOT_APPLICABLE = "not applicable"


def _left_out(item: Subscore) -> bool:
    return (item.note or "").startswith(_NOT_APPLICABLE)


def _first_failure(verdicts: Sequence[Verdict], rubric: Rubric) -> tuple[str, str] | None:
    by_call = {verdict.call: verdict for verdict in verdicts}
    for call in rubric.calls:
        verdict = by_call.get(call.id)
        if verdict is None:
            return "missing", f"There is no verdict for the judge call {call.id}."
        if verdict.outcome != "ok" or verdict.reply is None:
            return verdict.outcome, verdict.reason or "The judge gave no usable reply."
    return None


def _unscored(turn: Turn, rubric: Rubric, judge: str, outcome: str, reason: str) -> Score:
    caps = tuple(AppliedCap(id=cap.id, ceiling=cap.ceiling, lowered=False) for cap in triggered_caps(turn, rubric))
    return Score(turn=turn.id, judge=judge, rubric=rubric.digest, caps=caps, unscored=outcome, reason=reason)


def _given(verdicts: Sequence[Verdict]) -> dict[str, Number | None]:
    return {name: value for verdict in verdicts if verdict.reply for name, value in verdict.reply.scores.items()}


def _observe(dimension: Dimension, turn: Turn, given: Mapping[str, Number | None]) -> Subscore:
    """The subscore as given and, on the scale, as used; weights come later."""
    value = given.get(dimension.id)
    fact = dimension.not_applicable_when
    if fact and FACTS[fact](turn):
        note = _NOT_APPLICABLE if value is None else f"{_NOT_APPLICABLE}: {value} was given and is not used"
        return Subscore(dimension=dimension.id, given=value, weight=dimension.weight, note=note)
    return Subscore(dimension=dimension.id, given=value, weight=dimension.weight, used=_exact(value))


def _exact(value: Number | None) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def _weigh(subscores: Sequence[Subscore], rubric: Rubric) -> tuple[Subscore, ...]:
    """Each observed subscore clamped to the scale, with its effective weight and its contribution."""
    total = sum(item.weight for item in subscores if item.used is not None)
    return tuple(_weigh_one(item, total, rubric.scale.maximum) for item in subscores)


def _weigh_one(item: Subscore, total: int, maximum: int) -> Subscore:
    if item.used is None:
        return item
    used = min(max(item.used, Fraction(0)), Fraction(maximum))
    weight = Fraction(item.weight, total)
    note = item.note if used == item.used else f"clamped from {item.given}"
    arithmetic = {"used": used, "effective_weight": weight, "contribution": 100 * weight * used / maximum}
    return item.model_copy(update={**arithmetic, "note": note})


def _scored(
    turn: Turn, rubric: Rubric, judge: str, subscores: tuple[Subscore, ...], verdicts: Sequence[Verdict]
) -> Score:
    raw = sum((item.contribution for item in subscores if item.contribution is not None), Fraction(0))
    caps = triggered_caps(turn, rubric)
    score = min([raw, *(Fraction(cap.ceiling) for cap in caps)])
    band = band_of(score, rubric.bands).id
    verdict = verdicts[0].reply.verdict if verdicts[0].reply else None
    return Score(
        turn=turn.id,
        judge=judge,
        rubric=rubric.digest,
        subscores=subscores,
        raw=raw,
        caps=tuple(_apply(cap, raw) for cap in caps),
        score=score,
        band=band,
        verdict=verdict,
        agrees=verdict == band,
    )


def _apply(cap: Cap, raw: Fraction) -> AppliedCap:
    return AppliedCap(id=cap.id, ceiling=cap.ceiling, lowered=raw > cap.ceiling)
