"""Do people's verdicts on whole turns contradict the weights of the rubric? The weights are never changed by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal

from reportgen.analysis.calibration.coefficients import Coefficient, no_figure, straighten, to_stored
from reportgen.analysis.spread import number_clusters, spread_of_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

ReviewState = Literal["contradicted", "not-contradicted", "not-estimable"]

LEAST: Final = 50
"""Turns without which no weights are fitted."""
LEAST_TO_CONTRADICT: Final = 200
FOLDS: Final = 5
_HEAVY = 1e4
"""How much more than a turn it counts that the weights sum to 1."""
_COLLINEAR = 1e8


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn with no cap and a subscore of each dimension, 0 to 1, and what people made of it as a whole, 0 to 100.

    `cluster` is what it depends on others by.
    """

    cluster: str
    subscores: tuple[float, ...]
    overall: float


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """A dimension's weight in the rubric and as fitted, both as shares of 1, the latter with its interval."""

    dimension: str
    current: float
    fitted: Coefficient


@dataclass(frozen=True, slots=True)
class WeightReview:
    """Whether labels contradict the weights.

    `inflation` is the largest variance inflation factor of a dimension: from about 10 on the dimensions move together
    too much for their weights to be told apart. `error_current` and `error_fitted` are the root mean squared errors in
    points on turns that the weights were not fitted to; `gain` is how much lower the mean squared error is by the
    fitted ones, `gain_error` its standard error.
    """

    state: ReviewState
    reason: str
    turns: int
    clusters: int
    weights: tuple[FittedWeight, ...] = ()
    inflation: float | None = None
    error_current: float | None = None
    error_fitted: float | None = None
    gain: float | None = None
    gain_error: float | None = None


def review_weights(turns: Sequence[ReviewedTurn], current: dict[str, int]) -> WeightReview:
    """Fits weights of 0 or more that sum to 1 to people's verdicts on whole turns, and holds them against the rubric's.

    Least squares by Lawson and Hanson's NNLS, intervals by leaving out one cluster at a time, and five-fold
    cross-validation in which the SHA-256 of its cluster puts a turn in a fold. The rubric's weights are contradicted
    only where the fitted ones are better by more than one standard error on turns that they were not fitted to, with
    200 turns or more.

    Args:
        turns: Those with no cap, all dimensions, and a verdict on the whole.
        current: The weight of each dimension in the rubric.
    """
    import numpy as np

    clusters = len({turn.cluster for turn in turns})
    if len(turns) < LEAST:
        return _none(f"fewer than {LEAST} turns with all subscores and a verdict on the whole", turns)
    x = np.array([turn.subscores for turn in turns], dtype=float) * 100
    y = np.array([turn.overall for turn in turns], dtype=float)
    folds = np.array([fold_of(turn.cluster) for turn in turns])
    if clusters < FOLDS or len(set(folds.tolist())) < 2:
        return _none(f"fewer than {FOLDS} clusters of turns, or all in one fold", turns)
    inflation = inflate(x)
    if inflation is None:
        return _none("the dimensions are collinear: one is constant, or follows from others", turns)
    own = np.array(list(current.values()), dtype=float) / sum(current.values())
    numbers = number_clusters([turn.cluster for turn in turns])
    weights = _fit_with_intervals(x, y, numbers, current)
    before = (y - x @ own) ** 2
    after = (y - _predict_unseen(x, y, folds)) ** 2
    gain, spread = float((before - after).mean()), spread_of_mean(before - after, numbers)
    state, reason = _decide(gain, sqrt(spread.variance), len(turns))
    errors = (sqrt(float(before.mean())), sqrt(float(after.mean())), gain, sqrt(spread.variance))
    return WeightReview(
        state, reason, len(turns), clusters, weights, to_stored(inflation), *(to_stored(error) for error in errors)
    )


def fit_weights(x: "Matrix", y: "Matrix") -> "Matrix":
    """The weights of 0 or more that sum to 1 and come nearest.

    >>> import numpy as np
    >>> x = np.array([[100.0, 0.0], [0.0, 100.0], [50.0, 50.0]])
    >>> fit_weights(x, x @ np.array([0.3, 0.7])).round(6).tolist()
    [0.3, 0.7]
    """
    import numpy as np
    from scipy.optimize import nnls

    heavy = _HEAVY * float(np.abs(x).max() or 1.0)
    found: Matrix = nnls(np.vstack([x, np.full(x.shape[1], heavy)]), np.append(y, heavy))[0]
    return found / found.sum() if found.sum() > 0 else found


def inflate(x: "Matrix") -> float | None:
    """The largest variance inflation factor; None where a column is constant or follows from the others.

    >>> import numpy as np
    >>> inflate(np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]))
    1.0
    """
    import numpy as np

    centred = x - x.mean(0)
    spread = (centred**2).sum(0)
    if (spread <= 0).any():
        return None
    correlations = centred.T @ centred / np.sqrt(np.outer(spread, spread))
    if np.linalg.cond(correlations) > _COLLINEAR:
        return None
    return float(np.diag(np.linalg.inv(correlations)).max())


def fold_of(cluster: str) -> int:
    """The fold of a cluster, which follows from its name alone.

    >>> [fold_of(name) for name in ("a", "b", "c")]
    [0, 1, 0]
    """
    return int.from_bytes(sha256(cluster.encode()).digest()[:8]) % FOLDS


def _fit_with_intervals(
    x: "Matrix", y: "Matrix", numbers: "NDArray[np.intp]", current: dict[str, int]
) -> tuple[FittedWeight, ...]:
    """Delete-group jackknife: (G - 1)/G Σ (w_(g) - w_(·))², with t of G - 1 degrees of freedom."""
    import numpy as np

    count, fitted = int(numbers.max()) + 1, fit_weights(x, y)
    left = np.array([fit_weights(x[numbers != group], y[numbers != group]) for group in range(count)])
    errors = np.sqrt((count - 1) / count * ((left - left.mean(0)) ** 2).sum(0))
    total = sum(current.values())
    lines = zip(current.items(), fitted, errors, strict=True)
    return tuple(
        FittedWeight(name, weight / total, _within(straighten(float(value), float(error), len(y), count - 1)).rounded())
        for (name, weight), value, error in lines
    )


def _within(weight: Coefficient) -> Coefficient:
    """The interval of a weight, cut to 0 to 1."""
    if weight.value is None or weight.low is None or weight.high is None:
        return weight if weight.value is not None else no_figure(weight.n, "no fit")
    return Coefficient(weight.value, max(0.0, weight.low), min(1.0, weight.high), weight.n, weight.error)


def _predict_unseen(x: "Matrix", y: "Matrix", folds: "NDArray[np.intp]") -> "Matrix":
    """For each turn what the weights say that were fitted without its fold."""
    import numpy as np

    predicted = np.empty_like(y)
    for fold in set(folds.tolist()):
        own = folds == fold
        predicted[own] = x[own] @ fit_weights(x[~own], y[~own])
    return predicted


def _decide(gain: float, error: float, turns: int) -> tuple[ReviewState, str]:
    if gain <= error:
        return "not-contradicted", "other weights predict unseen turns no better than one standard error allows"
    if turns < LEAST_TO_CONTRADICT:
        return "not-contradicted", f"other weights predict better, but {LEAST_TO_CONTRADICT} turns are needed to say so"
    return "contradicted", "other weights predict unseen turns better by more than one standard error"


def _none(reason: str, turns: Sequence[ReviewedTurn]) -> WeightReview:
    return WeightReview("not-estimable", reason, len(turns), len({turn.cluster for turn in turns}))
