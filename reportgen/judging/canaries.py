"""Canaries: made-up turns with a known right verdict, and whether the judge found it."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reportgen.judging.canary_kinds import Kind, kinds_for
from reportgen.judging.canary_turns import Draw
from reportgen.model.canary import Canary, MetricRange
from reportgen.model.rubric import Rubric
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.record import digest
from reportgen.scoring.composite import score_turn
from reportgen.scoring.rounding import print_number

TURNS_A_FURTHER_ONE = 200
"""One canary of each kind, and a further one for each so many turns."""


def seed_of(run_id: str, turns_digest: str) -> str:
    """The seed that a run has unless another is given: it follows from its id and its turns."""
    return digest(["seed", run_id, turns_digest])


def build_canaries(seed: str, turns: Iterable[Turn], count: int, rubric: Rubric) -> tuple[Canary, ...]:
    """The canaries of a run, not judged yet; the same for the same seed and turns. None where none fits the rubric.

    Args:
        seed: The seed of the run.
        turns: The real turns, gone through once; the canaries are shaped like some of them.
        count: How many turns there are.
        rubric: By which they are judged.
    """
    kinds = kinds_for(rubric)
    wanted = count_canaries(rubric, count)
    models = _choose_models(seed, turns, wanted) if kinds else []
    if not models:
        return ()
    named = list(kinds.items())
    return tuple(
        _build(named[place % len(named)], Draw(digest([seed, "canary", place])), models[place % len(models)])
        for place in range(wanted)
    )


def count_canaries(rubric: Rubric, turns: int) -> int:
    """How many canaries a run of so many turns has."""
    kinds = kinds_for(rubric)
    return len(kinds) + turns // TURNS_A_FURTHER_ONE if kinds and turns else 0


def _choose_models(seed: str, turns: Iterable[Turn], wanted: int) -> list[Turn]:
    """The turns to be shaped like: those with events first, then by hash."""
    keyed = ((not turn.trajectory, digest([seed, "model", turn.id]), turn) for turn in turns)
    chosen = [turn for _, _, turn in heapq.nsmallest(wanted, keyed, key=lambda item: item[:2])]
    return [turn for turn in chosen if turn.trajectory] or chosen


def _build(named: tuple[str, Kind], draw: Draw, like: Turn) -> Canary:
    name, kind = named
    return Canary(kind=name, turn=kind.make(draw, like), expects=kind.expects, reason="It was not judged.")


def mix(turns: Iterable[Turn], canaries: Sequence[Canary], seed: str, count: int) -> Iterator[Turn]:
    """The turns in their order, with the canaries at places among them that follow from the seed."""
    places: dict[int, list[Turn]] = {}
    for number, canary in enumerate(canaries):
        places.setdefault(Draw(seed).number(f"place {number}", 0, count), []).append(canary.turn)
    for place, turn in enumerate(turns):
        yield from places.pop(place, ())
        yield turn
    for place in sorted(places):
        yield from places[place]


def check_canary(canary: Canary, verdicts: Sequence[Verdict], rubric: Rubric, judge: str) -> Canary:
    """The canary with these verdicts on it, and whether the judge passed.

    It passes if its word is one of those expected and its raw score lies in the expected range; where metrics are
    expected, if each of them lies in its range.
    """
    score = score_turn(canary.turn, verdicts, rubric, judge)
    known = {"verdicts": tuple(verdicts), "raw": score.raw, "values": None, "passed": None}
    if canary.expects.metrics is not None:
        return canary.model_copy(update={**known, **_check_metrics(canary.expects.metrics, score, rubric)})
    if score.raw is None:
        return canary.model_copy(update={**known, "reason": f"No usable reply: {score.reason or score.unscored}"})
    expects = canary.expects
    problems = [] if score.verdict in expects.verdicts else [f"it said {score.verdict}"]
    if not expects.low <= score.raw <= expects.high:
        problems.append(f"its subscores give {print_number(score.raw)}")
    wanted = f"{' or '.join(expects.verdicts)} and {expects.low} to {expects.high}"
    reason = f"Expected {wanted}; {' and '.join(problems)}." if problems else f"As expected: {wanted}."
    return canary.model_copy(update={**known, "passed": not problems, "reason": reason})


def _check_metrics(expected: Sequence[MetricRange], score: Score, rubric: Rubric) -> dict[str, Any]:
    """What is known of a canary by its metrics: one out of its range fails, one without a value shows nothing."""
    used = {item.dimension: item.used for item in score.subscores if item.used is not None}
    values = {
        item.dimension: 100 * used[item.dimension] / rubric.scale.maximum for item in expected if item.dimension in used
    }
    wrong = [
        f"{item.dimension} is {print_number(values[item.dimension])}"
        for item in expected
        if item.dimension in values and not item.low <= values[item.dimension] <= item.high
    ]
    wanted = " and ".join(f"{item.dimension} {item.low} to {item.high}" for item in expected)
    if wrong:
        return {"values": values, "passed": False, "reason": f"Expected {wanted}; {' and '.join(wrong)}."}
    if len(values) < len(expected):
        return {"values": values or None, "reason": f"No usable reply: {score.reason or score.unscored}"}
    return {"values": values, "passed": True, "reason": f"As expected: {wanted}."}
