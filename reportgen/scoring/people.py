"""What people's subscores come to by the arithmetic of the rubric."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from reportgen.model.rubric import Rubric
from reportgen.scoring.composite import cap_score, raw_score


def score_people(
    subscores: Mapping[str, Fraction | None], rubric: Rubric, ceilings: Sequence[int], inapplicable: Collection[str]
) -> Fraction | None:
    """The score of a turn, 0 to 100, by one person's subscores; None where one is missing or no dimension applies.

    A dimension that does not apply by the facts of the turn, or that the person found not applicable, renormalises
    the weights of the others.

    Args:
        subscores: What the person gave; None says that a dimension does not apply.
        rubric: What to score by.
        ceilings: Those of the caps that hold for the turn.
        inapplicable: The dimensions that the facts of the turn take out.
    """
    weighed: list[tuple[int, Fraction | None]] = []
    for dimension in rubric.dimensions:
        if dimension.id in inapplicable:
            weighed.append((dimension.weight, None))
        elif dimension.id not in subscores:
            return None
        else:
            weighed.append((dimension.weight, subscores[dimension.id]))
    if all(value is None for _, value in weighed):
        return None
    return cap_score(raw_score(weighed, rubric.scale.maximum), ceilings)
