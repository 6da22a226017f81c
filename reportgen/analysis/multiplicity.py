"""Many comparisons at once: p-values corrected for how many there are.

None stands for a comparison that could not be made. It stays None and does not count as one.
"""

from collections.abc import Callable, Sequence


def adjust_holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm (1979): the chance of even one false alarm in the family stays at the level that they are compared with.

    >>> adjust_holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]

    Args:
        p_values: All comparisons of one family, in any order; it makes no assumption on how they depend on each other.
    """
    return _adjust(p_values, _step_down)


def adjust_benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg (1995): the expected share of false alarms among the alarms stays at the level.

    >>> adjust_benjamini_hochberg([0.01, None, 0.04, 0.03])
    [0.03, None, 0.04, 0.04]

    Args:
        p_values: All comparisons of one family, in any order; they are taken as independent or positively dependent.
    """
    return _adjust(p_values, _step_up)


def _step_down(ascending: list[float]) -> list[float]:
    """Each times the number of those not smaller, and never less than the one before it."""
    adjusted, least = [], 0.0
    for place, p_value in enumerate(ascending):
        least = max(least, min(1.0, (len(ascending) - place) * p_value))
        adjusted.append(least)
    return adjusted


def _step_up(ascending: list[float]) -> list[float]:
    """Each times the number of all over its rank, and never more than the one after it."""
    adjusted, most = [], 1.0
    for rank in range(len(ascending), 0, -1):
        most = min(most, len(ascending) * ascending[rank - 1] / rank)
        adjusted.append(most)
    return adjusted[::-1]


def _adjust(p_values: Sequence[float | None], rule: Callable[[list[float]], list[float]]) -> list[float | None]:
    known = sorted((p_value, place) for place, p_value in enumerate(p_values) if p_value is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    for (_, place), value in zip(known, rule([p_value for p_value, _ in known]), strict=True):
        adjusted[place] = value
    return adjusted
