"""Ratings without a run: a judge against one person, or against the majority of all others."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.calibration.agreement import (
    CategoryAgreement,
    ValueAgreement,
    compare_categories,
    compare_values,
)
from reportgen.analysis.calibration.ceiling import Ceiling, measure_ceiling
from reportgen.record import write_exact

MAJORITY = "majority of the others"
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})([eE][+-]?0{0,2}[0-9])?")


@dataclass(frozen=True, slots=True)
class Rating:
    """What a rater said of a thing, as it came."""

    unit: str
    rater: str
    value: str


@dataclass(frozen=True, slots=True)
class RatingsOrder:
    """What is to be compared.

    `reference` is a rater, or None for the majority of all raters but the judge. `scale` are the categories, lowest
    first; `ordered` is False where their order means nothing. `not_applicable` are values that say that nothing was to
    be rated.
    """

    judge: str
    reference: str | None
    scale: tuple[str, ...]
    not_applicable: tuple[str, ...] = ()
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class RatingsAgreement:
    """How far a judge agrees with the reference.

    `not_applicable` and `off_scale` count what was left out, by rater and then by value. `no_majority` counts things on
    which the others are split. `only_judge` and `only_reference` are rated by one side only, once all that is left out
    is gone. `values` is None where categories are no numbers, or have no order.
    """

    judge: str
    reference: str
    scale: tuple[str, ...]
    ordered: bool
    units: int
    both: int
    only_judge: int
    only_reference: int
    no_majority: int
    not_applicable: dict[str, dict[str, int]]
    off_scale: dict[str, dict[str, int]]
    categories: CategoryAgreement
    values: ValueAgreement | None
    ceiling: Ceiling | None


def plain_value(text: str) -> str:
    """A value as it is told from others: numbers by their size, so that 3 and 3.0 are one.

    What is too long or too large to be a rating is not taken for a number, since 1e999999999 has so many digits.

    >>> plain_value(" 3.0 "), plain_value("Tie"), plain_value("1/2"), plain_value("1e999")
    ('3', 'Tie', '1/2', '1e999')
    """
    kept = text.strip()
    return write_exact(Fraction(kept)) if _NUMBER.fullmatch(kept) else kept


def compare_ratings(ratings: Iterable[Rating], order: RatingsOrder) -> RatingsAgreement:
    """Joins what two said on the thing that they said it of, and measures how far they agree.

    Args:
        ratings: In any order; nobody rates a thing twice.
        order: What is to be compared.
    """
    kept, left = _sort_out(ratings, order)
    judge = {unit: given[order.judge] for unit, given in kept.items() if order.judge in given}
    people = {unit: _without(given, order.judge) for unit, given in kept.items()}
    reference, split = _find_reference(people, order)
    both = sorted(judge.keys() & reference.keys())
    ones, others = [judge[unit] for unit in both], [reference[unit] for unit in both]
    return RatingsAgreement(
        judge=order.judge,
        reference=order.reference or MAJORITY,
        scale=order.scale,
        ordered=order.ordered,
        units=len(kept),
        both=len(both),
        only_judge=len(judge) - len(both),
        only_reference=len(reference) - len(both),
        no_majority=split,
        not_applicable=left.not_applicable,
        off_scale=left.off_scale,
        categories=compare_categories(ones, others, order.scale),
        values=_compare_numbers(ones, others, order),
        ceiling=measure_ceiling(people, order.scale, "ordinal" if order.ordered else "nominal"),
    )


@dataclass(frozen=True, slots=True)
class _Left:
    not_applicable: dict[str, dict[str, int]]
    off_scale: dict[str, dict[str, int]]


def _sort_out(ratings: Iterable[Rating], order: RatingsOrder) -> tuple[dict[str, dict[str, str]], _Left]:
    """The ratings on the scale, by thing and rater, and what was left out of those that are to be compared."""
    scale, absent = set(order.scale), set(order.not_applicable)
    kept: dict[str, dict[str, str]] = defaultdict(dict)
    counts: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = (defaultdict(Counter), defaultdict(Counter))
    for rating in ratings:
        own, value = kept[rating.unit], plain_value(rating.value)
        if value in scale and value not in absent:
            own[rating.rater] = value
        elif order.reference is None or rating.rater in {order.judge, order.reference}:
            counts[value not in absent][rating.rater][value] += 1
    plain = [{rater: dict(sorted(found.items())) for rater, found in sorted(count.items())} for count in counts]
    return kept, _Left(plain[0], plain[1])


def _without(given: Mapping[str, str], judge: str) -> dict[str, str]:
    return {rater: value for rater, value in given.items() if rater != judge}


def _find_reference(people: Mapping[str, Mapping[str, str]], order: RatingsOrder) -> tuple[dict[str, str], int]:
    """What the reference says of each thing, and on how many there is no majority."""
    if order.reference is not None:
        name = order.reference
        return {unit: given[name] for unit, given in people.items() if name in given}, 0
    found = {unit: _majority(given) for unit, given in people.items() if given}
    return {unit: value for unit, value in found.items() if value is not None}, list(found.values()).count(None)


def _majority(given: Mapping[str, str]) -> str | None:
    """The value that more gave than any other; None where two are given equally often."""
    ranked = Counter(given.values()).most_common(2)
    return None if len(ranked) > 1 and ranked[0][1] == ranked[1][1] else ranked[0][0]


def _compare_numbers(ones: list[str], others: list[str], order: RatingsOrder) -> ValueAgreement | None:
    if not (order.ordered and all(map(_is_number, order.scale))):
        return None
    numbers = {category: float(category) for category in order.scale}
    return compare_values([numbers[value] for value in ones], [numbers[value] for value in others])


def _is_number(category: str) -> bool:
    """Whether it is written as `plain_value` writes numbers, which may have more digits than one that comes in."""
    return re.fullmatch(r"-?[0-9]{1,30}(\.[0-9]{1,30})?", category) is not None
