"""The headline of a run beside those of earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.comparability import Break, find_breaks
from reportgen.analysis.trend.series import Expectation, judge_series
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.revision import EarlierRun, MetricHeadline
from reportgen.model.run import Estimate, Manifest, Summary
from reportgen.record import Moment


@dataclass(frozen=True, slots=True)
class Headline:
    """The run itself as a point of the series; the fields are those of `EarlierRun`."""

    run: str
    instrument: Instrument
    first: Moment | None
    last: Moment | None
    turns: int
    scored: int
    mean: Estimate
    poor: Estimate
    metrics: tuple[MetricHeadline, ...] | None = None


@dataclass(frozen=True, slots=True)
class RunPoint:
    """One run; `breaks` are the keys in which its instrument differs from that of the run before it.

    `first` and `last` are the capture times of its turns; `poor` is the share of the lowest band, 0 to 1.
    """

    run: str
    first: Moment | None
    last: Moment | None
    turns: int
    scored: int
    mean: Estimate
    poor: Estimate
    breaks: tuple[Break, ...]
    expectation: Expectation | None


def build_headline(manifest: Manifest, summary: Summary, first: Moment | None, last: Moment | None) -> Headline:
    """The run itself as a point of the series."""
    return Headline(
        run=manifest.run_id,
        instrument=instrument_of(manifest),
        first=first,
        last=last,
        turns=summary.turns,
        scored=summary.scored,
        mean=summary.mean,
        poor=summary.bands[-1].share,
        metrics=headline_metrics(summary),
    )


def headline_metrics(summary: Summary) -> tuple[MetricHeadline, ...] | None:
    """The headline of each metric, by a rubric without a composite; None with one."""
    if summary.metrics is None:
        return None
    return tuple(
        MetricHeadline(dimension=item.dimension, scored=item.scored, mean=item.mean, poor=item.bands[-1].share)
        for item in summary.metrics
    )


def build_metric_runs(dimension: str, earlier: Sequence[EarlierRun | Headline], this: Headline) -> tuple[RunPoint, ...]:
    """The same series by one metric, in percent of its scale; a run that has no such metric has no mean in it."""
    return build_runs([_by_metric(run, dimension) for run in earlier], _by_metric(this, dimension))


def _by_metric(run: EarlierRun | Headline, dimension: str) -> Headline:
    none = Estimate(n=0, undefined="the run has no such metric")
    nothing = MetricHeadline(dimension=dimension, scored=0, mean=none, poor=none)
    own = next((item for item in run.metrics or () if item.dimension == dimension), nothing)
    return Headline(run.run, run.instrument, run.first, run.last, run.turns, own.scored, own.mean, own.poor)


def build_runs(earlier: Sequence[EarlierRun | Headline], this: Headline) -> tuple[RunPoint, ...]:
    """The points of a series of runs; a run is held only against earlier ones of its own instrument.

    Args:
        earlier: The earlier runs, oldest first.
        this: The run itself, which comes last.
    """
    runs: list[EarlierRun | Headline] = [*earlier, this]
    groups = _group([run.instrument for run in runs])
    expected = judge_series([run.mean for run in runs], groups)
    before: list[EarlierRun | Headline | None] = [None, *runs]
    return tuple(
        RunPoint(
            run=run.run,
            first=run.first,
            last=run.last,
            turns=run.turns,
            scored=run.scored,
            mean=run.mean,
            poor=run.poor,
            breaks=find_breaks(previous.instrument, run.instrument) if previous else (),
            expectation=expectation,
        )
        for previous, run, expectation in zip(before, runs, expected, strict=False)
    )


def _group(instruments: Sequence[Instrument]) -> list[int]:
    """For each instrument the place of the first one that equals it."""
    return [
        next(place for place, other in enumerate(instruments) if not find_breaks(other, instrument))
        for instrument in instruments
    ]
