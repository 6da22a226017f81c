"""One turn through the figure check: each figure of its answer is found, derived, not found, or set apart."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from reportgen.analysis.figure_check import derivations, direct
from reportgen.analysis.figure_check.derivations import Derived, derive
from reportgen.analysis.figure_check.direct import Match
from reportgen.analysis.figure_check.facts import Facts, Place, build_facts
from reportgen.analysis.figure_check.figures import Figure, FigureKind
from reportgen.analysis.figure_check.mentions import Mention, find_mentions
from reportgen.model.turn import Name, Retrieval, SqlStatement, Turn
from reportgen.record import Exact

_TEXT = 80
_NAME = 200

FigureStatus = Literal["found", "derived", "not-found", "in-question", "unchecked"]
Way = Literal[
    "equal", "rounded", "text", "scaled", "thousands", "about",
    "row-count", "sum", "mean", "share", "difference", "ratio",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the figures of an answer are held against."""

    facts: Facts
    derived: Derived


_Matcher = Callable[[Figure, Evidence], Match | None]

FOUND: dict[Way, _Matcher] = {
    "equal": lambda figure, evidence: direct.match_equal(figure, evidence.facts),
    "rounded": lambda figure, evidence: direct.match_rounded(figure, evidence.facts),
    "text": lambda figure, evidence: direct.match_text(figure, evidence.facts),
    "scaled": lambda figure, evidence: direct.match_scaled(figure, evidence.facts),
    "thousands": lambda figure, evidence: direct.match_thousands(figure, evidence.facts),
    "about": lambda figure, evidence: direct.match_coarse(figure, evidence.facts),
}
"""The ways in which a cell may say a figure, in the order in which they are tried."""

DERIVED: dict[Way, _Matcher] = {
    "row-count": lambda figure, evidence: direct.match_count(figure, evidence.facts),
    "sum": lambda figure, evidence: derivations.match_sum(figure, evidence.derived),
    "mean": lambda figure, evidence: derivations.match_mean(figure, evidence.derived),
    "share": lambda figure, evidence: derivations.match_share(figure, evidence.derived),
    "difference": lambda figure, evidence: derivations.match_difference(figure, evidence.derived),
    "ratio": lambda figure, evidence: derivations.match_ratio(figure, evidence.derived),
}
"""The ways in which a figure may follow from rows, in the order in which they are tried."""

WAYS: dict[Way, _Matcher] = {**FOUND, **DERIVED}

_OF_STATED: frozenset[Way] = frozenset({"equal", "row-count", "sum"})
"""The ways that are tried for a figure that the SQL itself states: what was put in did not come out rounded."""


@dataclass(frozen=True, slots=True)
class CheckedPlace:
    """A place in what was captured: event of the trajectory, row, and column by number and name; counted from 1.

    Without a column the row is a retrieved passage by its number.
    """

    event: int
    row: int | None = None
    column: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedFigure:
    """A figure of an answer and what became of it.

    `times` is how often the answer prints it, `way` how it was found or derived, `value` the exact number behind it,
    `formula` how that follows from the numbers at `places`. `statement` is the event whose SQL states a figure that
    was not found in rows.
    """

    text: str
    kind: FigureKind
    times: int
    status: FigureStatus
    way: Way | None = None
    value: Exact | None = None
    formula: str | None = None
    places: tuple[CheckedPlace, ...] = ()
    statement: int | None = None


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """The figures of one answer, in reading order.

    `unseen` counts the rows that the turn's statements returned and that were not looked at, since they were not
    captured; `is_unsure` says that for some statement that is not known. `is_cut` says that the answer has more
    figures than are checked. `is_unread` says that there are passages alone, whose texts are not looked in.
    """

    turn: Name
    figures: tuple[CheckedFigure, ...]
    unseen: int = 0
    is_unsure: bool = False
    is_cut: bool = False
    is_unread: bool = False


def find_figures(turn: Turn, off: Collection[str] = ()) -> TurnFigures:
    """What becomes of each figure in the answer of the turn.

    Args:
        turn: As captured.
        off: The ways of finding or deriving that are not taken.
    """
    mentions = find_mentions(turn)
    if not mentions.all:
        return TurnFigures(turn.id, ())
    if not has_evidence(turn):
        figures = tuple(_open(mention, "unchecked") for mention in mentions.all)
        return TurnFigures(turn.id, figures, is_cut=mentions.is_cut)
    if is_unread(turn, off):
        figures = tuple(_open(mention, "in-question" if mention.asked else "unchecked") for mention in mentions.all)
        return TurnFigures(turn.id, figures, is_cut=mentions.is_cut, is_unread=True)
    evidence = build_evidence(turn)
    figures = tuple(_check(mention, evidence, off) for mention in mentions.all)
    return TurnFigures(turn.id, figures, evidence.facts.unseen, evidence.facts.is_unsure, mentions.is_cut)


def has_evidence(turn: Turn) -> bool:
    """Whether figures can be held against anything: without a SQL statement or a captured passage there is nothing."""
    return any(
        isinstance(event, SqlStatement) or (isinstance(event, Retrieval) and event.passages)
        for event in turn.trajectory
    )


def has_only_passages(turn: Turn) -> bool:
    """Whether figures can be held against the texts of passages and against nothing else."""
    return has_evidence(turn) and not any(isinstance(event, SqlStatement) for event in turn.trajectory)


def is_unread(turn: Turn, off: Collection[str]) -> bool:
    """Whether the turn has nothing but passages while the way that reads their texts is off: it tells nothing then."""
    return "text" in off and has_only_passages(turn)


def build_evidence(turn: Turn) -> Evidence:
    """The rows of the turn, ready to be looked up."""
    facts = build_facts(turn)
    return Evidence(facts, derive(facts))


def ways_of(mention: Mention, evidence: Evidence) -> tuple[Way, ...]:
    """All ways in which the figure would be found or derived, in the order in which they are tried."""
    return tuple(way for way, _ in _matches(mention, evidence))


def _matches(mention: Mention, evidence: Evidence) -> Iterator[tuple[Way, Match]]:
    for way, matcher in WAYS.items():
        is_tried = mention.statement is None or way in _OF_STATED
        if is_tried and (match := matcher(mention.figure, evidence)) is not None:
            yield way, match


def _check(mention: Mention, evidence: Evidence, off: Collection[str]) -> CheckedFigure:
    if mention.asked:
        return _open(mention, "in-question")
    for way, match in _matches(mention, evidence):
        if way not in off:
            return replace(
                _open(mention, "found" if way in FOUND else "derived"),
                way=way,
                value=match.value,
                formula=match.formula,
                places=tuple(_name(place, evidence.facts) for place in match.places),
            )
    return replace(_open(mention, "not-found"), statement=mention.statement)


def _open(mention: Mention, status: FigureStatus) -> CheckedFigure:
    text = mention.figure.text
    shown = text if len(text) <= _TEXT else f"{text[:_TEXT]}…"
    return CheckedFigure(shown, mention.figure.kind, mention.times, status)


def _name(place: Place, facts: Facts) -> CheckedPlace:
    name = None if place.column is None else facts.names[place.event, place.column][:_NAME]
    return CheckedPlace(place.event, place.row, place.column, name)
