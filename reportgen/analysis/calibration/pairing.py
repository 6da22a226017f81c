"""Labels beside the scores of their turns -> a calibration."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.exact import total_of
from reportgen.model.calibration import CalibrationPair, CalibrationStratum, HumanVerdict
from reportgen.model.label import CalibrationSample, Label
from reportgen.model.rubric import Rubric
from reportgen.model.score import Score
from reportgen.scoring.bands import band_of
from reportgen.scoring.people import score_people

NOT_SAMPLED = "turns that are not in the sample"
NOT_SCORED = "turns without a score"
NOT_WHOLE = "neither all subscores nor a band"


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A turn of the run as pairing needs it.

    `weight` is how many captured turns it stands for; `inapplicable` are the dimensions that its facts take out.
    """

    score: Score
    weight: Fraction
    inapplicable: frozenset[str]

    @classmethod
    def of_score(cls, score: Score, weight: Fraction = Fraction(1)) -> "LabelledTurn":
        """The turn of a score; what its facts take out are the dimensions that have no subscore in it."""
        out = frozenset(item.dimension for item in score.subscores if item.used is None)
        return cls(score, weight, out)


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of a calibration, their strata, how many people labelled, and what was left out by the reason."""

    pairs: tuple[CalibrationPair, ...]
    strata: tuple[CalibrationStratum, ...]
    labellers: int
    left_out: dict[str, int]


def pair_up(
    labels: Sequence[Label], turns: Iterable[LabelledTurn], sample: CalibrationSample | None, rubric: Rubric
) -> Pairing:
    """Joins labels and scores by the id of the turn.

    Args:
        labels: Those that stand.
        turns: All turns of the run.
        sample: The one in use; without it each turn stands for itself.
        rubric: That of the run.
    """
    left_out: Counter[str] = Counter()
    by_turn = {turn.score.turn: turn for turn in turns}
    strata = {item.turn: item.stratum for item in sample.turns} if sample else None
    numbers = {name: number for number, name in enumerate(sorted({label.labeller for label in labels}), start=1)}
    people: dict[str, list[HumanVerdict]] = {}
    for label in labels:
        turn = by_turn.get(label.turn)
        reason = _why_not(label, turn, strata)
        verdict = None if reason or turn is None else judge_label(label, numbers[label.labeller], turn, rubric)
        if verdict is None:
            left_out[reason or NOT_WHOLE] += 1
        else:
            people.setdefault(label.turn, []).append(verdict)
    pairs, held = _weigh(people, by_turn, sample, strata)
    return Pairing(pairs, held, len({item.labeller for found in people.values() for item in found}), dict(left_out))


def _why_not(label: Label, turn: LabelledTurn | None, strata: Mapping[str, int] | None) -> str | None:
    if strata is not None and label.turn not in strata:
        return NOT_SAMPLED
    return NOT_SCORED if turn is None or turn.score.score is None else None


def judge_label(label: Label, labeller: int, turn: LabelledTurn, rubric: Rubric) -> HumanVerdict | None:
    """What a label comes to by the rubric; None where it has neither all subscores nor a band."""
    known = {dimension.id for dimension in rubric.dimensions}
    given = {name: None if value is None else Fraction(str(value)) for name, value in label.scores.items()}
    given = {name: value for name, value in given.items() if name in known}
    score = score_people(given, rubric, [cap.ceiling for cap in turn.score.caps], turn.inapplicable)
    band = label.band if score is None else band_of(score, rubric.bands).id
    if band is None:
        return None
    given |= dict.fromkeys(turn.inapplicable & given.keys())
    return HumanVerdict(labeller=labeller, subscores=given, score=score, overall=label.band, band=band)


def _weigh(
    people: Mapping[str, list[HumanVerdict]],
    turns: Mapping[str, LabelledTurn],
    sample: CalibrationSample | None,
    strata: Mapping[str, int] | None,
) -> tuple[tuple[CalibrationPair, ...], tuple[CalibrationStratum, ...]]:
    """The pairs with what each stands for: of N scored turns of its stratum n were labelled, so for N / n."""
    place = strata or dict.fromkeys(people, 0)
    labelled = Counter(place[turn] for turn in people)
    bands = [(stratum.band, stratum.population) for stratum in sample.strata] if sample else [(None, len(people))]
    pairs = []
    for turn, verdicts in sorted(people.items()):
        stratum, own = place[turn], turns[turn]
        weight = Fraction(bands[stratum][1], labelled[stratum]) * own.weight
        pairs.append(_pair(own, verdicts, stratum, weight))
    held = (
        CalibrationStratum(band=band, population=_stands_for(number, size, pairs), labelled=labelled[number])
        for number, (band, size) in enumerate(bands)
    )
    return tuple(pairs), tuple(held)


def _stands_for(stratum: int, size: int, pairs: Collection[CalibrationPair]) -> Fraction:
    """How many turns the labelled ones of a stratum stand for; without any, how many it has."""
    own = [pair.weight for pair in pairs if pair.stratum == stratum]
    return total_of(own) if own else Fraction(size)


def _pair(turn: LabelledTurn, verdicts: list[HumanVerdict], stratum: int, weight: Fraction) -> CalibrationPair:
    score = turn.score
    assert score.score is not None, "only scored turns are paired"
    assert score.band is not None, "what has a score has a band"
    return CalibrationPair(
        turn=score.turn,
        stratum=stratum,
        weight=weight,
        judge_score=score.score,
        judge_band=score.band,
        judge_subscores={item.dimension: item.used for item in score.subscores},
        ceilings=tuple(cap.ceiling for cap in score.caps),
        people=tuple(verdicts),
    )
