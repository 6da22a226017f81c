"""Who labelled how many turns of a run, and how much of its sample."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from reportgen.model.label import CalibrationSample, Label, LabelImport, standing_labels


@dataclass(frozen=True, slots=True)
class Labeller:
    """What one labeller did: turns that have a label of theirs that stands, those of them in the sample, and days."""

    name: str
    turns: int
    sampled: int
    superseded: int
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Labelling:
    """What was labelled of a run. `sample` is how many turns are in the sample in use, None where none was drawn.

    `labelled` counts turns with a label that stands, `complete` turns of the sample with one, `several` turns with
    labels of several labellers.
    """

    labellers: tuple[Labeller, ...]
    imports: int
    sample: int | None
    labelled: int
    complete: int
    several: int


def sum_up_labels(imports: Sequence[LabelImport], sample: CalibrationSample | None) -> Labelling:
    """Who labelled how many.

    Args:
        imports: All of a run.
        sample: The one in use, if there is one.
    """
    drawn = {turn.turn for turn in sample.turns} if sample else set[str]()
    standing, every = defaultdict[str, list[Label]](list), defaultdict[str, int](int)
    for item in imports:
        for label in item.labels:
            every[label.labeller] += 1
    by_turn = defaultdict[str, int](int)
    for label in standing_labels(imports):
        standing[label.labeller].append(label)
        by_turn[label.turn] += 1
    return Labelling(
        labellers=tuple(_sum_up(name, labels, every[name], drawn) for name, labels in sorted(standing.items())),
        imports=len(imports),
        sample=len(drawn) if sample else None,
        labelled=len(by_turn),
        complete=len(drawn & set(by_turn)),
        several=sum(count > 1 for count in by_turn.values()),
    )


def _sum_up(name: str, labels: Sequence[Label], every: int, drawn: set[str]) -> Labeller:
    days = [label.dated for label in labels]
    sampled = sum(label.turn in drawn for label in labels)
    return Labeller(name, len(labels), sampled, every - len(labels), min(days), max(days))
