"""Scoring all turns of a run by other weights at once, in whole numbers, so that nothing is rounded.

Every score by every setting of the weights is a whole multiple of one small unit, the same for all of them. It is the
arithmetic of `scoring.composite`; a test holds the two against each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

from reportgen.analysis.rows import TurnRow
from reportgen.model.rubric import Rubric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[Any]
    """Whole numbers: of 64 bits where they fit, else of any size."""

_FITS = 2**62
"""The sum of all scores, in units, must stay below it."""


@dataclass(frozen=True, slots=True)
class WholeTurns:
    """The scored turns of a run in whole numbers; 100 points are 100 times `unit`.

    `subscores` has a line for each dimension, in parts of which the scale has `maximum`, 0 where it does not apply;
    `applies` is 1 where it does. `ceilings` are the lowest of the caps that hold, 100 where none does, and `edges`
    those of the bands, ascending, both in units.
    """

    unit: int
    maximum: int
    subscores: "Whole"
    applies: "Whole"
    ceilings: "Whole"
    edges: "Whole"

    def score(self, weights: Sequence[int]) -> "Whole":
        """The score of each turn by these weights, in units."""
        import numpy as np

        line = np.array(weights, dtype=self.subscores.dtype)
        factor = self.unit // (self.maximum * (line @ self.applies))
        scores: Whole = np.minimum(100 * (line @ self.subscores) * factor, self.ceilings)
        return scores

    def find_bands(self, scores: "Whole") -> "Whole":
        """The number of the band of each score, counted from the lowest."""
        import numpy as np

        bands: Whole = np.searchsorted(self.edges, scores, side="right")
        return bands


def to_whole(rows: Sequence[TurnRow], rubric: Rubric, settings: Sequence[Sequence[int]]) -> WholeTurns:
    """Scored turns in whole numbers that suit all these settings of the weights.

    Args:
        rows: Scored turns, at least one.
        rubric: Its scale and its bands.
        settings: Weights, one for each dimension, each above 0.
    """
    import numpy as np

    used = [[item.used for item in row.score.subscores] for row in rows]
    parts = lcm(*{value.denominator for line in used for value in line if value is not None})
    maximum = parts * rubric.scale.maximum
    applies = np.array([[value is not None for value in line] for line in used], dtype=np.int64).T
    unit = maximum * lcm(*_find_totals(applies, settings))
    kind = np.int64 if 100 * unit * len(rows) < _FITS else object
    return WholeTurns(
        unit=unit,
        maximum=maximum,
        subscores=np.array([[int(parts * (value or 0)) for value in line] for line in used], dtype=kind).T,
        applies=applies.astype(kind),
        ceilings=np.array([unit * min([100, *(cap.ceiling for cap in row.score.caps)]) for row in rows], dtype=kind),
        edges=np.array(sorted(unit * band.at_least for band in rubric.bands), dtype=kind),
    )


def _find_totals(applies: "Whole", settings: Sequence[Sequence[int]]) -> set[int]:
    """Every sum of weights that some turn is divided by in some setting."""
    import numpy as np

    return {int(total) for total in np.unique(np.array(settings) @ np.unique(applies, axis=1))}
