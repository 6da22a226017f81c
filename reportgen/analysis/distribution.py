"""How the scores are spread."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from reportgen.analysis.rows import TurnRow

WIDTH = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores from `low` up to, not including, `high`; the last bin holds exactly 100 and has both equal."""

    low: int
    high: int
    count: int


def build_distribution(rows: Sequence[TurnRow]) -> tuple[Bin, ...]:
    """Ten bins of ten points, and one for the scores of exactly 100."""
    steps = Counter(floor(row.score.score / WIDTH) for row in rows if row.score.score is not None)
    bins = [Bin(step * WIDTH, step * WIDTH + WIDTH, steps[step]) for step in range(100 // WIDTH)]
    return (*bins, Bin(100, 100, steps[100 // WIDTH]))
