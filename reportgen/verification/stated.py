"""Does what the publisher states of a run for the public contradict what follows from it?"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from reportgen.analysis.findings import read_stated
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.strata import Breakdown, Stratum
from reportgen.archive.records import Records
from reportgen.model.run import Summary
from reportgen.scoring.rounding import print_number
from reportgen.verification.differences import Difference, differ

PLACE = "run.json: manifest.derived.stated"
TENTH = Fraction(1, 10)
"""So far a printed mean may lie from the exact one, which is rounded away from the edge of a band."""


def check_stated(records: Records, rows: Sequence[TurnRow]) -> Iterator[Difference]:
    """Results by label come to those of the whole run, and what the judge reported or the checks found is not hidden.

    What is stated beyond that nobody can recompute.
    """
    derived = records.run.manifest.derived
    if derived is None or derived.stated is None:
        return
    stated, summary = read_stated(derived.stated), records.run.summary
    for table in stated["breakdowns"]:
        yield from _check_table(table, summary)
    reported = sorted(item.turn for item in stated["addressed"] if item.reported)
    yield from differ(f"{PLACE}.addressed: reported", reported, sorted(row.id for row in rows if row.addressed_judge))
    slugs, quotes = {caveat.slug for caveat in stated["caveats"]}, stated["quotes"]
    for slug, holds in (
        ("judge-addressed", bool(stated["addressed"])),
        ("unsupported-quotes", quotes.supported < quotes.quotes),
    ):
        yield from differ(f"{PLACE}.caveats: {slug}", slug in slugs, holds)


def _check_table(table: Breakdown, summary: Summary) -> Iterator[Difference]:
    place = f"{PLACE}, by {table.label}"
    yield from _check_means(place, table, summary)
    for band in summary.bands:
        lines = [(line.bands or {}).get(band.band) for line in table.strata]
        yield from _check_band(f"{place}: {band.band}", band.count, lines)


def _check_means(place: str, table: Breakdown, summary: Summary) -> Iterator[Difference]:
    """The means of the lines come to that of the whole run, and each difference from the rest follows."""
    whole = summary.mean.value
    means = [(line, line.mean.value) for line in table.strata if line.mean.value is not None]
    if whole is None or len(means) < len(table.strata) or not summary.scored:
        return
    together = sum((line.scored * mean for line, mean in means), Fraction(0)) / summary.scored
    if abs(together - whole) > TENTH:
        yield Difference(f"{place}: the means together", print_number(together), print_number(whole))
    for line, mean in means:
        yield from _check_rest(f"{place}, {line.value}", line, mean, summary.scored, whole)


def _check_rest(place: str, line: Stratum, mean: Fraction, scored: int, whole: Fraction) -> Iterator[Difference]:
    """The difference of a line from the rest follows from both means, as far as they are printed."""
    rest, stated = scored - line.scored, line.rest.difference.value
    if stated is None or rest <= 0:
        return
    share = Fraction(scored, rest)
    follows = (mean - whole) * share
    if abs(stated - follows) > TENTH * share + TENTH:
        yield Difference(f"{place}: difference from the rest", print_number(stated), print_number(follows))


def _check_band(place: str, count: int, lines: Iterable[int | None]) -> Iterator[Difference]:
    """The lines whose bands are shown hold no more turns of a band than the whole run; all of them just as many."""
    shown = list(lines)
    known = sum(number for number in shown if number is not None)
    if known > count or (None not in shown and known != count):
        yield Difference(place, f"{known} turns", f"{count} turns")
