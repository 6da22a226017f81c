"""What other weights would change: each weight moved by five points down, not at all, or up, in all combinations.

The weighted mean of a turn is a quotient of two sums that are linear in the weights, so along each weight it only rises
or only falls; so does what a ceiling leaves of it. Its extremes over the whole box of weights therefore lie at corners,
which are among the settings: what is said of single turns holds for all weights in the box. What is said of means and
orders holds for the settings, since sums of such quotients may turn in between.

To vary the weights together follows Saisana, Saltelli and Tarantola (2005) and the handbook of OECD and JRC (2008).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from reportgen.analysis.orders import OrderCheck, check_orders
from reportgen.analysis.reweighing import WholeTurns, to_whole
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.strata import Breakdown, group_strata
from reportgen.model.rubric import Rubric
from reportgen.record import Exact

STEP = 5
"""Percentage points by which each weight is moved."""
MOST_DIMENSIONS = 6
"""Of more dimensions there are too many settings to go through all."""


@dataclass(frozen=True, slots=True)
class WeightSensitivity:
    """How far the figures of a run would move with other weights.

    A turn moves by the largest distance of its score from that by the rubric's weights, in points; `largest` and
    `median` are over the scored turns. `band_changes` counts those that some weights in the box put into another
    band. `mean_low` and `mean_high` bound the mean score over the settings. Where there is no figure, `undefined`
    says why.
    """

    step: int
    settings: int
    largest: Exact | None = None
    median: Exact | None = None
    band_changes: int | None = None
    mean_low: Exact | None = None
    mean_high: Exact | None = None
    orders: tuple[OrderCheck, ...] = ()
    undefined: str | None = None


def measure_sensitivity(rows: Sequence[TurnRow], rubric: Rubric, breakdowns: Sequence[Breakdown]) -> WeightSensitivity:
    """Scores all turns again by each setting of the weights, with caps and what does not apply as they are.

    Args:
        rows: The turns.
        rubric: Whose weights are moved.
        breakdowns: The strata of these turns whose order is checked.
    """
    if len(rubric.dimensions) > MOST_DIMENSIONS:
        why = f"a rubric of more than {MOST_DIMENSIONS} dimensions has too many settings"
        return WeightSensitivity(STEP, 0, undefined=why)
    settings = list_settings(rubric)
    scored = [row for row in rows if row.score.score is not None]
    if not scored:
        return WeightSensitivity(STEP, len(settings), undefined="no turn was scored")
    return _go_through(
        to_whole(scored, rubric, settings), rubric, settings, breakdowns, _place_strata(rows, breakdowns)
    )


def list_settings(rubric: Rubric) -> list[tuple[int, ...]]:
    """All combinations of moved weights, none below 1.

    They need not sum to 100, since scoring divides by their sum.
    """
    weights = [dimension.weight for dimension in rubric.dimensions]
    return list(product(*((max(1, weight - STEP), weight, weight + STEP) for weight in weights)))


def _go_through(
    turns: WholeTurns,
    rubric: Rubric,
    settings: Sequence[Sequence[int]],
    breakdowns: Sequence[Breakdown],
    places: Sequence[Sequence[Sequence[int]]],
) -> WeightSensitivity:
    import numpy as np

    base = turns.score([dimension.weight for dimension in rubric.dimensions])
    moved, changed, totals = base - base, np.zeros(len(base), dtype=bool), []
    strata = [[np.array(there, dtype=np.intp) for there in groups] for groups in places]
    sums: list[list[list[int]]] = [[] for _ in breakdowns]
    for weights in settings:
        scores = turns.score(weights)
        moved = np.maximum(moved, abs(scores - base))
        changed |= turns.find_bands(scores) != turns.find_bands(base)
        totals.append(int(scores.sum()))
        for lines, groups in zip(sums, strata, strict=True):
            lines.append([int(scores[there].sum()) for there in groups])
    moves = sorted(moved.tolist())
    middle = moves[(len(moves) - 1) // 2] + moves[len(moves) // 2]
    return WeightSensitivity(
        step=STEP,
        settings=len(settings),
        largest=Fraction(moves[-1], turns.unit),
        median=Fraction(middle, 2 * turns.unit),
        band_changes=int(changed.sum()),
        mean_low=Fraction(min(totals), turns.unit * len(moves)),
        mean_high=Fraction(max(totals), turns.unit * len(moves)),
        orders=tuple(check_orders(item, lines) for item, lines in zip(breakdowns, sums, strict=True)),
    )


def _place_strata(rows: Sequence[TurnRow], breakdowns: Sequence[Breakdown]) -> list[list[list[int]]]:
    """For each stratum of each breakdown the places of its turns among the scored ones."""
    scored = [place for place, row in enumerate(rows) if row.score.score is not None]
    order = {place: number for number, place in enumerate(scored)}
    return [
        [[order[place] for place in places if place in order] for places in group_strata(rows, item.label).values()]
        for item in breakdowns
    ]
