"""What follows from one result column: sums, means, shares, differences and ratios."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice

from reportgen.analysis.figure_check.direct import Match, find_rounded
from reportgen.analysis.figure_check.facts import Column, Facts, Place
from reportgen.analysis.figure_check.figures import Figure, Reading
from reportgen.analysis.figure_check.shelves import Number, Shelf, Value, exact, total

PAIR_CELLS = 30
"""Differences and ratios are formed in columns of at most so many numbers; of more, almost any number is one."""

PAIRS = 20_000
"""Of a turn, so many differences and so many ratios are formed, in the order of its columns."""

SHARE_CELLS = 200
"""Shares are formed in columns of at most so many numbers."""


@dataclass(frozen=True, slots=True)
class Follows:
    """Where a derived number comes from."""

    places: tuple[Place, ...]
    formula: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two numbers of a column with their places."""

    column: Place
    one: Number
    other: Number
    places: tuple[Place, Place]


@dataclass(frozen=True, slots=True)
class Amounts:
    """Numbers that follow from columns and are of the same unit as these."""

    sums: Shelf[Follows]
    means: Shelf[Follows]
    differences: Shelf[Follows]


@dataclass(frozen=True, slots=True)
class Derived:
    """All numbers that follow from the columns of a turn.

    `percents` are the amounts of those columns alone that may hold percentages: all numbers from -100 to 100.
    """

    amounts: Amounts
    percents: Amounts
    shares: Shelf[Follows]
    ratios: Shelf[Follows]


def derive(facts: Facts) -> Derived:
    """The numbers that follow; a sum, mean or share only of a column of which no row is missing."""
    whole = [(column, total(n for _, n in column.numbers)) for column in facts.columns if _can_total(column)]
    pairs = list(islice(_pairs(facts.columns), PAIRS))
    percents = {column.place for column in facts.columns if all(-100 <= n <= 100 for _, n in column.numbers)}
    return Derived(
        _amounts_of(whole, pairs),
        _amounts_of(
            [(column, amount) for column, amount in whole if column.place in percents],
            [pair for pair in pairs if pair.column in percents],
        ),
        shares=Shelf(_shares(whole)),
        ratios=Shelf(_ratios(pairs)),
    )


def _amounts_of(whole: list[tuple[Column, Fraction]], pairs: list[_Pair]) -> Amounts:
    return Amounts(
        Shelf((amount, Follows((column.place,), "sum")) for column, amount in whole),
        Shelf((amount / len(column.numbers), Follows((column.place,), "mean")) for column, amount in whole),
        Shelf((_difference(pair), Follows(pair.places, "difference")) for pair in pairs),
    )


def _can_total(column: Column) -> bool:
    return column.complete and len(column.numbers) > 1


def _shares(whole: Iterable[tuple[Column, Fraction]]) -> Iterator[tuple[Value, Follows]]:
    for column, amount in whole:
        if amount and len(column.numbers) <= SHARE_CELLS:
            for row, number in column.numbers:
                cell = Place(column.place.event, row, column.place.column)
                yield (number, amount), Follows((cell, column.place), "share")


def _pairs(columns: Iterable[Column]) -> Iterator[_Pair]:
    for column in columns:
        if len(column.numbers) > PAIR_CELLS:
            continue
        event, place = column.place.event, column.place.column
        for (row, number), (other_row, other) in combinations(column.numbers, 2):
            places = (Place(event, row, place), Place(event, other_row, place))
            yield _Pair(column.place, number, other, places)


def _difference(pair: _Pair) -> Number:
    if isinstance(pair.one, int) and isinstance(pair.other, int):
        return abs(pair.one - pair.other)
    return abs(exact(pair.one) - exact(pair.other))


def _ratios(pairs: Iterable[_Pair]) -> Iterator[tuple[Value, Follows]]:
    for pair in pairs:
        if pair.other:
            yield (pair.one, pair.other), Follows(pair.places, "ratio")
        if pair.one:
            yield (pair.other, pair.one), Follows(pair.places[::-1], "ratio")


def match_sum(figure: Figure, derived: Derived) -> Match | None:
    """The figure is the sum of a column, to the letter where it is a single digit."""
    counted = replace(figure, exact=True) if figure.small else figure
    return _match_amount(counted, derived, lambda amounts: amounts.sums)


def match_mean(figure: Figure, derived: Derived) -> Match | None:
    """The figure is the mean of a column, over the rows that have a number."""
    return None if figure.small else _match_amount(figure, derived, lambda amounts: amounts.means)


def match_difference(figure: Figure, derived: Derived) -> Match | None:
    """The figure is the difference of two numbers of a column, whichever came first."""
    unsigned = replace(figure, signed=False) if figure.signed else figure
    return None if figure.small else _match_amount(unsigned, derived, lambda amounts: amounts.differences)


def match_share(figure: Figure, derived: Derived) -> Match | None:
    """The figure is one number of a column as a part of its sum, in percent or as a fraction."""
    return _match(figure, derived.shares, _parts(figure))


def match_ratio(figure: Figure, derived: Derived) -> Match | None:
    """The figure is one number of a column divided by another, or in percent by how much it is more or less."""
    found = _match(figure, derived.ratios, _parts(figure))
    if found is not None or figure.kind != "percent":
        return found
    for reading in _parts(figure):
        for change in (reading.value,) if figure.signed else (reading.value, -reading.value):
            raised = replace(figure, signed=True)
            for ratio, source in find_rounded(raised, derived.ratios, (Reading(1 + change, reading.step),)):
                return Match(source.places, ratio - 1, "change")
    return None


def _match_amount(figure: Figure, derived: Derived, choose: Callable[[Amounts], Shelf[Follows]]) -> Match | None:
    """Looks an amount up; a percentage, which may stand as 12 or as 0.12, only where a column may hold percentages."""
    if not figure.readings or (figure.factor and not figure.bare):
        return None
    shelf = choose(derived.percents if figure.kind == "percent" else derived.amounts)
    return _match(figure, shelf, (figure.readings[0], *figure.of_form("scaled", "coarse")))


def _parts(figure: Figure) -> list[Reading]:
    """The readings as a quotient: in percent, as a decimal fraction, or as so many times."""
    if figure.kind == "percent":
        return list(figure.of_form("scaled"))
    if figure.kind != "number" or not figure.readings:
        return []
    first = figure.readings[0]
    return [first] if figure.factor or (figure.bare and first.step < 1) else []


def _match(figure: Figure, shelf: Shelf[Follows], readings: Iterable[Reading]) -> Match | None:
    for value, source in find_rounded(figure, shelf, readings):
        return Match(source.places, value, source.formula)
    return None
