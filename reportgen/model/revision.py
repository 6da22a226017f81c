"""A revision: one published state of a run's report, with all in it that does not follow from the run."""

from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.calibration import Calibration, GateState
from reportgen.model.derivation import Count, Digest
from reportgen.model.instrument import Instrument
from reportgen.model.rubric import Slug
from reportgen.model.run import Estimate
from reportgen.model.turn import Name
from reportgen.record import Exact, Moment, Record

FORMAT: Final = "reportgen/revision/1"

Number = Annotated[int, Field(ge=1)]
NOTES_AT_MOST: Final = 20_000
"""Letters of an editor's notes."""
Text = Annotated[str, Field(min_length=1, max_length=NOTES_AT_MOST)]
Reason = Annotated[str, Field(min_length=1, max_length=1_000)]


class Notes(Record):
    """An editor's commentary: Markdown by a person, who signs it.

    `dated` is the generation time of the first revision that has it.
    """

    text: Text
    signed: Name
    dated: Moment


class Correction(Record):
    """What a revision corrects: an earlier one, by its number, with what changed and why.

    `run` and `seal` name the run of which that revision is, where it is not the same.
    """

    supersedes: Number
    changed: Reason
    reason: Reason
    run: str | None = None
    seal: Digest | None = None


class MetricHeadline(Record):
    """The headline of one metric, by a rubric without a composite, in percent of its scale.

    `scored` turns have a value; `poor` is the share of the lowest band among them, 0 to 1.
    """

    dimension: Slug
    scored: Count
    mean: Estimate
    poor: Estimate


class EarlierRun(Record):
    """The headline of another run, for the trend; `poor` is the share of its lowest band, 0 to 1.

    `first` and `last` are the capture times of its earliest and latest turn.
    """

    run: str
    seal: Digest
    instrument: Instrument
    first: Moment | None = None
    last: Moment | None = None
    turns: Count
    scored: Count
    mean: Estimate
    poor: Estimate
    metrics: tuple[MetricHeadline, ...] | None = None
    """The same of each metric, by a rubric without a composite."""


class BaselineTurn(Record):
    """What a comparison needs of a turn of the baseline; `explanation` is the judge's, where the report shows it.

    `asked_otherwise` says that the turn of the same id in the other run asks another question, so that the two are not
    one turn.
    """

    id: str
    labels: dict[str, str] = {}
    conversation: str | None = None
    score: Exact | None = None
    band: str | None = None
    subscores: dict[str, Exact | None] = {}
    explanation: str | None = None
    asked_otherwise: bool = False
    knobs: dict[str, str] | None = None
    """How it was retrieved for and which model answered, as far as the capture says; labels stand for themselves."""


class Baseline(Record):
    """The run that this one is compared with, as far as the comparison needs it, so that a stranger can repeat it.

    `agents` are its assistants as they call themselves, each once. `sampled` says that its turns were drawn from a
    larger capture. `gate` is how its judge's agreement with people stands; None where it was not measured.
    """

    run: str
    seal: Digest
    instrument: Instrument
    first: Moment | None = None
    last: Moment | None = None
    agents: tuple[str, ...] = ()
    sampled: bool = False
    gate: GateState | None = None
    turns: tuple[BaselineTurn, ...]


class Revision(Record):
    """One published state of a run's report: when it was generated first, by which program, and on what.

    `probes` is how many probes there were; None if there were none. What comes from outside of the run is kept here in
    full, so that the report can be made again from the run and this record alone.
    """

    format: Literal["reportgen/revision/1"] = FORMAT
    number: Number
    seal: str
    generated_at: Moment
    program: str
    probes: Number | None = None
    notes: Notes | None = None
    correction: Correction | None = None
    earlier: tuple[EarlierRun, ...] | None = None
    """Earlier runs for the trend, oldest first."""
    baseline: Baseline | None = None
    checks: tuple[AnchorCheck, ...] | None = None
    """Checks of the run's judge on frozen anchors, oldest first."""
    calibration: Calibration | None = None
    """The newest calibration of the run when the revision was made."""
