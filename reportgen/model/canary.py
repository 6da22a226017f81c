"""A canary: a made-up turn with a known right verdict, judged along with the real ones."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from reportgen.model.rubric import Percent, Slug
from reportgen.model.turn import Turn
from reportgen.model.verdict import Category, Verdict
from reportgen.record import Exact, Record


class MetricRange(Record):
    """In which range a judge that can be trusted sees one dimension, in percent of its scale."""

    dimension: Slug
    low: Percent
    high: Percent


class Expectation(Record):
    """What a judge that can be trusted says of a canary: one of these words, and a raw score in this range.

    Where `metrics` are given, each of them is asked for by itself in place of the word and the raw score.
    """

    verdicts: tuple[Category, ...] = ()
    low: Percent = 0
    high: Percent = 100
    metrics: Annotated[tuple[MetricRange, ...], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _check_any(self) -> Self:
        if not self.verdicts and self.metrics is None:
            raise ValueError("give the words, or the metrics")
        return self


class Canary(Record):
    """One canary with what the judge said of it; it is no turn of the run and enters no statistic.

    `raw` is the score before caps, since a cap would hide what the judge did; `values` are the metrics that are asked
    for, in percent of their scale. `passed` is None where the judge gave no
    usable reply, which shows nothing; `reason` says in a sentence why it passed, failed or shows nothing.
    """

    kind: Slug
    turn: Turn
    expects: Expectation
    verdicts: tuple[Verdict, ...] = ()
    raw: Exact | None = None
    values: dict[str, Exact] | None = None
    passed: bool | None = None
    reason: str
