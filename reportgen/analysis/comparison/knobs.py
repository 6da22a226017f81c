"""Which knobs were turned between two runs: labels, and what retrievals and models are called, that differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.strata import NO_LABEL
from reportgen.model.revision import BaselineTurn

MOST_VALUES = 10
"""A label with more values in a run is no knob."""


@dataclass(frozen=True, slots=True)
class KnobChange:
    """What a label, or a fact about the answering, was in both runs: each value with how many turns have it.

    `turned` says that each run has one value throughout, and not the same; else the mix differs.
    """

    name: str
    before: dict[str, int]
    after: dict[str, int]
    turned: bool


def find_knobs(
    before: Sequence[BaselineTurn], after: Sequence[BaselineTurn], *, paired: bool
) -> tuple[KnobChange, ...]:
    """The knobs that were turned, those of whole runs first, then by name.

    Between two periods shares vary by themselves; there a mix counts as another only where a value is in one run alone.

    Args:
        before: The compared turns of the baseline.
        after: Those of the run.
        paired: Whether the same turns are compared one by one.
    """
    if not before or not after:
        return ()
    names = sorted({name for turn in (*before, *after) for name in _facts(turn)})
    changes = [change for name in names if (change := _compare(name, before, after, paired=paired))]
    return tuple(sorted(changes, key=lambda item: not item.turned))


def _facts(turn: BaselineTurn) -> dict[str, str]:
    """Labels go before what the trajectory says under the same name."""
    return (turn.knobs or {}) | turn.labels


def _compare(
    name: str, before: Sequence[BaselineTurn], after: Sequence[BaselineTurn], *, paired: bool
) -> KnobChange | None:
    one, other = (Counter(_facts(turn).get(name, NO_LABEL) for turn in turns) for turns in (before, after))
    if max(len(one), len(other)) > MOST_VALUES:
        return None
    shares = ({value: count * size for value, count in found.items()} for found, size in _crossed(one, other))
    is_same_mix = next(shares) == next(shares)
    if is_same_mix if paired else set(one) == set(other):
        return None
    return KnobChange(name, _order(one), _order(other), turned=len(one) == len(other) == 1)


def _crossed(one: Counter[str], other: Counter[str]) -> tuple[tuple[Counter[str], int], tuple[Counter[str], int]]:
    """Each count with the size of the other run, by which shares become whole numbers."""
    return (one, other.total()), (other, one.total())


def _order(found: Counter[str]) -> dict[str, int]:
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
