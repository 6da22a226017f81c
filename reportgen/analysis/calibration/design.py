"""How labelled turns were drawn, and what that does to the spread of a figure."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.analysis.spread import number_clusters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

_GROUPS = 1_000
"""Groups of turns of a stratum that are left out one at a time; fewer turns are each a group."""


@dataclass(frozen=True, slots=True)
class Design:
    """For each labelled turn its stratum, as a number from 0 on, and how many turns of production it stands for."""

    strata: "NDArray[np.intp]"
    weights: "Vector"

    def among(self, chosen: "NDArray[np.bool_]") -> "Design":
        """Those of some turns."""
        return Design(self.strata[chosen], self.weights[chosen])

    def effective(self) -> float:
        """How many turns of equal weight would tell as much (Kish 1965).

        >>> build_design(["a", "a", "b"], [1, 1, 2]).effective()
        2.6666666666666665
        """
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())


@dataclass(frozen=True, slots=True)
class Jackknifed:
    """A variance, and the degrees of freedom behind it: turns less strata."""

    variance: float
    df: float


def build_design(strata: Sequence[Hashable], weights: Sequence[float]) -> Design:
    """A design; a stratum of one turn goes with the one that stands next to it, since alone it shows no spread.

    Args:
        strata: For each turn the stratum that it was drawn from.
        weights: For each turn how many turns it stands for, above 0.
    """
    import numpy as np

    numbers = number_clusters(strata)
    while len(counts := np.bincount(numbers)) > 1 and counts.min() == 1:
        alone = int(np.argmin(counts))
        numbers = np.where(numbers == alone, alone - 1 if alone else 1, numbers)
        numbers = np.unique(numbers, return_inverse=True)[1]
    return Design(numbers, np.asarray(weights, dtype=float))


def equal_design(n: int) -> Design:
    """The design of turns that were drawn alike."""
    return build_design([0] * n, [1.0] * n)


def jackknife(statistic: "Callable[[Vector], float | None]", design: Design) -> Jackknifed | None:
    """The variance of a figure by leaving out one turn at a time (Wolter 2007, section 4.5).

    The others of its stratum then stand for it too: Σ_h (n_h - 1)/n_h Σ_i (θ_(hi) - θ_(h))², with θ_(h) their mean. Of
    a mean of turns drawn alike it is s²/n. A stratum of more than a thousand turns is left out in a thousand groups of
    turns, and n_h counts these. None with one turn, or where the figure has no value without one of them.

    >>> import numpy as np
    >>> values = np.array([1.0, 2.0, 3.0, 4.0])
    >>> found = jackknife(lambda weights: float(np.average(values, weights=weights)), equal_design(4))
    >>> round(found.variance, 6), found.df
    (0.416667, 3.0)
    """
    import numpy as np

    variance, count = 0.0, 0
    if len(design.weights) < 2:
        return None
    for stratum in range(int(design.strata.max()) + 1):
        places = np.flatnonzero(design.strata == stratum)
        groups = [places[first::_GROUPS] for first in range(min(len(places), _GROUPS))]
        values = [_leave_out(statistic, design, places, group) for group in groups]
        known = np.array([value for value in values if value is not None])
        if len(known) < len(values):
            return None
        variance += (len(known) - 1) / len(known) * float(((known - known.mean()) ** 2).sum())
        count += len(known) - 1
    return Jackknifed(variance, float(count)) if count else None


def _leave_out(
    statistic: "Callable[[Vector], float | None]",
    design: Design,
    own: "NDArray[np.intp]",
    group: "NDArray[np.intp]",
) -> float | None:
    """The figure without a group of turns of a stratum, the rest of which stands for it too."""
    weights = design.weights.copy()
    weights[group] = 0.0
    rest = weights[own].sum()
    if rest <= 0:
        return None
    weights[own] *= design.weights[own].sum() / rest
    return statistic(weights)
