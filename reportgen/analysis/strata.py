"""Results by label: one table a label, one row a value of it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.estimates import estimate_mean, estimate_share
from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Estimate

NO_LABEL = "(no label)"
MAX_STRATA = 50
"""A label has at most so many lines; the values with the fewest turns share the last one."""
MAX_LABELS = 20


@dataclass(frozen=True, slots=True)
class Stratum:
    """The turns that share one value of a label.

    `bands` counts the scored ones by band; `best` is the share of the highest band among them, 0 to 1.
    """

    value: str
    turns: int
    scored: int
    mean: Estimate
    bands: dict[str, int]
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


def labels_worth_a_table(rows: Sequence[TurnRow]) -> list[str]:
    """The labels with more than one and not too many values, client, surface and region first."""
    values: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for label, value in row.labels.items():
            values[label].add(value)
    first = [label for label in ("client", "surface", "region") if label in values]
    rest = sorted(set(values) - set(first))
    worth = [label for label in [*first, *rest] if label in first or 1 < len(values[label]) <= MAX_STRATA]
    return worth[:MAX_LABELS]


def _strata(rows: Sequence[TurnRow], label: str, bands: Sequence[str]) -> tuple[Stratum, ...]:
    groups: dict[str, list[TurnRow]] = defaultdict(list)
    for row in rows:
        groups[row.labels.get(label, NO_LABEL)].append(row)
    order = sorted(groups, key=lambda value: (-len(groups[value]), value))
    shown, rest = (order, []) if len(order) <= MAX_STRATA else (order[: MAX_STRATA - 1], order[MAX_STRATA - 1 :])
    strata = [_stratum(value, groups[value], bands) for value in shown]
    if rest:
        others = [row for value in rest for row in groups[value]]
        strata.append(_stratum(f"({len(rest)} other values)", others, bands))
    return tuple(strata)


def _stratum(value: str, rows: Sequence[TurnRow], bands: Sequence[str]) -> Stratum:
    counts = {band: sum(row.score.band == band for row in rows) for band in bands}
    scored = [row for row in rows if row.score.score is not None]
    best = estimate_share(scored, lambda row: row.score.band == bands[0])
    return Stratum(value, len(rows), len(scored), estimate_mean(rows), counts, best)
