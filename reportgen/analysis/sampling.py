"""What a drawn sample stands for: how many captured turns of each stratum, and how many of them were drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.rows import TurnRow


@dataclass(frozen=True, slots=True)
class DrawnStratum:
    """A stratum of the draw: its values of the labels, None for a label that its turns do not bear, and its counts."""

    values: tuple[str | None, ...]
    population: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the turns of a run were drawn from a larger capture.

    `population` is how many captured turns there were, `drawn` how many of them the run holds. `source` is the SHA-256
    of the capture, None where it is withheld.
    """

    labels: tuple[str, ...]
    population: int
    drawn: int
    strata: tuple[DrawnStratum, ...]
    seed: str
    source: str | None


def measure_sampling(rows: Sequence[TurnRow]) -> Sampling | None:
    """What the turns of a run were drawn from; None where none was drawn."""
    drawn = [(row.drawn, row.labels) for row in rows if row.drawn is not None]
    if not drawn:
        return None
    first = drawn[0][0]
    strata = sorted(
        {
            DrawnStratum(tuple(labels.get(name) for name in item.strata), item.population, item.drawn)
            for item, labels in drawn
        },
        key=str,
    )
    return Sampling(
        first.strata,
        sum(stratum.population for stratum in strata),
        sum(stratum.drawn for stratum in strata),
        tuple(strata),
        first.seed,
        first.source,
    )
