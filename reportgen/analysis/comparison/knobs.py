"""Which knobs were turned between two runs: labels, and what retrievals and models are called, that differ."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportgen.analysis.retrieving import fill_facts, spell_names
from reportgen.analysis.strata import NO_LABEL
from reportgen.model.revision import BaselineTurn

MOST_VALUES = 10
"""A label with more values in a run is no knob."""


@dataclass(frozen=True, slots=True)
class KnobChange:
    """What a label, or a fact about the answering, was in both runs: each value with how many turns have it.

    `turned` says that no value is in both runs; else the mix differs.
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
    names = spell_names(turn.labels for turn in (*before, *after))
    names |= {name: name for turn in (*before, *after) for name in turn.knobs or {}}
    facts = [[fill_facts(turn.knobs or {}, turn.labels) for turn in turns] for turns in (before, after)]
    compared = ((names[plain], [[found.get(plain, NO_LABEL) for found in side] for side in facts]) for plain in names)
    changes = [change for name, values in compared if (change := _compare(name, *values, paired=paired))]
    return tuple(sorted(changes, key=lambda item: (not item.turned, item.name)))


def share_no_value(before: Iterable[str], after: Iterable[str]) -> bool:
    """Whether no value of a label is in both runs. Its absence is a value only where a run has no other.

    >>> share_no_value(["v1", "v2"], ["v3"]), share_no_value(["v1", NO_LABEL], ["v2", NO_LABEL])
    (True, True)
    >>> share_no_value(["v1", NO_LABEL], [NO_LABEL]), share_no_value(["v1"], ["v1", "v2"])
    (False, False)
    """
    one, other = set(before), set(after)
    shared = one & other
    return not (shared if {NO_LABEL} in (one, other) else shared - {NO_LABEL})


def _compare(name: str, before: Sequence[str], after: Sequence[str], *, paired: bool) -> KnobChange | None:
    one, other = Counter(before), Counter(after)
    if max(len(one), len(other)) > MOST_VALUES:
        return None
    shares = ({value: count * size for value, count in found.items()} for found, size in _crossed(one, other))
    is_same_mix = next(shares) == next(shares)
    if is_same_mix if paired else set(one) == set(other):
        return None
    return KnobChange(name, _order(one), _order(other), turned=share_no_value(one, other))


def _crossed(one: Counter[str], other: Counter[str]) -> tuple[tuple[Counter[str], int], tuple[Counter[str], int]]:
    """Each count with the size of the other run, by which shares become whole numbers."""
    return (one, other.total()), (other, one.total())


def _order(found: Counter[str]) -> dict[str, int]:
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
