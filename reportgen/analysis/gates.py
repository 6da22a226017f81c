"""Gates: what a run must reach to be let through, and whether it does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from reportgen.analysis.canaries import CanaryCheck
from reportgen.analysis.caveats import Caveat
from reportgen.analysis.estimates import estimate_mean, estimate_share
from reportgen.analysis.metrics import Metric
from reportgen.analysis.rows import TurnRow, stand_alone
from reportgen.analysis.summary import NO_COMPOSITE
from reportgen.analysis.trend.building import Trend
from reportgen.analysis.trend.regressions import find_regressions, list_expectations
from reportgen.config import GatesConfig, ScoreLimit, ShareLimit, StratumGate
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate, Summary

State = Literal["passed", "failed", "undecided"]
Side = Literal["at least", "at most"]


@dataclass(frozen=True, slots=True)
class Demand:
    """A limit on a figure: a score of 0 to 100, or a share of 0 to 1.

    With `by` interval all of its 95 % interval must keep it, with `by` value the figure alone.
    """

    side: Side
    limit: Fraction
    unit: Literal["score", "share"]
    by: Literal["value", "interval"]


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate says of a run. Only a passed one lets it through.

    `gate` is its key in the configuration, `about` what is looked at, in words. `reason` says what was found where
    that is no estimate, or why nothing could be decided.
    """

    gate: str
    about: str
    state: State
    reason: str | None = None
    demand: Demand | None = None
    estimate: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What gates look at."""

    rows: Sequence[TurnRow]
    summary: Summary
    canaries: CanaryCheck
    caveats: Sequence[Caveat]
    trend: Trend
    rubric: Rubric
    metrics: Sequence[Metric] = ()


def check_gates(config: GatesConfig, measured: Measured) -> tuple[GateResult, ...]:
    """What each configured gate says, in the order of the family."""
    return tuple(result for check in GATES.values() for result in check(config, measured))


def decide(estimate: Estimate, demand: Demand) -> tuple[State, str | None]:
    """Whether a figure keeps its limit, and why that is not decided.

    >>> demand = Demand("at least", Fraction(80), "score", "interval")
    >>> decide(Estimate(value=Fraction(82), low=78.5, high=85.0, n=40), demand)
    ('undecided', 'the limit lies within the interval')
    """
    low = high = estimate.value
    if low is None or high is None:
        return "undecided", estimate.undefined
    if demand.by == "interval":
        if estimate.low is None or estimate.high is None:
            return "undecided", estimate.undefined
        low, high = Fraction(repr(estimate.low)), Fraction(repr(estimate.high))
    if demand.side == "at least":
        kept, broken = low >= demand.limit, high < demand.limit
    else:
        kept, broken = high <= demand.limit, low > demand.limit
    if kept or broken:
        return ("passed" if kept else "failed"), None
    return "undecided", "the limit lies within the interval"


def _check_mean(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    if limit := config.mean_at_least:
        yield _hold("mean_at_least", "mean score", measured.summary.mean, _score(limit))


def _check_metrics(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    means = {item.dimension: item.mean for item in measured.summary.metrics or ()}
    why = "the rubric has no such metric" if means else "the rubric has a composite, and so no metrics"
    for name, limit in config.metrics_at_least.items():
        mean = means.get(name, Estimate(n=0, undefined=why))
        yield _hold("metrics_at_least", f"mean of {name}", mean, _score(limit))


def _check_poor(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    if limit := config.poor_share_at_most:
        share = next((item.share for item in measured.summary.bands if item.band == "poor"), None)
        estimate = share or Estimate(n=0, undefined="the rubric has no band of that name")
        if not measured.rubric.has_composite:
            estimate = Estimate(n=0, undefined=NO_COMPOSITE)
        yield _hold("poor_share_at_most", "share of the band poor", estimate, _share(limit))


def _check_unscored(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    if limit := config.unscored_share_at_most:
        estimate = estimate_share(measured.rows, lambda row: row.score.unscored is not None)
        estimate = estimate if measured.rows else Estimate(n=0, undefined="no turns")
        yield _hold("unscored_share_at_most", "share of turns without a score", estimate, _share(limit))


def _check_strata(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    for gate in config.strata:
        found = sorted({row.labels[gate.label] for row in measured.rows if gate.label in row.labels})
        for value in found if gate.value is None else [gate.value]:
            yield _check_stratum(gate, value, measured)
        if gate.value is None and not found:
            about = f"{_name_mean(gate)} for each {gate.label}"
            yield _hold("strata", about, _nobody(), _score(gate.mean_at_least))


def _check_stratum(gate: StratumGate, value: str, measured: Measured) -> GateResult:
    own = [row for row in measured.rows if row.labels.get(gate.label) == value]
    mean = _estimate_stratum(own, gate.metric, measured.rubric) if own else _nobody()
    return _hold("strata", f"{_name_mean(gate)} for {gate.label} {value}", mean, _score(gate.mean_at_least))


def _name_mean(gate: StratumGate) -> str:
    return f"mean of {gate.metric}" if gate.metric else "mean score"


def _estimate_stratum(rows: Sequence[TurnRow], metric: str | None, rubric: Rubric) -> Estimate:
    """The mean of these turns by a metric; without one that of their scores."""
    if rubric.has_composite or metric is None:
        why = "the rubric has a composite, and so no metrics" if metric else NO_COMPOSITE
        is_given = rubric.has_composite and metric is None
        return estimate_mean(rows) if is_given else Estimate(n=0, undefined=why)
    dimension = next((item for item in rubric.dimensions if item.id == metric), None)
    if dimension is None:
        return Estimate(n=0, undefined="the rubric has no such metric")
    return estimate_mean(stand_alone(rows, dimension, rubric))


def _nobody() -> Estimate:
    return Estimate(n=0, undefined="no turn bears that label")


def _check_canaries(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    if config.no_failed_canary:
        canaries = measured.canaries
        state: State = "failed" if canaries.failed else "passed"
        reasons = [f"{canaries.failed} of {canaries.asked} canaries failed"] if canaries.asked else []
        if canaries.unanswered:
            reasons.append(f"the judge gave no usable reply to {canaries.unanswered}")
        reasons += [f"{untested.judge} was not tested, since {untested.reason}" for untested in canaries.untested]
        if state == "passed" and (canaries.unanswered or canaries.untested or not canaries.asked):
            state = "undecided"
        yield GateResult("no_failed_canary", "no failed canary", state, "; ".join(reasons) or "no canary was judged")


def _check_regression(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    """Of a series only its end is looked at, which is the run itself: what fell before is no fault of this run."""
    if config.no_regression:
        trend, metrics = measured.trend, measured.metrics
        own = {point.run for point in (*trend.runs[-1:], *(point for item in metrics for point in item.runs[-1:]))}
        fell = [item for item in find_regressions(trend, metrics) if item.kind == "day" or item.name in own]
        expected = list_expectations(trend, metrics)
        state: State = "failed" if fell else "passed" if expected else "undecided"
        reason = {
            "failed": "below what came before lies: " + ", ".join(f"the {item.title}" for item in fell),
            "passed": "nothing lies below what came before",
            "undecided": "neither its days nor earlier runs by the same instrument say what to expect",
        }[state]
        yield GateResult("no_regression", "no regression", state, reason)


def _check_caveats(config: GatesConfig, measured: Measured) -> Iterator[GateResult]:
    for slug in config.no_caveats:
        found = " ".join(caveat.sentence for caveat in measured.caveats if caveat.slug == slug)
        state: State = "failed" if found else "passed"
        yield GateResult("no_caveats", f"no caveat {slug}", state, found or "the run has none")


def _hold(gate: str, about: str, estimate: Estimate, demand: Demand) -> GateResult:
    """The figure held against its limit."""
    state, reason = decide(estimate, demand)
    return GateResult(gate, about, state, reason, demand, estimate)


def _score(limit: ScoreLimit) -> Demand:
    return Demand("at least", Fraction(repr(limit.limit)), "score", limit.by)


def _share(limit: ShareLimit) -> Demand:
    return Demand("at most", Fraction(repr(limit.limit)), "share", limit.by)


Check = Callable[[GatesConfig, Measured], Iterable[GateResult]]

GATES: dict[str, Check] = {
    "mean_at_least": _check_mean,
    "metrics_at_least": _check_metrics,
    "poor_share_at_most": _check_poor,
    "unscored_share_at_most": _check_unscored,
    "strata": _check_strata,
    "no_failed_canary": _check_canaries,
    "no_regression": _check_regression,
    "no_caveats": _check_caveats,
}
"""Each gate under its key in the configuration."""
