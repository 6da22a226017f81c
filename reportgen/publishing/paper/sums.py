"""The arithmetic of each turn in one line, for a table of all turns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reportgen.model.rubric import Rubric
from reportgen.model.score import Subscore
from reportgen.publishing.metric_lines import name_corner
from reportgen.publishing.printing import NONE, print_given, print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import shorten, turn_anchor

_ID_SHOWN = 48


@dataclass(frozen=True, slots=True)
class SumLine:
    """One turn: what was given for each dimension, and what came of it.

    `href` leads to the turn in full; where it does not stand in full it is None, and `anchor` is its place here.
    """

    number: str
    id: str
    href: str | None
    anchor: str | None
    given: tuple[str, ...]
    raw: str
    caps: str
    score: str
    band: str | None
    corner: str | None


def build_sum_lines(entries: Iterable[TurnEntry], report: Report, in_full: frozenset[str]) -> Iterator[SumLine]:
    """The lines of these turns."""
    return (_line(entry, report, in_full) for entry in entries)


def sum_columns(rubric: Rubric) -> list[str]:
    """The heads of the columns of given subscores: the dimensions, and their weights where these count."""
    if not rubric.has_composite:
        return [dimension.name for dimension in rubric.dimensions]
    return [f"{dimension.name} ({dimension.weight}\u00a0%)" for dimension in rubric.dimensions]


def _line(entry: TurnEntry, report: Report, in_full: frozenset[str]) -> SumLine:
    turn, score, rubric = entry.turn.id, entry.score, report.run.rubric
    given = {item.dimension: item for item in score.subscores}
    return SumLine(
        number=str(entry.number),
        id=str(shorten(turn, _ID_SHOWN)),
        href=report.href(turn) if turn in in_full else None,
        anchor=None if turn in in_full else turn_anchor(turn),
        given=tuple(_given(given.get(dimension.id)) for dimension in rubric.dimensions),
        raw=print_score(score.raw, rubric),
        caps=", ".join(cap.id for cap in score.caps if cap.lowered) or NONE,
        score=print_score(score.score, rubric),
        band=score.band,
        corner=name_corner(score, rubric),
    )


def _given(item: Subscore | None) -> str:
    return NONE if item is None else print_given(item.given)
