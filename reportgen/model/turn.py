"""A turn: one question and what the assistant did and answered, as captured."""

from typing import Annotated, Final, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from reportgen.record import Moment, Record

FORMAT: Final = "reportgen/turn/1"

Name = Annotated[str, Field(min_length=1, max_length=200)]
Count = Annotated[int, Field(ge=0)]
Milliseconds = Annotated[float, Field(ge=0)]
Cell = str | bool | int | float | None
Status = Literal["ok", "error", "timeout", "blocked", "cancelled"]
QuestionSource = Literal["verbatim", "relayed"]


class SqlStatement(Record):
    """One SQL statement that the assistant sent, and the snapshot that came back.

    `rows` are those that were captured, `row_count` is how many the statement returned in full; None means that
    it is not known. `notes` say what was cut or repaired on the way in.
    """

    kind: Literal["sql"] = "sql"
    text: str
    dialect: str | None = None
    status: Status
    error: str | None = None
    duration_ms: Milliseconds | None = None
    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[Cell, ...], ...] | None = None
    row_count: Count | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if self.rows is not None and self.columns is None:
            raise ValueError("rows need the names of their columns")
        if self.rows is not None and self.row_count is not None and len(self.rows) > self.row_count:
            raise ValueError(f"{len(self.rows)} rows are captured, but row_count is {self.row_count}")
        for number, row in enumerate(self.rows or (), start=1):
            if len(row) != len(self.columns or ()):
                raise ValueError(f"row {number} has {len(row)} cells for {len(self.columns or ())} columns")
        return self


class ToolCall(Record):
    """A call of a tool other than SQL, with what it gave back."""

    kind: Literal["tool"] = "tool"
    name: Name
    arguments: dict[str, JsonValue] = {}
    status: Status
    output: str | None = None
    error: str | None = None
    duration_ms: Milliseconds | None = None
    notes: tuple[str, ...] = ()


class SchemaLookup(Record):
    """A look into the schema of the data: which tables, columns or meanings there are."""

    kind: Literal["schema"] = "schema"
    target: str
    status: Status
    output: str | None = None
    error: str | None = None
    duration_ms: Milliseconds | None = None
    notes: tuple[str, ...] = ()


class GuardrailBlock(Record):
    """A guardrail stopped something; the system at work, not a failure."""

    kind: Literal["guardrail"] = "guardrail"
    rule: Name
    message: str = ""


class Passage(Record):
    """One retrieved passage of a document.

    `rank` counts from 1 where the retriever gave one; without it the passages stand in the order in which they came.
    `score` is the retriever's own, on whatever scale it has. `text` is None where the capture holds no text.
    """

    rank: Annotated[int, Field(ge=1)] | None = None
    id: str | None = None
    source: str | None = None
    score: float | None = None
    text: str | None = None


class Retrieval(Record):
    """A search for passages, and what it gave: None where that was not captured, empty where nothing was found."""

    kind: Literal["retrieval"] = "retrieval"
    query: str | None = None
    strategy: str | None = None
    engine: str | None = None
    top_k: Count | None = None
    status: Status
    error: str | None = None
    duration_ms: Milliseconds | None = None
    passages: tuple[Passage, ...] | None = None
    notes: tuple[str, ...] = ()


Event = Annotated[SqlStatement | ToolCall | SchemaLookup | GuardrailBlock | Retrieval, Field(discriminator="kind")]


class Latency(Record):
    """How long the turn took from question to answer, and of that the retrieval and the writing of the answer."""

    total_ms: Milliseconds | None = None
    retrieval_ms: Milliseconds | None = None
    generation_ms: Milliseconds | None = None


class Answer(Record):
    """The final answer, or the reason why its text was not captured; exactly one of the two."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["text"]}, {"required": ["not_captured"]}]})

    text: str | None = None
    not_captured: Annotated[str, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.text is None) == (self.not_captured is None):
            raise ValueError('give either "text" or "not_captured" with the reason')
        return self


class Agent(Record):
    """The assistant that answered."""

    name: Name
    version: str | None = None


class Segment(Record):
    """One of several questions in one captured turn.

    `events` is the part of the trajectory that belongs to it: from the first number up to, not including, the
    second, counted from 0.
    """

    question: str
    question_source: QuestionSource | None = None
    events: tuple[Count, Count]
    answer: Answer


class PartOf(Record):
    """Where a turn that was split from a bundle came from: segment `number` of `count`, counted from 1."""

    turn: Name
    number: Annotated[int, Field(ge=1)]
    count: Annotated[int, Field(ge=1)]


class Drawn(Record):
    """That a turn was drawn from a larger capture: `drawn` of the `population` captured turns of its stratum were.

    `strata` are the labels by which they were told apart, `seed` is where the draw follows from, `source` the SHA-256
    of the capture; None where that would tell too much. Each part of a bundle bears what its captured turn does.
    """

    strata: tuple[Name, ...]
    population: Annotated[int, Field(ge=1)]
    drawn: Annotated[int, Field(ge=1)]
    seed: str
    source: str | None = None

    @model_validator(mode="after")
    def _check_counts(self) -> Self:
        if self.drawn > self.population:
            raise ValueError(f"{self.drawn} drawn of {self.population} are too many")
        return self


class Turn(Record):
    """One captured turn. `captured_at` carries a time zone; `answer` is absent only where segments have their own.

    `model` is the one that wrote the answer, by the name that the capture gives it.
    """

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["answer"]}, {"required": ["segments"]}]})

    format: Literal["reportgen/turn/1"] = FORMAT
    id: Name
    conversation: Name | None = None
    captured_at: Moment
    captured_at_assumed: bool = False
    question: str
    question_source: QuestionSource = "verbatim"
    labels: dict[Name, str] = {}
    trajectory: tuple[Event, ...] = ()
    answer: Answer | None = None
    agent: Agent
    model: Name | None = None
    latency: Latency | None = None
    segments: tuple[Segment, ...] = ()
    part_of: PartOf | None = None
    drawn: Drawn | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_answer(self) -> Self:
        if self.segments:
            self._check_segments()
        elif self.answer is None:
            raise ValueError('"answer" is missing; say {"not_captured": "the reason"} where there is no text')
        return self

    def _check_segments(self) -> None:
        if self.answer is not None:
            raise ValueError('a turn with "segments" has its answers in them, not in "answer"')
        reached = 0
        for number, segment in enumerate(self.segments, start=1):
            first, end = segment.events
            if first != reached or end < first:
                raise ValueError(f"segment {number} covers events {first} to {end}, but should begin at {reached}")
            reached = end
        if reached != len(self.trajectory):
            raise ValueError(f"the segments cover {reached} of {len(self.trajectory)} events")

    @property
    def conversation_or_bundle(self) -> str | None:
        """Its conversation, or else the bundle that it was split from; None where it stands alone."""
        return self.conversation or (self.part_of.turn if self.part_of else None)

    @property
    def statements(self) -> tuple[SqlStatement, ...]:
        """The SQL statements of the trajectory, in order."""
        return tuple(event for event in self.trajectory if isinstance(event, SqlStatement))

    @property
    def retrievals(self) -> tuple[Retrieval, ...]:
        """The retrievals of the trajectory, in order."""
        return tuple(event for event in self.trajectory if isinstance(event, Retrieval))
