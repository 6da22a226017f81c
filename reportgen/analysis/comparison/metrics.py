"""The metrics of a rubric without a composite in two runs: each is held against itself as a score is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.analysis.comparison.changes import Change, mark_family
from reportgen.analysis.comparison.holding import (
    BandChange,
    Holding,
    Outcome,
    hold,
    judge_change,
    unmark_bands,
    unmark_labels,
)
from reportgen.analysis.comparison.labels import LabelChange
from reportgen.analysis.comparison.movements import Movement, Mover, Transition
from reportgen.analysis.comparison.sides import Sides
from reportgen.model.revision import BaselineTurn
from reportgen.model.rubric import Rubric
from reportgen.scoring.bands import band_of


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric in both runs, in percent of its scale, over the turns that have a value of it.

    The p-values of the means are corrected for how many metrics there are. The fields from `mean` on are those of a
    comparison.
    """

    dimension: str
    name: str
    mean: Change
    outcome: Outcome | None
    bands: tuple[BandChange, ...]
    labels: tuple[LabelChange, ...]
    movement: Movement | None
    transitions: tuple[Transition, ...] | None
    movers: tuple[Mover, ...] | None


def compare_metrics(sides: Sides, rubric: Rubric) -> tuple[MetricChange, ...]:
    """Each metric of the rubric; none where a composite stands for them."""
    if rubric.has_composite:
        return ()
    bands = [band.id for band in rubric.bands]
    held = [hold(stand_alone(sides, item.id, rubric), bands) for item in rubric.dimensions]
    means = mark_family([item.mean for item in held])
    triples = zip(rubric.dimensions, held, means, strict=True)
    return tuple(_name(item.id, item.name, found, mean) for item, found, mean in triples)


def stand_alone(sides: Sides, dimension: str, rubric: Rubric) -> Sides:
    """The turns of both runs as if that dimension were their score, in percent of its scale."""
    before, after = ([_alone(turn, dimension, rubric) for turn in side] for side in (sides.before, sides.after))
    return Sides(sides.paired, before, after)


def sum_up(metrics: Sequence[MetricChange]) -> Outcome | None:
    """What all metrics together show: worse where any is, else better where any is; None where nothing is claimed."""
    outcomes = [item.outcome for item in metrics]
    order: tuple[Outcome, ...] = ("worse", "better", "no-difference-found", "not-tested")
    return next((outcome for outcome in order if outcome in outcomes), None)


def unmark_metric(item: MetricChange) -> MetricChange:
    """The same figures without any mark that one run is better or worse."""
    mean = replace(item.mean, differs=False)
    return replace(item, outcome=None, mean=mean, bands=unmark_bands(item.bands), labels=unmark_labels(item.labels))


def _alone(turn: BaselineTurn, dimension: str, rubric: Rubric) -> BaselineTurn:
    used = turn.subscores.get(dimension)
    value = None if used is None else 100 * used / rubric.scale.maximum
    band = None if value is None else band_of(value, rubric.bands).id
    return turn.model_copy(update={"score": value, "band": band})


def _name(dimension: str, name: str, found: Holding, mean: Change) -> MetricChange:
    return MetricChange(
        dimension=dimension,
        name=name,
        mean=mean,
        outcome=judge_change(mean),
        bands=found.bands,
        labels=found.labels,
        movement=found.movement,
        transitions=found.transitions,
        movers=found.movers,
    )
