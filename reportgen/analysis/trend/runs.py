"""The headline of a run beside those of earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.comparability import Break, find_breaks
from reportgen.analysis.trend.series import Expectation, judge_series
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.revision import EarlierRun
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
    counts, poor = (summary.turns, summary.scored), summary.bands[-1].share
    return Headline(manifest.run_id, instrument_of(manifest), first, last, *counts, mean=summary.mean, poor=poor)


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
