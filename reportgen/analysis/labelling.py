"""Which turns people are asked to label: strata by band and labels, how many of each, and which come first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import stdev

from reportgen.analysis.drawing import allocate, place_of
from reportgen.model.verdict import Category

AT_LEAST = 10
"""So many turns of each stratum are drawn, if it has them; a cell with fewer turns is merged with others."""
BY_DEFAULT = ("surface", "client")
"""The labels by which strata are told apart beside the band, where turns bear them."""

Cell = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that may be drawn: its score, 0 to 100, the band of it, and its labels."""

    turn: str
    score: Fraction
    band: Category
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stratum:
    """The turns of one band and of some cells: combinations of the values of labels, None for a turn without one."""

    band: Category
    cells: tuple[Cell, ...]
    members: tuple[Candidate, ...]

    @property
    def spread(self) -> float | None:
        """The standard deviation of the scores; None for a single turn."""
        return stdev(float(item.score) for item in self.members) if len(self.members) > 1 else None


@dataclass(frozen=True, slots=True)
class Part:
    """A stratum with the turns that were drawn from it, in the order of the draw."""

    stratum: Stratum
    drawn: tuple[str, ...]


def find_labels(candidates: Sequence[Candidate], wanted: int) -> tuple[str, ...]:
    """The labels by which to stratify where nobody says: as many of the usual ones as leave room for each stratum.

    That is, the last is left out for as long as ten turns of each stratum, or all that it has, are more than `wanted`.
    """
    names = tuple(name for name in BY_DEFAULT if any(name in item.labels for item in candidates))
    while names and sum(min(len(item.members), AT_LEAST) for item in stratify(candidates, names)) > wanted:
        names = names[:-1]
    return names


def stratify(candidates: Iterable[Candidate], labels: Sequence[str]) -> list[Stratum]:
    """The strata: each band, the highest first, by the values of the labels, small cells merged.

    Cells of fewer than ten turns are merged with one another: first those that differ in the last label alone, then
    those that differ in the last two, and so on. What still has fewer than ten goes to the smallest stratum beside it.
    Bands are never merged.
    """
    bands: dict[Category, dict[Cell, list[Candidate]]] = {"good": {}, "partial": {}, "poor": {}}
    for item in candidates:
        cell = tuple(item.labels.get(name) for name in labels)
        bands[item.band].setdefault(cell, []).append(item)
    return [stratum for band, cells in bands.items() if cells for stratum in _merge(band, cells, 0)]


def draw_labelled(strata: Sequence[Stratum], wanted: int, seed: str) -> list[Part]:
    """Which turns of each stratum are to be labelled.

    Ten of each, or all where there are fewer; the rest by Neyman, in proportion to size times spread of the scores,
    placed by the divisors of Sainte-Laguë. Where ten of each are too many, each stratum has the same number as far as
    it has so many. Within a stratum turns come in the order of the SHA-256 of seed and id; so a larger number keeps
    all picks of a smaller one by the same strata.

    Cochran, Sampling Techniques, 3rd ed. 1977, section 5.5.

    Args:
        strata: As `stratify` gives them.
        wanted: How many turns in all; all of them where there are no more.
        seed: Another seed draws other turns.
    """
    numbers = range(len(strata))
    sizes = {number: len(strata[number].members) for number in numbers}
    weights = {number: sizes[number] * Fraction(strata[number].spread or 0) for number in numbers}
    counts = allocate(sizes, wanted, AT_LEAST, weights if any(weights.values()) else None)
    return [Part(stratum, _first(stratum, counts[number], seed)) for number, stratum in enumerate(strata)]


def _first(stratum: Stratum, count: int, seed: str) -> tuple[str, ...]:
    return tuple(sorted((item.turn for item in stratum.members), key=lambda turn: place_of(seed, turn))[:count])


def _merge(band: Category, cells: Mapping[Cell, list[Candidate]], depth: int) -> list[Stratum]:
    """The strata of cells that share their values up to a label; a stratum that is too small is the only one."""
    if depth == len(next(iter(cells))):
        return [Stratum(band, (cell,), tuple(members)) for cell, members in cells.items()]
    by_value: dict[str | None, dict[Cell, list[Candidate]]] = defaultdict(dict)
    for cell, members in cells.items():
        by_value[cell[depth]][cell] = members
    parts = [part for value in sorted(by_value, key=_order) for part in _merge(band, by_value[value], depth + 1)]
    small = [part for part in parts if len(part.members) < AT_LEAST]
    whole = [part for part in parts if len(part.members) >= AT_LEAST]
    return _join_rest(whole, small)


def _order(value: str | None) -> tuple[bool, str]:
    """Values by name, a missing one last."""
    return value is None, value or ""


def _join_rest(whole: list[Stratum], small: list[Stratum]) -> list[Stratum]:
    """The strata with the small ones joined, and these with the smallest of the others if they are still too small."""
    if not small:
        return whole
    rest = _join(small)
    if len(rest.members) >= AT_LEAST or not whole:
        return [*whole, rest]
    smallest = min(range(len(whole)), key=lambda place: len(whole[place].members))
    return [*whole[:smallest], _join([whole[smallest], rest]), *whole[smallest + 1 :]]


def _join(parts: Sequence[Stratum]) -> Stratum:
    cells = tuple(cell for part in parts for cell in part.cells)
    return Stratum(parts[0].band, cells, tuple(item for part in parts for item in part.members))
