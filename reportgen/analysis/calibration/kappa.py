"""Cohen's kappa, plain and weighted, of two who put the same turns into ordered categories."""

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Literal

from reportgen.analysis.calibration.coefficients import Coefficient, bend, from_jackknife, no_figure
from reportgen.analysis.calibration.design import Design

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float64]

Weighting = Literal["nominal", "linear", "quadratic"]

_ONE_CATEGORY = "only one category was used"


def weigh_agreement(size: int, weighting: Weighting) -> "Table":
    """How much each pair of categories agrees, 0 to 1, in the order of the categories.

    >>> weigh_agreement(3, "linear")[0].tolist(), weigh_agreement(3, "quadratic")[0].tolist()
    ([1.0, 0.5, 0.0], [1.0, 0.75, 0.0])
    """
    import numpy as np

    if weighting == "nominal" or size < 2:
        return np.eye(size)
    places = np.arange(size)
    apart = np.abs(places[:, None] - places[None, :]) / (size - 1)
    agreement: Table = 1.0 - apart ** (1 if weighting == "linear" else 2)
    return agreement


def cross(ones: Sequence[str], others: Sequence[str], categories: Sequence[str]) -> "Table":
    """How often one gave each category, by line, where the other gave each, by column.

    >>> cross(["a", "b", "b"], ["a", "a", "b"], ["a", "b"]).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return _Crossed(ones, others, categories).table()


class _Crossed:
    """Two categories of each turn, ready to be counted again and again with other weights."""

    def __init__(self, ones: Sequence[str], others: Sequence[str], categories: Sequence[str]) -> None:
        import numpy as np

        place = {category: number for number, category in enumerate(categories)}
        self._size = len(categories)
        pairs = [place[one] * self._size + place[other] for one, other in zip(ones, others, strict=True)]
        self._cells = np.array(pairs, dtype=np.intp)

    def table(self, weights: "NDArray[np.float64] | None" = None) -> "Table":
        """The counts, or the sums of weights."""
        import numpy as np

        flat = np.bincount(self._cells, weights=weights, minlength=self._size**2)
        return flat.reshape(self._size, self._size).astype(float)


def kappa_of(table: "Table", agreement: "Table") -> float | None:
    """Cohen's kappa (1960), weighted (1968): (po - pe) / (1 - pe); None where pe is 1.

    >>> import numpy as np
    >>> round(kappa_of(np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]]), np.eye(3)), 4)
    0.4915
    """
    total = table.sum()
    if total <= 0:
        return None
    shares = table / total
    seen = float((agreement * shares).sum())
    chance = float((agreement * (shares.sum(1)[:, None] * shares.sum(0)[None, :])).sum())
    return None if 1 - chance < 1e-12 else (seen - chance) / (1 - chance)


def kappa_error(table: "Table", agreement: "Table") -> float:
    """The standard error of kappa by Fleiss, Cohen and Everitt (1969), not under the hypothesis that it is 0.

    >>> import numpy as np
    >>> round(kappa_error(np.array([[0, 4, 1], [0, 8, 0], [0, 1, 5]]), np.eye(3)), 4)
    0.138
    """
    total = table.sum()
    shares = table / total
    lines, columns = shares.sum(1), shares.sum(0)
    seen = (agreement * shares).sum()
    chance = (agreement * (lines[:, None] * columns[None, :])).sum()
    means = (agreement @ columns)[:, None] + (lines @ agreement)[None, :]
    squares = (shares * (agreement * (1 - chance) - means * (1 - seen)) ** 2).sum()
    variance = (squares - (seen * chance - 2 * chance + seen) ** 2) / (total * (1 - chance) ** 4)
    return sqrt(max(0.0, float(variance)))


def measure_kappa(
    ones: Sequence[str],
    others: Sequence[str],
    categories: Sequence[str],
    weighting: Weighting = "nominal",
    design: Design | None = None,
) -> Coefficient:
    """Kappa with its interval, and the bound above which it lies with 95 % confidence.

    The interval is that of atanh(kappa), by the standard error of Fleiss, Cohen and Everitt, or with a design by the
    jackknife. Full agreement has no spread; its bounds are then those of the raw agreement by Clopper and Pearson.

    Args:
        ones: The category that one gave each turn.
        others: The category that the other gave it, in the same order.
        categories: All categories in their order, which the weighted forms depend on.
        weighting: How much categories that are near each other count as agreement.
        design: How the turns were drawn; None where each stands for itself.
    """
    n = len(ones)
    if not n:
        return no_figure(0, "no turn has both")
    agreement = weigh_agreement(len(categories), weighting)
    crossed = _Crossed(ones, others, categories)
    table = crossed.table(None if design is None else design.weights)
    value = kappa_of(table, agreement)
    if value is None:
        return no_figure(n, _ONE_CATEGORY)
    if all(one == other for one, other in zip(ones, others, strict=True)):
        return _agree_throughout(table, n)
    if len(set(ones)) == 1 or len(set(others)) == 1:
        return Coefficient(value, n=n, undefined="one side used one category only")
    if design is None:
        return bend(value, kappa_error(table, agreement), n)
    return from_jackknife(lambda weights: kappa_of(crossed.table(weights), agreement), design, _ONE_CATEGORY, bent=True)


def _agree_throughout(table: "Table", n: int) -> Coefficient:
    """Of n of n that agree, the least share that is not refuted is p^(1/n) (Clopper and Pearson 1934)."""
    shares = table / table.sum()
    chance = float((shares.sum(1) * shares.sum(0)).sum())
    low, least = ((p ** (1 / n) - chance) / (1 - chance) for p in (0.025, 0.05))
    return Coefficient(1.0, low, 1.0, n, None, least)
