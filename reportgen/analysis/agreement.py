"""The judge's categorical verdict against the band that the arithmetic gave: a cross-check, never an input."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.rows import TurnRow


@dataclass(frozen=True, slots=True)
class Agreement:
    """`table[verdict][band]` counts scored turns; `disagreements` are the ids of those off the diagonal."""

    turns: int
    agreeing: int
    table: dict[str, dict[str, int]]
    disagreements: tuple[str, ...]


def build_agreement(rows: Sequence[TurnRow], bands: Sequence[str]) -> Agreement:
    """Counts of verdict against band over the scored turns."""
    scored = [row for row in rows if row.score.verdict is not None]
    pairs: Counter[tuple[str | None, str | None]] = Counter((row.score.verdict, row.score.band) for row in scored)
    words = [*bands, *sorted({row.score.verdict or "" for row in scored} - set(bands))]
    table = {word: {band: pairs[word, band] for band in bands} for word in words}
    apart = tuple(row.id for row in scored if not row.score.agrees)
    return Agreement(len(scored), len(scored) - len(apart), table, apart)
