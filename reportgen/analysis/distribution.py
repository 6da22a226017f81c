"""How the scores are spread, and how far they tell turns apart."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from reportgen.analysis.estimates import estimate_median, estimate_share
from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Estimate
from reportgen.record import Exact

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


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """How far scores tell turns apart.

    `distinct` counts different scores. `mode` is the most frequent one, of several the highest, None without any
    score; `at_mode` is the share of the scored turns that have it, 0 to 1.
    """

    median: Estimate
    distinct: int
    mode: Exact | None
    at_mode: Estimate


def build_score_facts(rows: Sequence[TurnRow]) -> ScoreFacts:
    """Median, most frequent score and number of different scores of the scored turns."""
    scored = [row for row in rows if row.score.score is not None]
    counts = Counter(row.score.score for row in scored if row.score.score is not None)
    mode = max(counts, key=lambda score: (counts[score], score), default=None)
    at_mode = estimate_share(scored, lambda row: row.score.score == mode)
    return ScoreFacts(estimate_median(rows), len(counts), mode, at_mode)


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
