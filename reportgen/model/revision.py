"""A revision: one published state of a run's report, with all in it that does not follow from the run."""

from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.instrument import Instrument
from reportgen.model.run import Count, Digest, Estimate
from reportgen.model.turn import Name
from reportgen.record import Exact, Moment, Record

FORMAT: Final = "reportgen/revision/1"

Number = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]


class Notes(Record):
    """An editor's commentary: Markdown by a person, who signs it."""

    text: Text
    signed: Name


class Correction(Record):
    """What a revision corrects: the number of the one before it, what changed, and why."""

    supersedes: Number
    changed: Text
    reason: Text


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


class BaselineTurn(Record):
    """What a comparison needs of a turn of the baseline; `explanation` is the judge's, where the report shows it."""

    id: str
    labels: dict[str, str] = {}
    conversation: str | None = None
    score: Exact | None = None
    band: str | None = None
    subscores: dict[str, Exact | None] = {}
    explanation: str | None = None


class Baseline(Record):
    """The run that this one is compared with, as far as the comparison needs it, so that a stranger can repeat it."""

    run: str
    seal: Digest
    instrument: Instrument
    first: Moment | None = None
    last: Moment | None = None
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
