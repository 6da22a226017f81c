"""The figure check's own error rate: how many figures another turn's rows would have given just as well."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from reportgen.analysis.figure_check.checking import (
    FOUND,
    WAYS,
    FigureStatus,
    Way,
)
from reportgen.analysis.figure_check.pairing import PairedAnswer, Tally, Ways, tally_turns
from reportgen.analysis.intervals import pooled_share_interval
from reportgen.model.run import Estimate
from reportgen.model.turn import Name, Turn

TOO_OFTEN = Fraction(5, 100)
"""A way that meets more than this share of the figures by chance is switched off; equality never is."""

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class WayUse:
    """One way of finding or deriving: how many figures it gave, and how many it would have given by chance.

    `chance` is the share of the figures paired with other turns' rows; `off` says that it is too large, so that the
    way was not taken.
    """

    way: Way
    status: FigureStatus
    figures: int
    chance: Estimate
    off: bool


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """The figure check over a run. A figure that an answer prints several times counts once.

    `answers` have text, `with_figures` figures too; `unchecked` of these belong to turns with nothing to look in:
    neither an SQL statement nor a passage, or passages only while the way `text` is off.
    Of the `figures`, some stand `in_question`, some are `unchecked_figures`; the others are `found`, `derived` or
    `not_found`, the last `with_unseen` rows that were not captured, and `in_statement` where the SQL has the number.
    `chance` is the share that would be found or derived in other turns' rows, over `pairs` of an answer and rows;
    `chance_found` and `chance_derived` are its parts. `cut` counts answers with more figures than are checked.
    """

    answers: int
    with_figures: int
    unchecked: int
    cut: int
    figures: int
    in_question: int
    unchecked_figures: int
    found: int
    derived: int
    not_found: int
    with_unseen: int
    turns: tuple[Name, ...]
    pairs: int
    chance: Estimate
    chance_found: Estimate
    chance_derived: Estimate
    ways: tuple[WayUse, ...]

    @property
    def off(self) -> frozenset[Way]:
        """The ways that are switched off for the run."""
        return frozenset(use.way for use in self.ways if use.off)


def measure_figures(turns: Callable[[], Iterator[Turn]]) -> FigureCheck:
    """The figure check over all turns of a run, with its error rate.

    Args:
        turns: Gives the turns in the order of the capture, afresh on each call.
    """
    return _conclude(tally_turns(turns))


def _conclude(tally: Tally) -> FigureCheck:
    rates = _switch_off(tally.answers)
    off = frozenset(way for way, rate in rates.items() if rate is not None)
    unread = [answer for answer in tally.answers if answer.has_only_passages and "text" in off]
    read = [answer for answer in tally.answers if not (answer.has_only_passages and "text" in off)]
    own = _by_way(chain.from_iterable(answer.own.items() for answer in read), off)
    lost = [answer for answer in read if _by_way(answer.own.items(), off)[None]]
    unchecked_figures = tally.unchecked_figures + sum(answer.own.total() for answer in unread)
    found = sum(own[way] for way in FOUND)
    return FigureCheck(
        answers=tally.texts,
        with_figures=tally.with_figures,
        unchecked=tally.unchecked + len(unread),
        cut=tally.cut,
        figures=own.total() + tally.asked + unchecked_figures,
        in_question=tally.asked,
        unchecked_figures=unchecked_figures,
        found=found,
        derived=own.total() - found - own[None],
        not_found=own[None],
        with_unseen=sum(_by_way(answer.own.items(), off)[None] for answer in lost if answer.has_unseen),
        turns=tuple(answer.turn for answer in lost),
        pairs=tally.pairs,
        chance=_estimate(tally.answers, set(WAYS), off),
        chance_found=_estimate(tally.answers, set(FOUND), off),
        chance_derived=_estimate(tally.answers, set(WAYS) - set(FOUND), off),
        ways=tuple(
            WayUse(
                way,
                "found" if way in FOUND else "derived",
                own[way],
                rate if (rate := rates[way]) is not None else _estimate(tally.answers, {way}, off),
                off=way in off,
            )
            for way in WAYS
        ),
    )


def _switch_off(answers: list[PairedAnswer]) -> dict[Way, Estimate | None]:
    """For each way that meets too many figures by chance its rate, None for the others.

    Without one way its figures may fall to a later one, so it is asked again until no other is too frequent.
    """
    rates: dict[Way, Estimate | None] = dict.fromkeys(WAYS)
    while True:
        off = frozenset(way for way, rate in rates.items() if rate is not None)
        hits = _by_way(chain.from_iterable(answer.chance.items() for answer in answers), off)
        worse = [way for way in WAYS if way != "equal" and hits[way] > TOO_OFTEN * hits.total()]
        if not worse:
            return rates
        rates |= {way: _estimate(answers, {way}, off) for way in worse}


def _by_way(items: Iterable[tuple[Ways, int]], off: Collection[Way]) -> Counter[Way | None]:
    """How many figures each way gives, where the first that is not off is taken; None for those that have none."""
    counts: Counter[Way | None] = Counter()
    for ways, count in items:
        counts[next((way for way in ways if way not in off), None)] += count
    return counts


def _estimate(answers: list[PairedAnswer], ways: Collection[Way], off: Collection[Way]) -> Estimate:
    """The share of figures that these ways meet in other turns' rows; answers are the independent units."""
    counts = [_by_way(answer.chance.items(), off) for answer in answers if answer.chance]
    sizes = [count.total() for count in counts]
    if not sizes:
        return Estimate(n=0, undefined="no answer could be held against another turn's rows")
    hits = [sum(count[way] for way in ways) for count in counts]
    value, interval = Fraction(sum(hits), sum(sizes)), pooled_share_interval(hits, sizes)
    if interval is None:
        return Estimate(value=value, n=sum(sizes), by="answer", undefined="one answer gives no interval")
    return Estimate(
        value=value,
        low=round(interval.low, _DECIMALS),
        high=round(interval.high, _DECIMALS),
        n=sum(sizes),
        clusters=interval.clusters,
        by="answer",
        df=round(interval.df, _DECIMALS),
    )
