"""What the probes of a run found; everything is computed again from the pairs and the rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.correlation import correlate_ranks
from reportgen.analysis.estimates import estimate_difference
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.spending import Spending, add_up
from reportgen.model.probe import Pair, Probe, ProbeKind
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


def build_probe_results(probes: Iterable[Probe], rows: Sequence[TurnRow]) -> tuple[ProbeResult, ...]:
    """What the latest probe of each kind showed."""
    return tuple(_build(probe, rows) for probe in latest_probes(probes))


def latest_probes(probes: Iterable[Probe]) -> list[Probe]:
    """The latest probe of each kind, which is the one that is published."""
    latest = {probe.kind: probe for probe in probes}
    return [latest[kind] for kind in sorted(latest)]


def _build(probe: Probe, rows: Sequence[TurnRow]) -> ProbeResult:
    if probe.kind == "length":
        return ProbeResult(probe.kind, probe.asked_at, correlate_length(rows), None, 0)
    return ProbeResult(
        probe.kind,
        probe.asked_at,
        compare_pairs(probe.pairs, rows),
        count_flips(probe.pairs),
        failed=sum(pair.after is None for pair in probe.pairs),
        spending=add_up_probe(probe),
    )


def add_up_probe(probe: Probe) -> Spending:
    """What the verdicts of a probe cost, by the prices kept with it."""
    return add_up((verdict for pair in probe.pairs for verdict in pair.verdicts), probe.prices or ())


def compare_pairs(pairs: Sequence[Pair], rows: Sequence[TurnRow]) -> Estimate:
    """The mean of after minus before over the pairs that have both, with a paired interval."""
    by_id = {row.id: row for row in rows}
    known = [pair for pair in pairs if pair.turn in by_id]
    whole = [(by_id[pair.turn], pair.after - pair.before) for pair in known if pair.after is not None]
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
