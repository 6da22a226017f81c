"""How long turns took: from question to answer, and of that the retrieval and the writing of the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Literal, get_args

from reportgen.analysis.estimates import average, weights_of
from reportgen.analysis.exact import in_order
from reportgen.analysis.rows import TurnRow
from reportgen.model.turn import Latency
from reportgen.record import Exact

LatencyPart = Literal["total", "retrieval", "generation"]
PARTS: tuple[LatencyPart, ...] = get_args(LatencyPart)
HIGH = Fraction(95, 100)
LEAST_FOR_HIGH = 20
"""Of fewer values the 95th percentile would be little else than the largest one."""


@dataclass(frozen=True, slots=True)
class LatencyFacts:
    """One latency over a run, in milliseconds.

    `n` turns state it and `missing` do not; those are in no figure, and never count as 0. `undefined` says why a
    figure is None.
    """

    part: LatencyPart
    n: int
    missing: int
    mean: Exact | None
    median: Exact | None
    p95: Exact | None
    undefined: str | None = None


def build_latencies(rows: Sequence[TurnRow]) -> tuple[LatencyFacts, ...]:
    """The three latencies of a run, total first."""
    return tuple(_measure(part, rows) for part in PARTS)


def stated_latency(latency: Latency | None, part: LatencyPart) -> Fraction | None:
    """One latency of a turn, in milliseconds; None where the capture does not state it."""
    stated = latency and getattr(latency, f"{part}_ms")
    return None if stated is None else Fraction(repr(stated))


def quantile(ordered: Sequence[Fraction], share: Fraction) -> Fraction:
    """The value below which that share of the values lies, interpolated between the two nearest.

    Hyndman and Fan (1996), The American Statistician 50:361, definition 7, which is that of R and of numpy.

    >>> quantile([Fraction(value) for value in (15, 20, 35, 40, 50)], Fraction(4, 10))
    Fraction(29, 1)

    Args:
        ordered: The values in ascending order, at least one.
        share: From 0 to 1.
    """
    place = (len(ordered) - 1) * share
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def _measure(part: LatencyPart, rows: Sequence[TurnRow]) -> LatencyFacts:
    stated = [(row, value) for row in rows if (value := stated_latency(row.latency, part)) is not None]
    if not stated:
        return LatencyFacts(part, 0, len(rows), None, None, None, "no turn states it" if rows else "no turns")
    timed, values = [row for row, _ in stated], [value for _, value in stated]
    mean, missing = average(values, timed), len(rows) - len(stated)
    if weights_of(timed) is not None:
        why = "the turns of a drawn sample do not stand for equally many"
        return LatencyFacts(part, len(values), missing, mean, None, None, f"no median and no 95th percentile: {why}")
    ordered = in_order(values)
    median = quantile(ordered, Fraction(1, 2))
    if len(values) < LEAST_FOR_HIGH:
        why = f"no 95th percentile: fewer than {LEAST_FOR_HIGH} turns state it"
        return LatencyFacts(part, len(values), missing, mean, median, None, why)
    return LatencyFacts(part, len(values), missing, mean, median, quantile(ordered, HIGH))
