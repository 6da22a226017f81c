"""A check of one judge against another on a frozen set of turns, kept in the archive beside the sets."""

from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.asked import PANEL, Asked
from reportgen.model.derivation import Count, Digest
from reportgen.model.run import Estimate, Manifest
from reportgen.record import Exact, Moment, Record

FORMAT: Final = "reportgen/anchor-check/1"

State = Literal["equivalent", "drifted", "inconclusive"]


class Shift(Record):
    """How far one figure moved from the old judge to the new: the mean of new minus old over the turns that have both.

    `mean` has the 95 % interval; `low_90` and `high_90` are the bounds of the 90 % interval, which the equivalence test
    holds against plus and minus `margin`. `p_value` is that of the test. `deviation` is the standard deviation of the
    differences. `power` is how likely a check like this one finds two equal judges equivalent, 0 to 1, `needed` how
    many turns it takes for that to be 0.8. All in the unit of the figure. `reason` says why there is no interval, or
    why it alone does not decide.
    """

    state: State
    margin: Exact
    mean: Estimate
    low_90: float | None = None
    high_90: float | None = None
    p_value: float | None = None
    deviation: float | None = None
    power: float | None = None
    needed: Count | None = None
    reason: str | None = None


class Part(Record):
    """The shift of one dimension, on the rubric's scale, or of the turns that were in one band under the old judge."""

    name: str
    shift: Shift


class Drift(Record):
    """All that a check found. `changed` is the share of turns whose band is another, 0 to 1.

    `kappa` is that of the bands, the old judge against the new, at most 1.
    `lost` counts the turns that the new judge gave no score, `gained` those that only it gave one.
    """

    state: State
    composite: Shift
    dimensions: tuple[Part, ...] = ()
    bands: tuple[Part, ...] = ()
    changed: Estimate
    kappa: Estimate
    lost: Count = 0
    gained: Count = 0


class PeopleAgreement(Record):
    """How far the bands of a judge agree with those of people on labelled anchors, each of which counts once.

    `table` counts turns by the band of the judge and, within that, by the band of people. The kappas, plain and with
    linear and quadratic weights, are at most 1 and follow from the table.
    """

    table: dict[str, dict[str, Annotated[int, Field(ge=0, le=100_000)]]]
    kappa: Estimate
    kappa_linear: Estimate
    kappa_quadratic: Estimate


class BesidePeople(Record):
    """Both judges beside the people who labelled anchors, over the same `turns`: those that all of them gave a band."""

    turns: Count
    labellers: Count
    before: PeopleAgreement
    after: PeopleAgreement


class NamedRun(Record):
    """A run of the archive by its id and its seal."""

    run: str
    seal: Digest


class AnchorCheck(Record):
    """One check: the frozen set, the run in which the new judge was asked about it, and what the two say together.

    `people` is None where nobody labelled anchors. In the report of a run that was derived for others, neither run is
    named, and the parts and what people said are left out.
    """

    format: Literal["reportgen/anchor-check/1"] = FORMAT
    at: Moment
    program: str
    anchors: NamedRun | None = None
    judged: NamedRun | None = None
    before: Asked
    after: Asked
    turns: Annotated[int, Field(ge=0)]
    margin: Exact
    drift: Drift
    people: BesidePeople | None = None


def asked_of(manifest: Manifest) -> Asked:
    """Who was asked in a run, without the note on the judge, which says nothing of how it was asked."""
    judge = manifest.judge
    return Asked(
        judge=judge if judge.provider == PANEL else judge.model_copy(update={"note": None}),
        prompts=manifest.prompts,
        rubric=f"{manifest.rubric}-{manifest.rubric_version}",
        rubric_digest=manifest.rubric_digest,
    )
