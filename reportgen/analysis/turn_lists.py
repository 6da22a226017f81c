"""The turns of a run that a report names: under a cap, with unfound quotes, that address a grader, the worst."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.rows import TurnRow
from reportgen.model.rubric import Rubric
from reportgen.model.turn import Name

WORST = 10


@dataclass(frozen=True, slots=True)
class CapUse:
    """A cap in this run: the turns in which its fact held, and those of them whose score it lowered."""

    id: str
    ceiling: int
    sentence: str
    held: tuple[Name, ...]
    lowered: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """How many quotes the judge gave, how many stand in the evidence, and the turns with one that does not."""

    quotes: int
    supported: int
    turns: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Addressed:
    """A turn with text that addresses a grader: where a program found it, and whether the judge reported any."""

    turn: Name
    places: tuple[str, ...]
    reported: bool


def list_addressed(rows: Sequence[TurnRow]) -> tuple[Addressed, ...]:
    """The turns with text that addresses a grader."""
    found = (row for row in rows if row.addresses or row.addressed_judge)
    return tuple(Addressed(row.id, row.addresses, row.addressed_judge) for row in found)


def list_cap_uses(rows: Sequence[TurnRow], rubric: Rubric) -> tuple[CapUse, ...]:
    """The caps of the rubric in their order, each with its turns."""
    applied = [(row.id, cap) for row in rows for cap in row.score.caps]
    return tuple(
        CapUse(
            cap.id,
            cap.ceiling,
            cap.sentence,
            held=tuple(turn for turn, use in applied if use.id == cap.id),
            lowered=tuple(turn for turn, use in applied if use.id == cap.id and use.lowered),
        )
        for cap in rubric.caps
    )


def check_quotes(rows: Sequence[TurnRow]) -> QuoteCheck:
    """The quotes of all turns."""
    total = sum(row.quotes for row in rows)
    unsupported = sum(row.unsupported for row in rows)
    return QuoteCheck(total, total - unsupported, tuple(row.id for row in rows if row.unsupported))


def list_worst(rows: Sequence[TurnRow]) -> tuple[str, ...]:
    """The lowest scores that are not in the highest band's full marks, ties in the order of the capture."""
    scored = [row for row in rows if row.score.score is not None and row.score.score < 100]
    return tuple(row.id for row in sorted(scored, key=lambda row: row.score.score or Fraction(0))[:WORST])
