"""Where a change comes from: label by label, split into mix and rate."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.against_rest import LEAST_POINTS
from reportgen.analysis.comparison.changes import Change, mark_family, measure_change
from reportgen.analysis.comparison.knobs import share_no_value
from reportgen.analysis.comparison.sides import Sides, keep_measured, mean_of, score_of
from reportgen.analysis.strata import MAX_STRATA, NO_LABEL, labels_worth_a_table
from reportgen.model.revision import BaselineTurn
from reportgen.record import Exact

NOT_SHARED = "no value is in both runs"


@dataclass(frozen=True, slots=True)
class StratumChange:
    """The turns that share one value of a label, in both runs.

    `share_before` and `share_after` are their shares of the scored turns, 0 to 1. `mix` is how many points of the
    change of the mean come from there being more or fewer of them, `rate` from their own change. `differs` of the
    change asks for 2 points at least.
    """

    value: str
    change: Change
    share_before: Exact
    share_after: Exact
    mix: Exact
    rate: Exact


@dataclass(frozen=True, slots=True)
class LabelChange:
    """The change of the mean over a label, in points: exactly `mix` plus `rate`, each the sum over the strata.

    Where no value of the label is in both runs nothing can be told apart: `mix` and `rate` are None, there are no
    strata, and `undefined` says why.
    """

    label: str
    mix: Exact | None
    rate: Exact | None
    strata: tuple[StratumChange, ...]
    undefined: str | None = None


def split_by_labels(sides: Sides) -> tuple[LabelChange, ...]:
    """The change for each label that divides the turns, client, surface and region first."""
    scored = keep_measured(sides, score_of)
    if not scored.before or not scored.after:
        return ()
    labels = labels_worth_a_table([*scored.before, *scored.after])
    return tuple(_split(scored, label) for label in labels)


def _split(sides: Sides, label: str) -> LabelChange:
    """Pairs stand in the stratum of this run, so that only differences between pairs enter their change."""
    before, after = ([turn.labels.get(label, NO_LABEL) for turn in turns] for turns in (sides.before, sides.after))
    if share_no_value(before, after):
        return LabelChange(label, mix=None, rate=None, strata=(), undefined=NOT_SHARED)
    before = after if sides.paired else before
    names = _name_lines([*before, *after])
    groups = _group(sides, [names[value] for value in before], [names[value] for value in after])
    changes = mark_family([measure_change(group, score_of) for group in groups.values()], LEAST_POINTS)
    overall = mean_of(sides.before, score_of) or Fraction(0)
    sizes = len(sides.before), len(sides.after)
    strata = tuple(_stratum(value, change, overall, sizes) for value, change in zip(groups, changes, strict=True))
    return LabelChange(
        label,
        mix=sum((item.mix for item in strata), Fraction(0)),
        rate=sum((item.rate for item in strata), Fraction(0)),
        strata=strata,
    )


def _stratum(value: str, change: Change, overall: Fraction, sizes: tuple[int, int]) -> StratumChange:
    """Mix and rate after Kitagawa (1955): new shares against the old mean, own change at the new share.

    The mean of all turns is taken off in the mix, which changes no sum, so that a stratum that grew raises the mean
    only where it is better than the others. One that is new, or has gone, has no change of its own.
    """
    first, second = Fraction(change.turns_before, sizes[0]), Fraction(change.turns_after, sizes[1])
    level = change.after if change.before is None else change.before
    rate = second * (change.after - change.before) if change.before is not None and change.after is not None else 0
    mix = (second - first) * (level - overall) if level is not None else 0
    return StratumChange(value, change, first, second, Fraction(mix), Fraction(rate))


def _name_lines(values: Sequence[str]) -> dict[str, str]:
    """For each value the line it stands in, most turns first; beyond what a table holds, values share the last one."""
    counts = Counter(values)
    order = sorted(counts, key=lambda value: (-counts[value], value))
    if len(order) <= MAX_STRATA:
        return {value: value for value in order}
    shown, rest = order[: MAX_STRATA - 1], order[MAX_STRATA - 1 :]
    return {value: value for value in shown} | dict.fromkeys(rest, f"({len(rest)} other values)")


def _group(sides: Sides, before: Sequence[str], after: Sequence[str]) -> dict[str, Sides]:
    """The sides of each stratum, most turns first."""
    counts = Counter([*before, *after])
    order = sorted(counts, key=lambda name: (-counts[name], name))
    old, new = (_sort(names, turns) for names, turns in ((before, sides.before), (after, sides.after)))
    return {name: Sides(sides.paired, old[name], new[name]) for name in order}


def _sort(names: Sequence[str], turns: Sequence[BaselineTurn]) -> dict[str, list[BaselineTurn]]:
    groups: dict[str, list[BaselineTurn]] = defaultdict(list)
    for name, turn in zip(names, turns, strict=True):
        groups[name].append(turn)
    return groups
