"""What a calibration says: the gate, all figures of agreement, and the run as people would have it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from reportgen.analysis.calibration.agreement import (
    CategoryAgreement,
    ValueAgreement,
    compare_categories,
    compare_values,
)
from reportgen.analysis.calibration.ceiling import Ceiling, measure_ceiling
from reportgen.analysis.calibration.coefficients import Coefficient
from reportgen.analysis.calibration.design import Design
from reportgen.analysis.calibration.gate import decide_gate
from reportgen.analysis.calibration.kappa import measure_kappa
from reportgen.analysis.calibration.people_find import PeopleFind, find_as_people
from reportgen.analysis.calibration.sides import Both, ascending_bands, design_of, mean_subscores, take_sides
from reportgen.analysis.rows import TurnRow
from reportgen.model.calibration import Calibration, CalibrationPair, GateState
from reportgen.model.rubric import Rubric
from reportgen.model.turn import Name
from reportgen.record import Exact, Moment

WORST_SHOWN: Final = 10
FAR_APART: Final = 10
"""Points, of 100, from which on judge and people lie far apart on a turn; nearer ones are the judge's usual error."""


@dataclass(frozen=True, slots=True)
class DimensionAgreement:
    """Agreement on the subscores of a dimension, which are on the rubric's scale; means over labellers.

    `only_judge` and `only_people` count turns for which one side alone has a subscore.
    """

    dimension: str
    name: str
    only_judge: int
    only_people: int
    values: ValueAgreement


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A turn on which judge and people lie far apart; `people` is None where they gave only bands."""

    turn: Name
    judge: Exact
    judge_band: str
    people: Exact | None
    people_band: str
    labellers: int


@dataclass(frozen=True, slots=True)
class AgreementByUse:
    """Figures of agreement over the labelled turns: on bands, on scores, and dimension by dimension."""

    bands: CategoryAgreement
    scores: ValueAgreement
    dimensions: tuple[DimensionAgreement, ...]


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """All that a calibration says.

    `turns` were labelled, by `labellers` people; `scored` of them with subscores. `drawn` says that they are a sample,
    so that `production` is weighted back to all scored turns of the run; else it is None. `labelled` is the same over
    the labelled turns as they are. `covered` is the part of the scored turns whose stratum has a labelled turn.
    `far_apart` counts the turns on which judge and people lie ten points or more apart; `worst` are the first of them.
    """

    seal: str
    made_at: Moment
    drawn: bool
    labellers: int
    turns: int
    scored: int
    strata: int
    covered: float
    left_out: dict[str, int]
    gate: GateState
    gate_reason: str
    labelled: AgreementByUse
    production: AgreementByUse | None
    ceiling: Ceiling | None
    people_find: PeopleFind
    far_apart: int
    worst: tuple[Disagreement, ...]


def measure_calibration(calibration: Calibration, rubric: Rubric, rows: Sequence[TurnRow]) -> CalibrationResult:
    """All figures of a calibration.

    Args:
        calibration: The pairs.
        rubric: That of the run.
        rows: All turns of the run, for what people would have found in it.
    """
    sides = take_sides(calibration.pairs, rubric)
    labelled = _measure(calibration.pairs, sides, rubric, drawn=False)
    production = _measure(calibration.pairs, sides, rubric, drawn=True) if calibration.drawn else None
    state, reason = gate_of(calibration, rubric)
    covered, far = _covered(calibration), _list_far(sides, ascending_bands(rubric))
    return CalibrationResult(
        seal=calibration.seal,
        made_at=calibration.made_at,
        drawn=calibration.drawn,
        labellers=calibration.labellers,
        turns=len(sides),
        scored=sum(both.people is not None for both in sides),
        strata=len(calibration.strata),
        covered=round(float(covered), 6),
        left_out=dict(sorted(calibration.left_out.items())),
        gate=state,
        gate_reason=reason,
        labelled=labelled,
        production=production,
        ceiling=measure_ceiling(_bands_by_labeller(calibration), ascending_bands(rubric), "ordinal"),
        people_find=find_as_people(calibration, sides, rubric, rows, covered=covered),
        far_apart=len(far),
        worst=far[:WORST_SHOWN],
    )


def gate_of(calibration: Calibration, rubric: Rubric) -> tuple[GateState, str]:
    """The state of the gate, which follows from the calibration alone, and why.

    Turns that somebody chose speak for themselves only, so that the gate is never passed by them.
    """
    sides, bands = take_sides(calibration.pairs, rubric), ascending_bands(rubric)
    counts = Counter(both.people_band for both in sides)
    design = design_of(calibration.pairs) if calibration.drawn else None
    kappa = _kappa(sides, bands, design)
    state, reason = decide_gate(kappa, {band: counts[band] for band in bands[:-1]})
    if state == "pass" and not calibration.drawn:
        return "provisional", "the labelled turns are not a drawn sample, so they do not speak for the run"
    return state, reason


def _kappa(sides: Sequence[Both], bands: tuple[str, ...], design: Design | None) -> Coefficient:
    judge, people = [both.judge_band for both in sides], [both.people_band for both in sides]
    return measure_kappa(judge, people, bands, "nominal", design).rounded()


def _measure(pairs: Sequence[CalibrationPair], sides: Sequence[Both], rubric: Rubric, *, drawn: bool) -> AgreementByUse:
    judge, people = [both.judge_band for both in sides], [both.people_band for both in sides]
    both_scored = [
        (pair, both.judge, both.people) for pair, both in zip(pairs, sides, strict=True) if both.people is not None
    ]
    return AgreementByUse(
        bands=compare_categories(judge, people, ascending_bands(rubric), design_of(pairs) if drawn else None),
        scores=_compare(both_scored, drawn=drawn),
        dimensions=tuple(_measure_dimension(pairs, item.id, item.name, drawn=drawn) for item in rubric.dimensions),
    )


def _measure_dimension(
    pairs: Sequence[CalibrationPair], dimension: str, name: str, *, drawn: bool
) -> DimensionAgreement:
    given = [(pair, pair.judge_subscores.get(dimension), mean_subscores(pair, dimension)) for pair in pairs]
    both = [(pair, judge, people) for pair, judge, people in given if judge is not None and people is not None]
    return DimensionAgreement(
        dimension=dimension,
        name=name,
        only_judge=sum(judge is not None and people is None for _, judge, people in given),
        only_people=sum(judge is None and people is not None for _, judge, people in given),
        values=_compare(both, drawn=drawn),
    )


def _compare(given: Sequence[tuple[CalibrationPair, Fraction, Fraction]], *, drawn: bool) -> ValueAgreement:
    if not given:
        return compare_values([], [])
    design = design_of([pair for pair, _, _ in given]) if drawn else None
    return compare_values([float(judge) for _, judge, _ in given], [float(people) for _, _, people in given], design)


def _covered(calibration: Calibration) -> Fraction:
    total = sum((stratum.population for stratum in calibration.strata), Fraction(0))
    held = sum((stratum.population for stratum in calibration.strata if stratum.labelled), Fraction(0))
    return held / total


def _bands_by_labeller(calibration: Calibration) -> dict[str, dict[str, str]]:
    return {
        pair.turn: {f"labeller {verdict.labeller}": verdict.band for verdict in pair.people}
        for pair in calibration.pairs
    }


def _list_far(sides: Sequence[Both], bands: tuple[str, ...]) -> tuple[Disagreement, ...]:
    """Those whose scores lie far apart, the furthest first; where people gave a band only, another band is a third."""

    def apart(both: Both) -> Fraction:
        if both.people is not None:
            return abs(both.judge - both.people)
        return Fraction(100 * abs(bands.index(both.judge_band) - bands.index(both.people_band)), len(bands))

    far = (both for both in sides if apart(both) >= FAR_APART)
    ranked = sorted(far, key=lambda both: (-apart(both), both.turn))
    return tuple(
        Disagreement(both.turn, both.judge, both.judge_band, both.people, both.people_band, both.labellers)
        for both in ranked
    )
