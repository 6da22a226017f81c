"""Whether a stratum differs from all other turns, with the number of such questions taken into account."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.analysis.contrasts import Side, contrast_means, side_of
from reportgen.analysis.estimates import estimate_contrast, weights_of
from reportgen.analysis.multiplicity import adjust_holm
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.units import Units, choose_units, number_units
from reportgen.model.run import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL = 0.05
LEAST_POINTS = 2
"""A smaller difference is not marked, however sure it is."""


@dataclass(frozen=True, slots=True)
class AgainstRest:
    """The mean of a stratum minus that of all other scored turns.

    `p_value` is that of Welch's test, after Holm over the strata of the label, 0 to 1; None where there is no test.
    `differs` says that it is at most 0.05 and the difference is at least 2 points.
    """

    difference: Estimate
    p_value: float | None = None
    differs: bool = False


def contrast_strata(rows: Sequence[TurnRow], strata: Sequence[int]) -> tuple[AgainstRest, ...]:
    """Each stratum of a label against the turns that are not in it.

    Of two strata each is the rest of the other, which is one question and not two.

    Args:
        rows: The turns.
        strata: For each of them the number of its stratum, from 0 on, each at least once.
    """
    import numpy as np

    scores = [row.score.score for row in rows]
    scored = np.array([score is not None for score in scores], dtype=bool)
    values = np.array([float(score) for score in scores if score is not None])
    weights = weights_of([row for row in rows if row.score.score is not None])
    stand_for = None if weights is None else np.array(weights)
    units, numbers = number_units(rows).among(scored), np.asarray(strata, dtype=np.intp)[scored]
    count = max(strata, default=-1) + 1
    found = [_against_rest(_Scored(values, units, stand_for), numbers == stratum) for stratum in range(count)]
    plain = [p_value for _, p_value in found]
    adjusted = plain if len(plain) == 2 else adjust_holm(plain)
    return tuple(_judge(estimate, p_value) for (estimate, _), p_value in zip(found, adjusted, strict=True))


@dataclass(frozen=True, slots=True)
class _Scored:
    """The scored turns: scores, what they depend on one another by, and how many turns each stands for."""

    values: "NDArray[np.float64]"
    units: Units
    weights: "NDArray[np.float64] | None"

    def side(self, chosen: "NDArray[np.bool_]") -> Side | None:
        weights = None if self.weights is None else self.weights[chosen]
        return side_of(self.values[chosen], choose_units(self.units.among(chosen))[1], weights)


def _against_rest(scored: _Scored, inside: "NDArray[np.bool_]") -> tuple[Estimate, float | None]:
    one, rest, count = scored.side(inside), scored.side(~inside), int(inside.sum())
    if one is None or rest is None:
        why = "no turn was scored" if one is None else "no other turn was scored"
        return Estimate(n=count, undefined=why), None
    contrast = contrast_means(one, rest)
    return estimate_contrast(contrast, count), contrast.p_value


def _judge(difference: Estimate, p_value: float | None) -> AgainstRest:
    if p_value is None or difference.value is None:
        return AgainstRest(difference)
    return AgainstRest(difference, round(p_value, 6), p_value <= LEVEL and abs(difference.value) >= LEAST_POINTS)
