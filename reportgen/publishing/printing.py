"""How figures, shares and times are printed. Templates print no number of their own."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.record import day_of, write_exact
from reportgen.scoring.rounding import print_number, score_edges

NONE = "\u2013"
"""Stands where there is no figure."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_LIMITS = (0, 100)


def print_score(value: Fraction | None, rubric: Rubric) -> str:
    """A score or a mean of scores with one decimal; it shows no edge that it does not reach."""
    return NONE if value is None else print_number(value, 1, score_edges(rubric))


def print_interval(estimate: Estimate, rubric: Rubric) -> str:
    """The bounds of a mean score, such as "81.2 to 90.3", or why there are none."""
    if estimate.low is None or estimate.high is None:
        return estimate.undefined or NONE
    low, high = (print_score(stored(bound), rubric) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def say_mean(estimate: Estimate, rubric: Rubric) -> str:
    """A mean score with its interval and the edges of the bands, in words."""
    edges = ", ".join(f"{band.id} from {band.at_least}" for band in rubric.bands)
    if estimate.value is None:
        return f"No mean: {estimate.undefined}. Bands: {edges}."
    interval = "no interval" if estimate.low is None else "95 % interval"
    mean = print_score(estimate.value, rubric)
    return f"Mean {mean} out of 100, {interval}: {print_interval(estimate, rubric)}. Bands: {edges}."


def print_units(estimate: Estimate) -> str:
    """What an interval rests on, such as "12 clients, 8.4 degrees of freedom"; a dash where there is none.

    What is counted may have two names, such as "conversation or single turn".
    """
    if estimate.clusters is None or estimate.df is None:
        return NONE
    first, *others = (estimate.by or "turn").split(" or ")
    names = " or ".join([plural(estimate.clusters, first), *(f"{other}s" for other in others)])
    return f"{names}, {print_figure(estimate.df)} degrees of freedom"


def print_points(value: Fraction | float | None) -> str:
    """A distance in points with one decimal; 0 only where it is exact.

    >>> print_points(Fraction(31, 7)), print_points(0.001), print_points(None)
    ('4.4', '0.1', '–')
    """
    return NONE if value is None else print_number(stored(value) if isinstance(value, float) else value, 1, (0,))


def print_rounded_up(value: Fraction) -> str:
    """A bound on a distance with one decimal, never less than it is.

    >>> print_rounded_up(Fraction(56, 9)), print_rounded_up(Fraction(62, 10))
    ('6.3', '6.2')
    """
    return print_number(Fraction(ceil(10 * value), 10))


def print_signed(value: Fraction | None, decimals: int, edges: Collection[int] = (0,)) -> str:
    """A difference or a correlation, with a true minus sign; an edge is shown only where it is reached.

    >>> print_signed(Fraction(1, 3), 2), print_signed(Fraction(1, 1000), 2)
    ('0.33', '0.01')
    """
    return NONE if value is None else print_number(value, decimals, edges).replace("-", "\u2212")


def print_signed_interval(estimate: Estimate, decimals: int, edges: Collection[int] = (0,)) -> str:
    """The bounds of a difference or a correlation, or why there are none."""
    if estimate.low is None or estimate.high is None:
        return estimate.undefined or NONE
    return " to ".join(print_signed(stored(bound), decimals, edges) for bound in (estimate.low, estimate.high))


def print_p_value(value: float | None) -> str:
    """How likely something is by chance alone; never 0, and 1 only where it is exact.

    >>> print_p_value(0.0385), print_p_value(0.00049), print_p_value(0.9999), print_p_value(None)
    ('0.039', 'below 0.001', '0.999', '–')
    """
    if value is None:
        return NONE
    return "below 0.001" if value < 0.001 else print_number(stored(value), 3, (1,))


def print_share_interval(estimate: Estimate) -> str:
    """The bounds of a share in percent, such as "12.1 % to 30.0 %", or why there are none."""
    if estimate.low is None or estimate.high is None:
        return estimate.undefined or NONE
    low, high = (print_number(100 * stored(bound), 1, _LIMITS) for bound in (estimate.low, estimate.high))
    return f"{low}\u00a0% to {high}\u00a0%"


def stored(value: float) -> Fraction:
    """The decimal that a float is written as, since that is what is stored."""
    return Fraction(repr(value))


def print_percent(part: int, whole: int) -> str:
    """A share in percent with one decimal; 0 % and 100 % only where they are exact.

    >>> [print_percent(part, 10000).split() for part in (3333, 9999)]
    [['33.3', '%'], ['99.9', '%']]
    """
    return NONE if whole == 0 else f"{print_number(Fraction(100 * part, whole), 1, _LIMITS)}\u00a0%"


def print_share(value: Fraction | None) -> str:
    """A share from 0 to 1 in percent with one decimal; 0 % and 100 % only where they are exact.

    >>> print_share(Fraction(1, 3)).split(), print_share(None)
    (['33.3', '%'], '–')
    """
    return NONE if value is None else f"{print_number(100 * value, 1, _LIMITS)}\u00a0%"


def print_percents(counts: Sequence[int | Fraction]) -> list[str]:
    """Shares of a whole in percent with one decimal, by largest remainder, so that they add to 100.

    What is shared out are counts, or weights.

    >>> [share.split()[0] for share in print_percents([1, 1, 1])]
    ['33.4', '33.3', '33.3']
    """
    total = sum(counts)
    if total == 0:
        return [NONE for _ in counts]
    exact = [1000 * Fraction(count) / total for count in counts]
    tenths = [floor(value) for value in exact]
    by_rest = sorted(range(len(counts)), key=lambda place: tenths[place] - exact[place])
    for place in by_rest[: 1000 - sum(tenths)]:
        tenths[place] += 1
    return [f"{value // 10}.{value % 10}\u00a0%" for value in tenths]


def print_exact(value: Fraction | None) -> str:
    """An exact number in full where it has at most six decimals, else rounded to six and marked as such.

    >>> print_exact(Fraction(375, 1000)), print_exact(Fraction(200, 3))
    ('0.375', '≈ 66.666667')
    """
    if value is None:
        return NONE
    text = write_exact(value)
    if "/" in text or len(text.partition(".")[2]) > 6:
        return f"≈ {print_number(value, 6)}"
    return text


def print_given(value: float | None) -> str:
    """A subscore as the judge gave it."""
    return NONE if value is None else format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)


def print_subscore(value: Fraction | None, maximum: int) -> str:
    """A mean of subscores with two decimals; an end of the scale only where it is reached.

    >>> print_subscore(Fraction(999999, 100000), 10), print_subscore(None, 10)
    ('9.99', '–')
    """
    return NONE if value is None else print_number(value, 2, (0, maximum))


def print_figure(value: float) -> str:
    """A figure that is no score, such as degrees of freedom, with one decimal."""
    return print_number(stored(value))


def print_money(dollars: Fraction) -> str:
    """US dollars: to the cent from a dollar on, below it to a hundredth of a cent; $0 only where it is exact.

    >>> print_money(Fraction(1234567, 100)), print_money(Fraction(1, 8)), print_money(Fraction(1, 10**9))
    ('$12,345.67', '$0.1250', '$0.0001')
    """
    if dollars >= 1:
        whole, _, cents = print_number(dollars, 2).partition(".")
        return f"${int(whole):,}.{cents}"
    return f"${print_number(dollars, 4, (0,))}" if dollars else "$0"


def print_count(count: int) -> str:
    """A count with its thousands set apart."""
    return f"{count:,}"


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "turn"), plural(1200, "turn"), plural(0, "query")
    ('1 turn', '1,200 turns', '0 queries')
    """
    if count == 1:
        return f"1 {noun}"
    many = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"
    return f"{count:,} {many}"


def print_moment(moment: datetime) -> str:
    """A moment in UTC to the second, such as "20 July 2026, 09:00:00 UTC"."""
    return f"{print_day(moment)}, {moment.astimezone(UTC):%H:%M:%S} UTC"


def print_day(moment: datetime) -> str:
    """The day in UTC, such as "20 July 2026"."""
    return print_date(day_of(moment, None))


def print_date(day: date) -> str:
    """A day of the calendar, such as "20 July 2026"."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def print_period(first: datetime | None, last: datetime | None, zone: str | None) -> str:
    """From the first to the last day in a time zone, None for UTC."""
    if first is None or last is None:
        return "no turns"
    begin, end = (print_date(day_of(moment, zone)) for moment in (first, last))
    return begin if begin == end else f"{begin} to {end}"


def print_duration(milliseconds: float | None) -> str:
    """How long something took; below a second in milliseconds.

    >>> print_duration(340.0), print_duration(65432), print_duration(None)
    ('340 ms', '65.4 s', 'duration not captured')
    """
    if milliseconds is None:
        return "duration not captured"
    exact = stored(float(milliseconds))
    return f"{print_number(exact, 0)} ms" if exact < 1000 else f"{print_number(exact / 1000)} s"


def print_span(seconds: Fraction) -> str:
    """A span of time: seconds below a minute, else hours and minutes.

    >>> print_span(Fraction(123, 10)), print_span(Fraction(125)), print_span(Fraction(7260))
    ('12.3 s', '2 min 5 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{print_number(seconds)} s"
    minutes, rest = divmod(floor(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def print_seconds(seconds: Iterable[float]) -> str:
    """A sum of durations in seconds.

    >>> print_seconds([1.25, 2])
    '3.3 s'
    """
    return f"{print_number(sum((stored(float(part)) for part in seconds), Fraction(0)))} s"
