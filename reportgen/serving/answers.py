"""The forms of questions and answers, from which the OpenAPI document is made."""

import re
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

MOST_ROWS = 500
_FURTHEST = 1_000_000_000
LONGEST_ID = 200

Count = Annotated[int, Field(ge=0)]


def _require_digits(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch("[0-9]{1,10}", value):
        raise ValueError("must be a whole number, in up to ten digits")
    return value


Limit = Annotated[int, Field(ge=1, le=MOST_ROWS), BeforeValidator(_require_digits)]
Offset = Annotated[int, Field(ge=0, le=_FURTHEST), BeforeValidator(_require_digits)]

_ZONES = tuple(sorted(available_timezones()))


def _require_zone(value: str) -> str:
    if value not in _ZONES:
        raise ValueError("there is no such time zone; name one such as Europe/London or UTC")
    return value


Zone = Annotated[str, AfterValidator(_require_zone), WithJsonSchema({"type": "string", "enum": list(_ZONES)})]
"""A time zone by its name. No file is looked for by what somebody asks for: the name is one of a list."""

Withdrawn = Annotated[list[str], Field(description="Those of `runs` whose report no longer stands.")]


class Health(BaseModel):
    """That the server answers."""

    status: Literal["ok"]


class _Averages(BaseModel):
    """Averages by the names of the rubric's dimensions, such as `avg_faithfulness`; null where there are none."""

    __pydantic_extra__: dict[str, float | None] = Field(init=False)
    model_config = ConfigDict(extra="allow")


class Day(_Averages):
    """One day: how many turns were captured on it, and their averages."""

    date: Annotated[str, Field(json_schema_extra={"format": "date"})]
    count: Count


class Query(BaseModel):
    """One turn; its values have the names of the rubric's dimensions, such as `faithfulness_score`."""

    __pydantic_extra__: dict[str, float | str | None] = Field(init=False)
    model_config = ConfigDict(extra="allow")

    id: str
    question: str
    total_latency_ms: float | None
    engine: str | None
    created_at: str


class Statistics(_Averages):
    """Averages, daily trend and worst queries of a collection, as formats.md in the documentation has it."""

    total_queries: Count
    scored_queries: Count
    avg_total_latency_ms: float | None
    avg_retrieval_latency_ms: float | None
    avg_generation_latency_ms: float | None
    trend: list[Day]
    worst_queries: list[Query]
    unscored_queries: list[Query]
    counts: dict[str, Count]
    undated_queries: Count
    timezone: str
    runs: list[str]
    withdrawn_runs: Withdrawn
    left_out_runs: list[str] = Field(description="Runs with turns of the collection by another instrument.")


class Passage(BaseModel):
    """A passage that was retrieved."""

    rank: int | None
    id: str | None
    source: str | None
    score: float | None
    text: str | None


class Row(BaseModel):
    """One turn with all that was captured and judged of it but its other events."""

    __pydantic_extra__: dict[str, Any] = Field(init=False)
    model_config = ConfigDict(extra="allow")

    run: str
    id: str
    question: str
    answer: str | None
    scorer_error: str | None
    unscored: str | None
    total_latency_ms: float | None
    retrieval_latency_ms: float | None
    generation_latency_ms: float | None
    engine: str | None
    retrieval_strategy: str | None
    top_k: int | None
    passages: list[Passage] | None
    model: str | None
    agent: str | None
    agent_version: str | None
    collection: str | None
    labels: dict[str, str]
    conversation: str | None
    created_at: str
    created_at_assumed: bool


class _Page(BaseModel):
    """A part of a list."""

    total: Count
    offset: Count
    limit: Count
    count: Count
    next_offset: Count | None


class Rows(_Page):
    """A page of the turns of a collection."""

    format: Literal["reportgen/collection-records/1"]
    collection: str
    runs: list[str]
    withdrawn_runs: Withdrawn
    scored: Count
    records: list[Row]


class ListedReport(BaseModel):
    """The latest revision of the report of a run."""

    run: str
    seal: str
    rubric: str
    judge: str
    turns: Count
    scored: Count
    revision: Annotated[int, Field(ge=1)]
    generated_at: str
    state: Literal["current", "superseded", "withdrawn"]
    path: str = Field(description="Where its content is, if it is current.")


class Reports(_Page):
    """A page of the list of reports."""

    format: Literal["reportgen/reports/1"]
    reports: list[ListedReport]


class Report(BaseModel):
    """The content of `report.json`; `reportgen schema report` prints its schema."""

    __pydantic_extra__: dict[str, Any] = Field(init=False)
    model_config = ConfigDict(extra="allow")

    format: Literal["reportgen/report/1"]
