"""All that is said of one score in two runs: its mean, bands, labels, and the turns that moved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from reportgen.analysis.comparison.changes import Change, mark_family, measure_change
from reportgen.analysis.comparison.labels import LabelChange, split_by_labels
from reportgen.analysis.comparison.movements import (
    Movement,
    Mover,
    Transition,
    count_movements,
    count_transitions,
    find_movers,
)
from reportgen.analysis.comparison.shares import measure_share_change
from reportgen.analysis.comparison.sides import Sides, score_of

Outcome = Literal["worse", "better", "no-difference-found", "not-tested"]


@dataclass(frozen=True, slots=True)
class BandChange:
    """The change of the share of a band, 0 to 1."""

    band: str
    change: Change


class Held(Protocol):
    """What a comparison says of one score: that of whole turns, or a metric in percent of its scale."""

    @property
    def mean(self) -> Change:
        """The change of its mean."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """What the change of the mean shows; None where nothing is claimed."""
        ...

    @property
    def bands(self) -> tuple[BandChange, ...]:
        """The changes of the shares of its bands."""
        ...

    @property
    def labels(self) -> tuple[LabelChange, ...]:
        """The change of the mean, label by label."""
        ...

    @property
    def movement(self) -> Movement | None:
        """How many turns moved; None of two periods."""
        ...

    @property
    def transitions(self) -> tuple[Transition, ...] | None:
        """From which band to which; None of two periods."""
        ...

    @property
    def movers(self) -> tuple[Mover, ...] | None:
        """The turns that moved most; None of two periods."""
        ...


@dataclass(frozen=True, slots=True)
class Holding:
    """The parts of a comparison that are about one score."""

    mean: Change
    outcome: Outcome | None
    bands: tuple[BandChange, ...]
    labels: tuple[LabelChange, ...]
    movement: Movement | None
    transitions: tuple[Transition, ...] | None
    movers: tuple[Mover, ...] | None


def hold(sides: Sides, bands: Sequence[str]) -> Holding:
    """Everything about the score of these turns.

    Args:
        sides: The turns of both runs.
        bands: The ids of the bands, highest first.
    """
    (mean,) = mark_family([measure_change(sides, score_of)])
    return Holding(
        mean=mean,
        outcome=judge_change(mean),
        bands=tuple(map(BandChange, bands, mark_family([measure_share_change(sides, band) for band in bands]))),
        labels=split_by_labels(sides),
        movement=count_movements(sides) if sides.paired else None,
        transitions=count_transitions(sides, bands) if sides.paired else None,
        movers=find_movers(sides) if sides.paired else None,
    )


def judge_change(mean: Change) -> Outcome:
    """What the change of a mean shows."""
    if mean.unseen is not None:
        return "no-difference-found"
    if mean.p_value is None or mean.difference.value is None:
        return "not-tested"
    if not mean.differs:
        return "no-difference-found"
    return "worse" if mean.difference.value < 0 else "better"


def unmark_labels(labels: Sequence[LabelChange]) -> tuple[LabelChange, ...]:
    """The same without any mark that a stratum is better or worse."""
    unmarked = [
        tuple(replace(item, change=replace(item.change, differs=False)) for item in label.strata) for label in labels
    ]
    return tuple(replace(label, strata=strata) for label, strata in zip(labels, unmarked, strict=True))


def unmark_bands(bands: Sequence[BandChange]) -> tuple[BandChange, ...]:
    """The same for bands."""
    return tuple(replace(item, change=replace(item.change, differs=False)) for item in bands)
