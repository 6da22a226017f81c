"""What became of single turns: how many got better or worse, which band they went to, which moved most."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.comparison.sides import Sides, keep_measured, score_of
from reportgen.model.revision import BaselineTurn
from reportgen.record import Exact

MOVERS = 10


@dataclass(frozen=True, slots=True)
class Movement:
    """How many of the turns with both scores improved, worsened, or kept their score.

    `lost` were scored in the baseline and are not now, `gained` the reverse; `neither` has no score in either run.
    """

    improved: int
    worsened: int
    unchanged: int
    lost: int
    gained: int
    neither: int


@dataclass(frozen=True, slots=True)
class Transition:
    """How many turns were in one band in the baseline and are in another, or the same, now."""

    before: str
    after: str
    turns: int


@dataclass(frozen=True, slots=True)
class Mover:
    """A turn whose score moved far, with both scores and both bands."""

    turn: str
    before: Exact
    after: Exact
    band_before: str | None
    band_after: str | None


def count_movements(sides: Sides) -> Movement:
    """How single turns moved; of paired sides only."""
    pairs = [(one.score, other.score) for one, other in zip(sides.before, sides.after, strict=True)]
    both = [(one, other) for one, other in pairs if one is not None and other is not None]
    return Movement(
        improved=sum(other > one for one, other in both),
        worsened=sum(other < one for one, other in both),
        unchanged=sum(other == one for one, other in both),
        lost=sum(one is not None and other is None for one, other in pairs),
        gained=sum(one is None and other is not None for one, other in pairs),
        neither=pairs.count((None, None)),
    )


def count_transitions(sides: Sides, bands: Sequence[str]) -> tuple[Transition, ...]:
    """From each band to each, also those of which there is none; of paired sides only.

    Args:
        sides: The turns of both runs.
        bands: The ids of the bands, highest first.
    """
    pairs = Counter((one.band, other.band) for one, other in zip(sides.before, sides.after, strict=True))
    return tuple(Transition(before, after, pairs[before, after]) for before in bands for after in bands)


def find_movers(sides: Sides) -> tuple[Mover, ...]:
    """The turns that moved most, up to ten, in either direction; ties in the order of this run."""
    scored = keep_measured(sides, score_of)
    movers = [_mover(one, other) for one, other in zip(scored.before, scored.after, strict=True)]
    moved = [mover for mover in movers if mover.after != mover.before]
    return tuple(sorted(moved, key=lambda mover: -abs(mover.after - mover.before))[:MOVERS])


def _mover(one: BaselineTurn, other: BaselineTurn) -> Mover:
    assert one.score is not None
    assert other.score is not None
    return Mover(other.id, one.score, other.score, one.band, other.band)
