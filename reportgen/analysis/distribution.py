"""How the scores are spread."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from reportgen.analysis.rows import TurnRow

WIDTH = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores from `low` up to, not including, `high`; the last bin holds exactly 100 and has both equal.

    `bands` counts by band the scores in it, where there are any; the edge of a band may run through a bin.
    """

    low: int
    high: int
    count: int
    bands: dict[str, int]


def build_distribution(rows: Sequence[TurnRow]) -> tuple[Bin, ...]:
    """Ten bins of ten points, and one for the scores of exactly 100."""
    steps: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.score.score is not None and row.score.band is not None:
            steps[floor(row.score.score / WIDTH)][row.score.band] += 1
    last = 100 // WIDTH
    return tuple(
        Bin(step * WIDTH, min(step * WIDTH + WIDTH, 100), steps[step].total(), dict(sorted(steps[step].items())))
        for step in range(last + 1)
    )
