"""The order probe: the same evidence in another order, and what the judge gives for it."""

from collections.abc import Sequence

from reportgen.judging.evidence import build_evidence, reorder_evidence
from reportgen.judging.prompts import JudgePrompt, JudgeRequest, build_request_on
from reportgen.model.probe import MetricPair, Pair
from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.run import EvidenceLimits
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.scoring.composite import score_turn
from reportgen.scoring.metrics import score_alone


def build_order_request(turn: Turn, prompt: JudgePrompt, limits: EvidenceLimits) -> JudgeRequest:
    """The request for one turn with its evidence reordered; everything else is as in the run."""
    evidence = reorder_evidence(build_evidence(turn, prompt.call, limits))
    return build_request_on(evidence, turn, prompt)


def build_pair(turn: Turn, before: Score, verdicts: Sequence[Verdict], rubric: Rubric) -> Pair:
    """The score of the run beside the one that follows from the verdicts on the reordered evidence.

    Args:
        turn: A scored turn.
        before: Its score in the run.
        verdicts: Those on the reordered evidence.
        rubric: That of the run.
    """
    after = score_turn(turn, verdicts, rubric, before.judge)
    metrics = None if rubric.has_composite else tuple(_pair(item, before, after, rubric) for item in rubric.dimensions)
    return Pair.model_validate(
        {
            "metrics": metrics,
            "turn": turn.id,
            "before": before.score,
            "before_band": before.band,
            "after": after.score,
            "after_band": after.band,
            "verdicts": tuple(verdicts),
        }
    )


def _pair(dimension: Dimension, before: Score, after: Score, rubric: Rubric) -> MetricPair:
    one, other = (score_alone(score, dimension, rubric) for score in (before, after))
    scores = {"before": one.score, "before_band": one.band, "after": other.score, "after_band": other.band}
    return MetricPair.model_validate({"dimension": dimension.id, **scores})
