"""Many comparisons at once: p-values corrected for how many there are.

None stands for a comparison that could not be made. It stays None and does not count as one.
"""

from collections.abc import Sequence


def adjust_holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm (1979): the chance of even one false alarm in the family stays at the level that they are compared with.

    >>> adjust_holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]

    Args:
        p_values: All comparisons of one family, in any order; it makes no assumption on how they depend on each other.
    """
    known = sorted((p_value, place) for place, p_value in enumerate(p_values) if p_value is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p_value, place) in enumerate(known):
        # Each times the number of those not smaller, and never less than the one before it.
        adjusted[place] = least = max(least, min(1.0, (len(known) - rank) * p_value))
    return adjusted
