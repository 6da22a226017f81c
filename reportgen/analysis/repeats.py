"""Measures of how far repeated readings of the same things agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TypeVar

Groups = Sequence[Sequence[float]]
"""The readings of each thing, at least two of each."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Squares:
    """Sums of squares between and within groups, with how many groups and readings there are."""

    between: float
    within: float
    groups: int
    readings: int


def within_sd(groups: Groups) -> float | None:
    """The standard deviation of readings of the same thing, in their unit; None without any.

    The variances of all groups are pooled (Bland and Altman 1996): the sum of all squared deviations from the mean of
    their group, over the number of readings less the number of groups.

    >>> within_sd([[70, 80], [90, 90]])
    5.0
    """
    squares = _sum_squares(groups)
    return sqrt(squares.within / (squares.readings - squares.groups)) if groups else None


def repeatability(deviation: float) -> float:
    """How far two readings of the same thing differ at most in 95 of 100 cases: 1.96·√2·s_w (Bland and Altman 1986).

    >>> round(repeatability(5.0), 2)
    13.86
    """
    return 1.96 * sqrt(2) * deviation


def intraclass_correlation(groups: Groups) -> float | None:
    """ICC(1,1): which share of the variance of single readings is between things, at most 1; below 0 by chance only.

    Shrout and Fleiss (1979), with the mean group size of the analysis of variance where sizes differ. The example is
    theirs: six targets, four judges. None with fewer than two groups, or where all readings are equal.

    >>> ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(intraclass_correlation(ratings), 2)
    0.17
    """
    if len(groups) < 2:
        return None
    squares = _sum_squares(groups)
    if squares.between == squares.within == 0:
        return None
    size = (squares.readings - sum(len(group) ** 2 for group in groups) / squares.readings) / (squares.groups - 1)
    between = squares.between / (squares.groups - 1)
    within = squares.within / (squares.readings - squares.groups)
    return (between - within) / (between + (size - 1) * within)


def count_disagreements(group: Sequence[Value]) -> tuple[int, int]:
    """How many pairs of readings of one thing differ, and how many pairs there are.

    >>> count_disagreements(["good", "good", "poor"])
    (2, 3)
    """
    pairs = list(combinations(group, 2))
    return sum(one != other for one, other in pairs), len(pairs)


def _sum_squares(groups: Groups) -> _Squares:
    readings = sum(len(group) for group in groups)
    grand = sum(sum(group) for group in groups) / readings if readings else 0.0
    means = [sum(group) / len(group) for group in groups]
    between = sum(len(group) * (mean - grand) ** 2 for group, mean in zip(groups, means, strict=True))
    within = sum((value - mean) ** 2 for group, mean in zip(groups, means, strict=True) for value in group)
    return _Squares(between, within, len(groups), readings)
