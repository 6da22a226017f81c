"""How far people agree among themselves: what can be asked of a judge at most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from reportgen.analysis.calibration.coefficients import Coefficient, to_stored
from reportgen.analysis.calibration.kappa import measure_kappa
from reportgen.analysis.calibration.many_raters import Metric, measure_alpha

Ratings = Mapping[str, Mapping[str, str]]
"""For each thing that was rated the category that each rater gave it."""


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two people's plain kappa over what both rated."""

    one: str
    other: str
    kappa: Coefficient


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Agreement of people among themselves, over what at least two of them rated.

    `kappa` is the mean of the pairs' kappas, each with the weight of what both rated; with one pair it is that pair's,
    and has its interval. None where no pair has one.
    """

    raters: tuple[str, ...]
    units: int
    kappa: float | None
    alpha: Coefficient
    pairs: tuple[RaterPair, ...]


def measure_ceiling(ratings: Ratings, categories: Sequence[str], metric: Metric) -> Ceiling | None:
    """The agreement of people among themselves; None where nothing was rated by two of them.

    Args:
        ratings: Of people only.
        categories: All categories, lowest first.
        metric: Of Krippendorff's alpha.
    """
    twice = {unit: given for unit, given in ratings.items() if len(given) > 1}
    if not twice:
        return None
    raters = tuple(sorted({rater for given in twice.values() for rater in given}))
    place = {category: float(number) for number, category in enumerate(categories)}
    units = [[place[value] for value in given.values()] for given in twice.values()]
    pairs = tuple(pair for one, other in combinations(raters, 2) if (pair := _pair(one, other, twice, categories)))
    known = [(pair.kappa.value, pair.kappa.n) for pair in pairs if pair.kappa.value is not None]
    total = sum(n for _, n in known)
    mean = sum(value * n for value, n in known) / total if total else None
    return Ceiling(raters, len(twice), to_stored(mean), measure_alpha(units, metric).rounded(), pairs)


def _pair(one: str, other: str, ratings: Ratings, categories: Sequence[str]) -> RaterPair | None:
    both = [(given[one], given[other]) for given in ratings.values() if one in given and other in given]
    if not both:
        return None
    kappa = measure_kappa([first for first, _ in both], [second for _, second in both], categories)
    return RaterPair(one, other, kappa.rounded())
