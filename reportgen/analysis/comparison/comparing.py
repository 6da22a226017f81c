"""All that a comparison of two runs says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.analysis.comparability import Break, find_breaks
from reportgen.analysis.comparison.changes import Change, mark_family, measure_change
from reportgen.analysis.comparison.holding import BandChange, Held, Holding, Outcome, hold, unmark_bands, unmark_labels
from reportgen.analysis.comparison.knobs import KnobChange, find_knobs
from reportgen.analysis.comparison.labels import LabelChange
from reportgen.analysis.comparison.metrics import MetricChange, compare_metrics, stand_alone, sum_up, unmark_metric
from reportgen.analysis.comparison.movements import Movement, Mover, Transition
from reportgen.analysis.comparison.sides import Overlap, Side, Sides, lay_out, subscore_of
from reportgen.analysis.summary import NO_COMPOSITE
from reportgen.model.calibration import GateState
from reportgen.model.revision import Baseline
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.record import Moment


@dataclass(frozen=True, slots=True)
class DimensionChange:
    """The change of the mean subscore of a dimension, on the rubric's scale."""

    dimension: str
    name: str
    change: Change


@dataclass(frozen=True, slots=True)
class Comparison:
    """This run against a baseline: every figure of it.

    `breaks` are the keys in which the instruments differ. `other_system` says that the assistants differ by name or
    version; `gates` are how the judge's agreement with people stands in the baseline and here. With a break, or with
    another system and not both gates passed, no claim is made: `outcome` is None and no figure is marked. `sampled`
    says that turns were drawn from a larger capture; each counts as one here. `paired` says that the same turns were
    compared one by one; `movement`, `transitions` and `movers` are None where they were not. `knobs` are the labels
    and the like that differ between the runs.

    By a rubric without a composite turns have no score: `metrics` holds in its place what is said of each metric, and
    `outcome` sums them up: worse where any metric is, else better where any is.
    """

    run: str
    seal: str
    first: Moment | None
    last: Moment | None
    breaks: tuple[Break, ...]
    agents_before: tuple[str, ...]
    agents_after: tuple[str, ...]
    other_system: bool
    gates: tuple[GateState | None, GateState | None]
    sampled: bool
    paired: bool
    overlap: Overlap
    mean: Change
    outcome: Outcome | None
    bands: tuple[BandChange, ...]
    dimensions: tuple[DimensionChange, ...]
    labels: tuple[LabelChange, ...]
    movement: Movement | None
    transitions: tuple[Transition, ...] | None
    movers: tuple[Mover, ...] | None
    knobs: tuple[KnobChange, ...]
    metrics: tuple[MetricChange, ...]

    @property
    def moved(self) -> frozenset[str]:
        """The turns that moved most, by the score or by any metric."""
        held: tuple[Held, ...] = (self, *self.metrics)
        return frozenset(mover.turn for item in held for mover in item.movers or ())


def compare_runs(baseline: Baseline, this: Side, rubric: Rubric) -> Comparison:
    """Holds a run against a baseline.

    Args:
        baseline: The other run.
        this: The run itself.
        rubric: Of the run itself; its dimensions and bands are compared.
    """
    sides, overlap = lay_out(baseline.turns, this.turns)
    metrics = compare_metrics(sides, rubric)
    held = hold(sides, [band.id for band in rubric.bands]) if rubric.has_composite else _hold_nothing(sum_up(metrics))
    found = Comparison(
        run=baseline.run,
        seal=baseline.seal,
        first=baseline.first,
        last=baseline.last,
        breaks=find_breaks(baseline.instrument, this.instrument),
        agents_before=baseline.agents,
        agents_after=this.agents,
        other_system=baseline.agents != this.agents,
        gates=(baseline.gate, this.gate),
        sampled=baseline.sampled or this.sampled,
        paired=sides.paired,
        overlap=overlap,
        mean=held.mean,
        outcome=held.outcome,
        bands=held.bands,
        dimensions=_compare_dimensions(sides, rubric),
        labels=held.labels,
        movement=held.movement,
        transitions=held.transitions,
        movers=held.movers,
        knobs=find_knobs(sides.before, sides.after, paired=sides.paired),
        metrics=metrics,
    )
    return _withdraw_claims(found) if found.breaks or lacks_proof(found) else found


def lacks_proof(found: Comparison) -> bool:
    """Whether the systems differ and it is not shown in both runs that the judge agrees with people."""
    return found.other_system and found.gates != ("pass", "pass")


def _hold_nothing(outcome: Outcome | None) -> Holding:
    """What is said of a score that no turn has."""
    nothing = Change(None, None, 0, 0, Estimate(n=0, undefined=NO_COMPOSITE))
    return Holding(nothing, outcome, (), (), None, None, None)


def _compare_dimensions(sides: Sides, rubric: Rubric) -> tuple[DimensionChange, ...]:
    """Over the turns that have a score; without a composite each dimension over the turns that have its value."""
    top = rubric.scale.maximum
    changes = mark_family([_measure(sides, item.id, rubric, top) for item in rubric.dimensions])
    pairs = zip(rubric.dimensions, changes, strict=True)
    return tuple(DimensionChange(item.id, item.name, change) for item, change in pairs)


def _measure(sides: Sides, dimension: str, rubric: Rubric, top: int) -> Change:
    measured = sides if rubric.has_composite else stand_alone(sides, dimension, rubric)
    return measure_change(measured, subscore_of(dimension), top)


def _withdraw_claims(found: Comparison) -> Comparison:
    """The same figures without any mark that one run is better or worse."""
    return replace(
        found,
        outcome=None,
        mean=replace(found.mean, differs=False),
        bands=unmark_bands(found.bands),
        dimensions=_unmark(found.dimensions),
        labels=unmark_labels(found.labels),
        metrics=tuple(map(unmark_metric, found.metrics)),
    )


def _unmark(lines: Sequence[DimensionChange]) -> tuple[DimensionChange, ...]:
    return tuple(replace(line, change=replace(line.change, differs=False)) for line in lines)
