"""A probe: a test of the judge on a finished run, kept beside it."""

from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.derivation import Digest
from reportgen.model.price import Price
from reportgen.model.rubric import Slug
from reportgen.model.run import Estimate
from reportgen.model.verdict import Category, Verdict
from reportgen.record import Exact, Moment, Record

FORMAT: Final = "reportgen/probe/1"

ProbeKind = Literal["order", "length"]


class MetricPair(Record):
    """One metric of a turn on both orders of its evidence, in percent of its scale; None where it has no value."""

    dimension: Slug
    before: Exact | None = None
    before_band: Category | None = None
    after: Exact | None = None
    after_band: Category | None = None


class Pair(Record):
    """One turn judged on the same evidence in another order; scores are 0 to 100, after caps.

    `after` is None where the judge gave no usable reply to the reordered evidence. By a rubric without a composite no
    turn has a score, and `metrics` has the like of each metric.
    """

    turn: str
    before: Exact | None = None
    before_band: Category | None = None
    after: Exact | None = None
    after_band: Category | None = None
    metrics: tuple[MetricPair, ...] | None = None
    verdicts: tuple[Verdict, ...]


class MetricFigure(Record):
    """What a probe found of one metric, as `Probe` has it of the score."""

    dimension: Slug
    estimate: Estimate
    flips: Annotated[int, Field(ge=0)] | None = None


class Probe(Record):
    """One probe with its result.

    Of `order` the estimate is the mean of after minus before, in points of the score; of `length` it is Spearman's
    rho of score against answer length, -1 to 1, rounded to six decimals. `flips` counts the pairs whose band changed.
    By a rubric without a composite `metrics` has the figures, in percent of the scale.
    """

    format: Literal["reportgen/probe/1"] = FORMAT
    kind: ProbeKind
    seal: Digest
    asked_at: Moment
    program: str
    estimate: Estimate
    flips: Annotated[int, Field(ge=0)] | None = None
    metrics: tuple[MetricFigure, ...] | None = None
    pairs: tuple[Pair, ...] = ()
    prices: tuple[Price, ...] | None = None
    """By which the answers of the probe are priced."""
