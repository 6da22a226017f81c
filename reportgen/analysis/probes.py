"""What the probes of a run found; everything is computed again from the pairs and the rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.correlation import correlate_ranks
from reportgen.analysis.estimates import estimate_difference
from reportgen.analysis.rows import TurnRow, stand_alone
from reportgen.analysis.spending import Spending, add_up
from reportgen.analysis.summary import NO_COMPOSITE
from reportgen.model.probe import MetricFigure, Pair, Probe, ProbeKind
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.record import Moment

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of one probe, as `Probe` describes it; `failed` pairs brought no second score.

    `spending` is what its verdicts cost, beside all that the run did; None where nobody was asked.
    """

    kind: ProbeKind
    asked_at: Moment
    estimate: Estimate
    flips: int | None
    failed: int
    spending: Spending | None = None
    metrics: tuple[MetricFigure, ...] = ()


def build_probe_results(probes: Iterable[Probe], rows: Sequence[TurnRow], rubric: Rubric) -> tuple[ProbeResult, ...]:
    """What the latest probe of each kind showed."""
    return tuple(_build(probe, rows, rubric) for probe in latest_probes(probes))


def latest_probes(probes: Iterable[Probe]) -> list[Probe]:
    """The latest probe of each kind, which is the one that is published."""
    latest = {probe.kind: probe for probe in probes}
    return [latest[kind] for kind in sorted(latest)]


def _build(probe: Probe, rows: Sequence[TurnRow], rubric: Rubric) -> ProbeResult:
    found, is_order = measure_probe(probe.kind, probe.pairs, rows, rubric), probe.kind == "order"
    return ProbeResult(
        probe.kind,
        probe.asked_at,
        found.estimate,
        found.flips,
        failed=sum(map(_has_failed, probe.pairs)) if is_order else 0,
        spending=add_up_probe(probe) if is_order else None,
        metrics=found.metrics or (),
    )


def _has_failed(pair: Pair) -> bool:
    """Whether the reordered evidence brought no second score, or not of each metric that had a first one."""
    if pair.metrics is None:
        return pair.after is None
    return any(item.before is not None and item.after is None for item in pair.metrics)


@dataclass(frozen=True, slots=True)
class ProbeFigures:
    """What a probe found: of the score, or of each metric where there is no composite."""

    estimate: Estimate
    flips: int | None
    metrics: tuple[MetricFigure, ...] | None


def measure_probe(kind: ProbeKind, pairs: Sequence[Pair], rows: Sequence[TurnRow], rubric: Rubric) -> ProbeFigures:
    """What a probe of that kind found.

    Args:
        kind: Its kind.
        pairs: Of the order probe, the turns that were judged again.
        rows: All turns of the run.
        rubric: By which they were judged.
    """
    if rubric.has_composite:
        return ProbeFigures(*_measure(kind, pairs, rows), metrics=None)
    metrics = []
    for dimension in rubric.dimensions:
        own = [pair for item in pairs if (pair := _pair_alone(item, dimension.id)) is not None]
        estimate, flips = _measure(kind, own, stand_alone(rows, dimension, rubric))
        metrics.append(MetricFigure(dimension=dimension.id, estimate=estimate, flips=flips))
    return ProbeFigures(Estimate(n=0, undefined=NO_COMPOSITE), None, tuple(metrics))


def _measure(kind: ProbeKind, pairs: Sequence[Pair], rows: Sequence[TurnRow]) -> tuple[Estimate, int | None]:
    return (compare_pairs(pairs, rows), count_flips(pairs)) if kind == "order" else (correlate_length(rows), None)


def _pair_alone(pair: Pair, dimension: str) -> Pair | None:
    """The pair as if that metric were the score; None where it had no value before."""
    found = next((item for item in pair.metrics or () if item.dimension == dimension), None)
    if found is None or found.before is None:
        return None
    return pair.model_copy(update={name: value for name, value in found if name != "dimension"} | {"metrics": None})


def add_up_probe(probe: Probe) -> Spending:
    """What the verdicts of a probe cost, by the prices kept with it."""
    return add_up((verdict for pair in probe.pairs for verdict in pair.verdicts), probe.prices or ())


def compare_pairs(pairs: Sequence[Pair], rows: Sequence[TurnRow]) -> Estimate:
    """The mean of after minus before over the pairs that have both, with a paired interval."""
    by_id = {row.id: row for row in rows}
    known = [pair for pair in pairs if pair.turn in by_id]
    whole = [
        (by_id[pair.turn], pair.after - pair.before)
        for pair in known
        if pair.after is not None and pair.before is not None
    ]
    return estimate_difference([row for row, _ in whole], [change for _, change in whole])


def count_flips(pairs: Sequence[Pair]) -> int:
    """In how many pairs the band changed."""
    return sum(pair.after_band is not None and pair.after_band != pair.before_band for pair in pairs)


def correlate_length(rows: Sequence[TurnRow]) -> Estimate:
    """Score against length of the answer, over the scored turns whose answer was captured."""
    both = [
        (float(row.answer_length), float(row.score.score))
        for row in rows
        if row.answer_length is not None and row.score.score is not None
    ]
    found = correlate_ranks([length for length, _ in both], [score for _, score in both])
    return Estimate(
        value=None if found.rho is None else Fraction(f"{found.rho:.{_DECIMALS}f}"),
        low=None if found.low is None else round(found.low, _DECIMALS),
        high=None if found.high is None else round(found.high, _DECIMALS),
        n=found.n,
        by="turn",
        undefined=found.undefined,
    )
