"""Drawing some turns of many: by strata, without chance, and so that a larger draw keeps the smaller one."""

import heapq
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import TypeVar

from reportgen.model.run import Manifest
from reportgen.model.turn import Turn

_Stratum = TypeVar("_Stratum", bound=Hashable)


def draw_turns(seed: str, turns: Iterable[tuple[str, Hashable]], wanted: int) -> frozenset[str]:
    """So many turns, spread over their strata.

    Within a stratum turns come in the order of the SHA-256 of seed and id. Each stratum gets one turn first, the
    largest stratum before the others; the rest goes to the strata in proportion to their sizes, by the divisors of
    Sainte-Laguë. Since each pick only depends on those before it, a larger number keeps all picks of a smaller one.

    >>> ten = [(str(number), number % 2) for number in range(10)]
    >>> draw_turns("s", ten, 3) < draw_turns("s", ten, 4)
    True

    Args:
        seed: Another seed draws other turns.
        turns: The id of each turn with its stratum.
        wanted: How many; all of them where there are no more.
    """
    strata: dict[Hashable, list[str]] = defaultdict(list)
    for turn, stratum in turns:
        strata[stratum].append(turn)
    places = [place for members in strata.values() for place in _places(seed, members)]
    return frozenset(turn for _, turn in sorted(places)[:wanted])


def allocate(
    sizes: Mapping[_Stratum, int], budget: int, at_least: int = 2, weights: Mapping[_Stratum, Fraction] | None = None
) -> dict[_Stratum, int]:
    """How many to draw of each stratum: a few of each, so that its spread can be told, the rest in proportion.

    The divisors of Sainte-Laguë place the rest, and no stratum gives more than it has. Within the budget, a larger one
    takes nothing back. Where the budget is too small for the few, each stratum has as many as any other that has them.

    >>> allocate({"a": 900, "b": 90, "c": 1}, 100)
    {'a': 90, 'b': 9, 'c': 1}
    >>> allocate({"a": 50, "b": 50, "c": 5}, 60, 10, {"a": Fraction(50), "b": Fraction(200), "c": Fraction(0)})
    {'a': 11, 'b': 44, 'c': 5}

    Args:
        sizes: How many there are in each stratum, at least one.
        budget: How many to draw in all; all of them where there are no more.
        at_least: How many of each, where it has so many and the budget allows for one of each and then some.
        weights: What the rest is in proportion to, the sizes if not given; a stratum of weight 0 comes last.
    """
    drawn = dict.fromkeys(sizes, 0)
    shares = weights or {stratum: Fraction(size) for stratum, size in sizes.items()}
    waiting = [(_when(0, shares[stratum], at_least), number, stratum) for number, stratum in enumerate(sizes)]
    heapq.heapify(waiting)
    for _ in range(min(budget, sum(sizes.values()))):
        _, number, stratum = waiting[0]
        drawn[stratum] += 1
        if drawn[stratum] < sizes[stratum]:
            heapq.heapreplace(waiting, (_when(drawn[stratum], shares[stratum], at_least), number, stratum))
        else:
            heapq.heappop(waiting)
    return drawn


def _when(rank: int, weight: Fraction, at_least: int) -> tuple[int, Fraction, Fraction]:
    """When a stratum of that weight gives the member of that rank, counted from 0."""
    if rank < at_least:
        return 0, Fraction(rank), -weight
    return (1, (2 * rank + 1) / weight, -weight) if weight else (2, Fraction(rank), -weight)


def place_of(seed: str, turn: str) -> str:
    """Where a turn comes in the order of its stratum: the SHA-256 of seed and id, which no later turn changes."""
    return sha256(f"{seed}\n{turn}".encode("utf-8", "surrogatepass")).hexdigest()


def stratum_of(labels: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The stratum that turns are drawn from: client and surface."""
    return labels.get("client"), labels.get("surface")


def draw_repeated(manifest: Manifest, turns: Iterable[Turn]) -> frozenset[str]:
    """The turns of a run that the judge is asked about several times."""
    if manifest.repeats is None:
        return frozenset()
    places = ((turn.id, stratum_of(turn.labels)) for turn in turns)
    return draw_turns(manifest.seed or "", places, manifest.repeats.turns)


def _places(seed: str, members: list[str]) -> Iterable[tuple[tuple[int, Fraction, str], str]]:
    """For each member of a stratum when it is its turn to be picked, and the member."""
    size = len(members)
    keyed = sorted((place_of(seed, turn), turn) for turn in members)
    for rank, (key, turn) in enumerate(keyed):
        yield (0, Fraction(-size), key) if rank == 0 else (1, Fraction(2 * rank + 1, size), key), turn
