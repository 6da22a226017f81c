"""A run: turns, verdicts, scores and the manifest that says what they were made with."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from reportgen.model.asked import Predecessor
from reportgen.model.canary import Canary
from reportgen.model.derivation import Count, Derivation, Digest, Erasure
from reportgen.model.price import Price
from reportgen.model.rubric import Rubric
from reportgen.model.verdict import Category, Judge
from reportgen.record import Exact, Moment, Record, Zone

FORMAT: Final = "reportgen/run/1"
REPORT_FORMAT: Final = "reportgen/report/1"

WITHHELD: Final = "withheld"
"""What stands in a verdict of a derived run for a digest by which a reader could guess what was withheld."""
FILES: Final = ("turns.jsonl", "verdicts.jsonl", "scores.jsonl")
Limit = Annotated[int, Field(ge=1)]
Relation = Literal["rescored", "rejudged", "frozen"]


class Source(Record):
    """A file that turns came from, with its SHA-256."""

    name: str
    sha256: Digest


class Capture(Record):
    """What became of the captured turns on the way in.

    `captured` lines were good; `set_aside` were bad and skipped on request; `beyond_limit` were left out by `--limit`;
    `bundles` of the captured held several questions and were split; `turns` is what went to the judge. `produced` is
    how many turns the assistant produced in that time, as the publisher counts; None if that is not given.
    """

    captured: Count
    set_aside: Count = 0
    beyond_limit: Count = 0
    bundles: Count = 0
    turns: Count
    produced: Count | None = None


class Parent(Record):
    """The run that this one was made from; a frozen one is a set of anchors that was drawn from it."""

    run: str
    seal: Digest
    relation: Relation


class Member(Record):
    """One run of those that a panel combines, with who judged it."""

    run: str
    seal: Digest
    judge: Judge


class Repeats(Record):
    """How often the judge was asked about some turns: `samples` identical requests for each of `turns` turns."""

    samples: Annotated[int, Field(ge=2)]
    turns: Count


class EvidenceLimits(Record):
    """How much of a turn the judge is shown; beyond it the evidence is cut, and each cut is noted.

    `rows`, `columns`, `events` and `passages` are counts; the others are in characters. `snapshot` limits all shown
    cells of one statement together, `context` all shown passages of one retrieval together and `passage` each of
    them, `output` a tool's output, its arguments and an error message each.
    """

    rows: Limit = 20
    columns: Limit = 60
    cell: Limit = 1_000
    snapshot: Limit = 30_000
    events: Limit = 200
    question: Limit = 20_000
    sql: Limit = 10_000
    output: Limit = 4_000
    answer: Limit = 30_000
    passages: Limit = 50
    passage: Limit = 10_000
    context: Limit = 60_000


class Manifest(Record):
    """What a run was made with, by whom, from what, and when."""

    run_id: str
    program: str
    rubric: str
    rubric_version: int
    rubric_digest: Digest
    judge: Judge
    evidence: EvidenceLimits
    prompts: dict[str, Digest]
    """For each judge call the SHA-256 of the system prompt as it was sent."""
    sources: tuple[Source, ...]
    capture: Capture
    started_at: Moment
    finished_at: Moment | None = None
    parent: Parent | None = None
    predecessor: Predecessor | None = None
    """Who was asked in the last run of the same rubric; None in the first, and where verdicts were replayed."""
    fixed_clock: str | None = None
    """Why the times are not the true ones; only the bundled example has such a reason."""
    batches: Annotated[int, Field(ge=1)] | None = None
    """How many batches of the provider the verdicts came from; None where each request went by itself."""
    prices: tuple[Price, ...] | None = None
    """By which the answers of the run are priced, so that its cost does not depend on any later price file."""
    seed: str | None = None
    """Where all that is drawn follows from: canaries, and which turns are judged several times."""
    repeats: Repeats | None = None
    panel: tuple[Member, ...] | None = None
    """The runs whose verdicts this one combines; `judge` then names all of their judges."""
    timezone: Zone | None = None
    """In which its days begin and end, in the trend and where its period is named; None for UTC."""
    derived: Derivation | None = None
    """How the run was derived for a client or the public; None where it holds the turns as they were judged."""

    erasures: Annotated[tuple[Erasure, ...], Field(min_length=1)] | None = None
    """What was erased from the run on request, oldest first; None where nothing was."""

    @property
    def erased(self) -> dict[str, Erasure]:
        """For each turn whose texts were erased, the latest erasure."""
        return {turn: erasure for erasure in self.erasures or () for turn in erasure.turns}

    @property
    def seals_before(self) -> tuple[str, ...]:
        """The seals that the run had before texts were erased from it, oldest first."""
        return tuple(erasure.seal for erasure in self.erasures or () if erasure.seal is not None)

    @property
    def inherited_erasures(self) -> tuple[Erasure, ...] | None:
        """The erasures as a run made from this one states them, since they are not changes of that run."""
        return self.erasures and tuple(
            erasure.model_copy(update={"seal": None, "files": None}) for erasure in self.erasures
        )

    @property
    def is_public(self) -> bool:
        """Whether the run is for the public, and shows no text."""
        return self.derived is not None and self.derived.is_public

    @property
    def is_frozen(self) -> bool:
        """Whether the run is a set of anchors."""
        return self.parent is not None and self.parent.relation == "frozen"

    @property
    def is_rescored(self) -> bool:
        """Whether the scores are by another rubric than the verdicts, so that no judge was asked for them."""
        if self.derived is not None and self.derived.rescored:
            return True
        return self.parent is not None and self.parent.relation == "rescored"


class Estimate(Record):
    """A figure with its 95 % interval, or the reason why there is none.

    `by` says what the interval takes as independent: clients, conversations or turns; `clusters` is how many of them
    there are, `df` the degrees of freedom that they leave.
    """

    value: Exact | None = None
    low: float | None = None
    high: float | None = None
    n: Count
    clusters: Count | None = None
    by: str | None = None
    df: float | None = None
    undefined: str | None = None


class BandShare(Record):
    """How many of the scored turns lie in a band; the estimate is a share, 0 to 1."""

    band: Category
    count: Count
    share: Estimate


class Lowest(Record):
    """The lowest score of the run, and what brought it about."""

    turn: str
    score: Exact
    caps: tuple[str, ...] = ()


class MetricSummary(Record):
    """The headline of one metric, by a rubric without a composite; values are in percent of its scale, 0 to 100.

    `scored` turns have a value; `unscored` counts the others by reason, `not_applicable` among them. The bounds are
    those of the mean if each turn without a value to which the metric applies had the lowest or the highest one.
    """

    dimension: str
    scored: Count
    unscored: dict[str, Count]
    mean: Estimate
    bound_low: Exact | None = None
    bound_high: Exact | None = None
    bands: tuple[BandShare, ...]


class Summary(Record):
    """The headline figures of a run; scores are 0 to 100.

    By a rubric without a composite no turn has a score: `metrics` has the figures, and `scored` counts the turns of
    which no judge call failed.
    """

    turns: Count
    scored: Count
    unscored: dict[str, Count]
    mean: Estimate
    mean_all_dimensions: Estimate
    mean_renormalised: Estimate
    bound_low: Exact | None = None
    """The mean if each unscored turn had scored 0."""
    bound_high: Exact | None = None
    """The mean if each unscored turn had scored 100."""
    bands: tuple[BandShare, ...]
    at_maximum: Count
    lowest: Lowest | None = None
    caps: dict[str, Count]
    agreements: Count
    clamped: Count
    metrics: tuple[MetricSummary, ...] | None = None


class RunFile(Record):
    """The content of `run.json`: written last, and never changed again."""

    format: Literal["reportgen/run/1"] = FORMAT
    manifest: Manifest
    rubric: Rubric
    system_prompts: dict[str, str]
    summary: Summary
    files: dict[str, Digest]
    seal: Digest
    canaries: tuple[Canary, ...] | None = None
    """None where the judge was not tested; they are no turns of the run and enter no figure of it."""

    @property
    def seals(self) -> tuple[str, ...]:
        """The seal, and those that the run had before texts were erased from it; all name the same run."""
        return (self.seal, *self.manifest.seals_before)

    @property
    def first_seal(self) -> str:
        """The seal that the run had when it was finished: commitments to its turns follow from it."""
        return (*self.manifest.seals_before, self.seal)[0]

    @model_validator(mode="after")
    def _check_files(self) -> Self:
        if set(self.files) != set(FILES):
            raise ValueError(f"files: must name {', '.join(FILES)}, and no other")
        return self
