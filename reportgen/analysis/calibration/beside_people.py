"""Two judges of the same turns, each held against the people who labelled some of them."""

from collections.abc import Mapping, Sequence

from reportgen.analysis.calibration.coefficients import to_estimate
from reportgen.analysis.calibration.kappa import Weighting, cross, measure_kappa
from reportgen.analysis.calibration.sides import ascending_bands, take_sides
from reportgen.model.anchor_check import BesidePeople, PeopleAgreement
from reportgen.model.calibration import CalibrationPair
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate

Table = Mapping[str, Mapping[str, int]]


def hold_beside_people(
    pairs: Sequence[CalibrationPair], after: Mapping[str, str], rubric: Rubric
) -> BesidePeople | None:
    """The agreement of both judges with people; None where no turn has the bands of all three.

    Args:
        pairs: The labelled turns, with what the old judge said.
        after: The band that the new judge gave each turn, if it gave one.
        rubric: That by which people labelled.
    """
    held = [pair for pair in pairs if pair.turn in after]
    if not held:
        return None
    sides, bands = take_sides(held, rubric), ascending_bands(rubric)
    people = [both.people_band for both in sides]
    return BesidePeople(
        turns=len(held),
        labellers=len({verdict.labeller for pair in held for verdict in pair.people}),
        before=measure_table(_count([both.judge_band for both in sides], people, bands), bands),
        after=measure_table(_count([after[both.turn] for both in sides], people, bands), bands),
    )


def measure_table(table: Table, bands: Sequence[str]) -> PeopleAgreement:
    """The kappas that follow from counts by the band of the judge and, within that, by the band of people.

    Args:
        table: The counts; what is not in it is 0.
        bands: All bands, lowest first.
    """
    cells = [(judge, people) for judge in bands for people in bands]
    counts = {cell: table.get(cell[0], {}).get(cell[1], 0) for cell in cells}
    pairs = [cell for cell, count in counts.items() for _ in range(count)]
    ones, others = [judge for judge, _ in pairs], [people for _, people in pairs]

    def kappa(weighting: Weighting) -> Estimate:
        return to_estimate(measure_kappa(ones, others, bands, weighting))

    return PeopleAgreement(
        table={judge: {people: counts[judge, people] for people in bands} for judge in bands},
        kappa=kappa("nominal"),
        kappa_linear=kappa("linear"),
        kappa_quadratic=kappa("quadratic"),
    )


def _count(judge: Sequence[str], people: Sequence[str], bands: Sequence[str]) -> Table:
    lines = cross(judge, people, bands).astype(int).tolist()
    return {one: dict(zip(bands, line, strict=True)) for one, line in zip(bands, lines, strict=True)}
