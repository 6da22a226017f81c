"""All that a comparison of two runs says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from reportgen.analysis.comparability import Break, find_breaks
from reportgen.analysis.comparison.changes import Change, mark_family, measure_change
from reportgen.analysis.comparison.labels import LabelChange, StratumChange, split_by_labels
from reportgen.analysis.comparison.movements import (
    Movement,
    Mover,
    Transition,
    count_movements,
    count_transitions,
    find_movers,
)
from reportgen.analysis.comparison.shares import measure_share_change
from reportgen.analysis.comparison.sides import Overlap, Side, Sides, lay_out, score_of, subscore_of
from reportgen.model.calibration import GateState
from reportgen.model.revision import Baseline
from reportgen.model.rubric import Rubric
from reportgen.record import Moment

Outcome = Literal["worse", "better", "no-difference-found", "not-tested"]


@dataclass(frozen=True, slots=True)
class BandChange:
    """The change of the share of a band, 0 to 1."""

    band: str
    change: Change


@dataclass(frozen=True, slots=True)
class DimensionChange:
    """The change of the mean subscore of a dimension, on the rubric's scale."""

    dimension: str
    name: str
    change: Change


_Line = TypeVar("_Line", BandChange, DimensionChange, StratumChange)


@dataclass(frozen=True, slots=True)
class Comparison:
    """This run against a baseline: every figure of it.

    `breaks` are the keys in which the instruments differ. `other_system` says that the assistants differ by name or
    version; `gates` are how the judge's agreement with people stands in the baseline and here. With a break, or with
    another system and not both gates passed, no claim is made: `outcome` is None and no figure is marked. `sampled`
    says that turns were drawn from a larger capture; each counts as one here. `paired` says that the same turns were
    compared one by one; `movement`, `transitions` and `movers` are None where they were not.
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


def compare_runs(baseline: Baseline, this: Side, rubric: Rubric) -> Comparison:
    """Holds a run against a baseline.

    Args:
        baseline: The other run.
        this: The run itself.
        rubric: Of the run itself; its dimensions and bands are compared.
    """
    bands = [band.id for band in rubric.bands]
    sides, overlap = lay_out(baseline.turns, this.turns)
    (mean,) = mark_family([measure_change(sides, score_of)])
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
        mean=mean,
        outcome=_judge(mean),
        bands=_compare_bands(sides, bands),
        dimensions=_compare_dimensions(sides, rubric),
        labels=split_by_labels(sides),
        movement=count_movements(sides) if sides.paired else None,
        transitions=count_transitions(sides, bands) if sides.paired else None,
        movers=find_movers(sides) if sides.paired else None,
    )
    return _withdraw_claims(found) if found.breaks or lacks_proof(found) else found


def lacks_proof(found: Comparison) -> bool:
    """Whether the systems differ and it is not shown in both runs that the judge agrees with people."""
    return found.other_system and found.gates != ("pass", "pass")


def _judge(mean: Change) -> Outcome:
    if mean.unseen is not None:
        return "no-difference-found"
    if mean.p_value is None or mean.difference.value is None:
        return "not-tested"
    if not mean.differs:
        return "no-difference-found"
    return "worse" if mean.difference.value < 0 else "better"


def _compare_bands(sides: Sides, bands: Sequence[str]) -> tuple[BandChange, ...]:
    changes = mark_family([measure_share_change(sides, band) for band in bands])
    return tuple(map(BandChange, bands, changes))


def _compare_dimensions(sides: Sides, rubric: Rubric) -> tuple[DimensionChange, ...]:
    top = rubric.scale.maximum
    changes = mark_family([measure_change(sides, subscore_of(item.id), top) for item in rubric.dimensions])
    pairs = zip(rubric.dimensions, changes, strict=True)
    return tuple(DimensionChange(item.id, item.name, change) for item, change in pairs)


def _withdraw_claims(found: Comparison) -> Comparison:
    """The same figures without any mark that one run is better or worse."""
    labels = [replace(label, strata=tuple(map(_unmark, label.strata))) for label in found.labels]
    return replace(
        found,
        outcome=None,
        mean=replace(found.mean, differs=False),
        bands=tuple(map(_unmark, found.bands)),
        dimensions=tuple(map(_unmark, found.dimensions)),
        labels=tuple(labels),
    )


def _unmark(line: _Line) -> _Line:
    return replace(line, change=replace(line.change, differs=False))
