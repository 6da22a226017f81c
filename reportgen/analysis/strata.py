"""Results by label: one table a label, one row a value of it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reportgen.analysis.against_rest import AgainstRest, contrast_strata
from reportgen.analysis.estimates import estimate_mean, estimate_median, estimate_share
from reportgen.analysis.rows import Grouped, TurnRow
from reportgen.model.run import Estimate

NO_LABEL = "(no label)"
MAX_STRATA = 50
"""A label has at most so many lines; the values with the fewest turns share the last one."""
MAX_LABELS = 20
MIN_RANKED = 30
"""A stratum with fewer scored turns has no rank among the others."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """The turns that share one value of a label.

    `bands` counts the scored ones by band, None where that would tell of too few turns; `best` is the share of the
    highest band among them, 0 to 1. `rank` counts from 1 for the highest mean; strata with fewer than 30 scored turns
    have none.
    """

    value: str
    turns: int
    scored: int
    mean: Estimate
    median: Estimate
    rest: AgainstRest
    rank: int | None
    bands: dict[str, int] | None
    best: Estimate


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A label with its strata, most turns first."""

    label: str
    strata: tuple[Stratum, ...]


def build_breakdowns(rows: Sequence[TurnRow], labels: Sequence[str], bands: Sequence[str]) -> tuple[Breakdown, ...]:
    """A breakdown for each label that at least one turn bears.

    Args:
        rows: The turns.
        labels: Which labels, in which order.
        bands: The ids of the bands, highest first.
    """
    used = [label for label in labels if any(label in row.labels for row in rows)]
    return tuple(Breakdown(label, _strata(rows, label, bands)) for label in used)


def labels_worth_a_table(rows: Sequence[Grouped]) -> list[str]:
    """The labels with more than one and not too many values, client, surface and region first."""
    values: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for label, value in row.labels.items():
            values[label].add(value)
    first = [label for label in ("client", "surface", "region") if label in values]
    rest = sorted(set(values) - set(first))
    worth = [label for label in [*first, *rest] if label in first or 1 < len(values[label]) <= MAX_STRATA]
    return worth[:MAX_LABELS]


def group_strata(rows: Sequence[TurnRow], label: str) -> dict[str, list[int]]:
    """The values of a label that have a line of their own, most turns first, each with the places of its turns.

    Values beyond the most that a table holds share the last line.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row.labels.get(label, NO_LABEL)].append(place)
    order = sorted(groups, key=lambda value: (-len(groups[value]), value))
    shown, rest = (order, []) if len(order) <= MAX_STRATA else (order[: MAX_STRATA - 1], order[MAX_STRATA - 1 :])
    strata = {value: groups[value] for value in shown}
    if rest:
        strata[f"({len(rest)} other values)"] = sorted(place for value in rest for place in groups[value])
    return strata


def _strata(rows: Sequence[TurnRow], label: str, bands: Sequence[str]) -> tuple[Stratum, ...]:
    groups = group_strata(rows, label)
    return build_strata({value: [rows[place] for place in places] for value, places in groups.items()}, bands)


def build_strata(groups: Mapping[str, Sequence[TurnRow]], bands: Sequence[str]) -> tuple[Stratum, ...]:
    """The lines of a table: one for each group of turns, which together are all of them."""
    rows = [row for group in groups.values() for row in group]
    numbers = [number for number, group in enumerate(groups.values()) for _ in group]
    lines = zip(groups.items(), contrast_strata(rows, numbers), strict=True)
    return _rank([_stratum(value, group, bands, rest) for (value, group), rest in lines])


def _stratum(value: str, rows: Sequence[TurnRow], bands: Sequence[str], rest: AgainstRest) -> Stratum:
    counts = {band: sum(row.score.band == band for row in rows) for band in bands}
    scored = [row for row in rows if row.score.score is not None]
    best = estimate_share(scored, lambda row: row.score.band == bands[0])
    return Stratum(
        value, len(rows), len(scored), estimate_mean(rows), estimate_median(rows), rest, None, bands=counts, best=best
    )


def _rank(strata: Sequence[Stratum]) -> tuple[Stratum, ...]:
    """The strata with their ranks; those of equal means share the better one."""
    means = [item.mean.value for item in strata if item.scored >= MIN_RANKED and item.mean.value is not None]
    return tuple(
        replace(item, rank=1 + sum(mean > item.mean.value for mean in means))
        if item.scored >= MIN_RANKED and item.mean.value is not None
        else item
        for item in strata
    )
