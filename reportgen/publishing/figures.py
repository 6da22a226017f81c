"""What became of the figures of an answer, ready for the page: alike ones on one line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from reportgen.analysis.figure_check.checking import CheckedFigure, CheckedPlace, TurnFigures, Way
from reportgen.analysis.figure_check.error_rate import FigureCheck
from reportgen.analysis.limitations import Limitations
from reportgen.publishing.printing import plural, print_count, print_exact
from reportgen.publishing.text import shorten

_SHOWN = 60
"""Of the figures on one line, so many are shown."""

_NAME_SHOWN = 60

RESULTS = {
    "not-found": "not found",
    "derived": "derived",
    "found": "found",
    "in-question": "in the question",
    "unchecked": "not checked",
}
"""What may become of a figure, in words, in the order in which the lines stand."""

_BARE = "the turn has neither a SQL statement nor a retrieved passage"

UNREAD = (
    "the turn has retrieved passages only, and looking in texts is switched off in this run, since too many figures "
    "meet there by chance"
)
"""Why the figures of a turn with passages may not be checked."""

WAYS: dict[Way, str] = {
    "equal": "equal to a cell",
    "rounded": "a cell, rounded as printed",
    "text": "within the text of a cell or passage",
    "scaled": "a cell in another unit (%, k, m, t, km)",
    "thousands": "a thousandth or millionth of a cell",
    "about": "a cell, coarsely rounded (“about”)",
    "row-count": "number of rows",
    "sum": "sum of a column",
    "mean": "mean of a column",
    "share": "share of a column’s sum",
    "difference": "difference within a column",
    "ratio": "ratio or change within a column",
}
"""How a figure may be found or derived, in words."""


def list_ways(fetched: str) -> dict[Way, str]:
    """The ways that can apply to the turns of a run, in words; `fetched` is as `name_fetched` gives it.

    >>> list_ways("passages")
    {'text': 'within the text of a passage'}
    """
    if not has_rows(fetched):
        return {"text": "within the text of a passage"}
    return WAYS if "passages" in fetched else {**WAYS, "text": "within the text of a cell"}


def has_rows(fetched: str) -> bool:
    """Whether a run has result rows, from which alone figures are derived."""
    return "rows" in fetched


def leaves_unread(check: FigureCheck, fetched: str) -> bool:
    """Whether the run has passages and their texts are not looked in; `fetched` is as `name_fetched` gives it."""
    return "text" in check.off and "passages" in fetched


def say_unchecked(check: FigureCheck, fetched: str) -> str:
    """Why figures could not be checked: what their turns have not, or have though it is not looked in."""
    return f"{_BARE}, or {UNREAD}" if leaves_unread(check, fetched) else _BARE


def name_fetched(limitations: Limitations) -> str:
    """In what the figures of a run are looked up, in words."""
    found = {"rows": limitations.statements or not limitations.with_retrieval, "passages": limitations.with_retrieval}
    return " and ".join(name for name, there in found.items() if there)


@dataclass(frozen=True, slots=True)
class FigureLine:
    """Figures with the same result; `how` says where they stand or how they follow."""

    figures: str
    status: str
    result: str
    how: str


@dataclass(frozen=True, slots=True)
class FigureTable:
    """The lines for one answer; `note` says which rows could not be looked at, or which figures."""

    lines: tuple[FigureLine, ...]
    note: str | None


def build_figure_table(figures: TurnFigures) -> FigureTable | None:
    """The figures of an answer, those that were not found first; None where it has none."""
    groups: dict[tuple[object, ...], list[CheckedFigure]] = {}
    for figure in figures.figures:
        groups.setdefault(_group(figure), []).append(figure)
    order = list(RESULTS)
    lines = sorted((_line(group, figures) for group in groups.values()), key=lambda line: order.index(line.status))
    return FigureTable(tuple(lines), " ".join(_notes(figures)) or None) if lines else None


def _group(figure: CheckedFigure) -> tuple[object, ...]:
    """What figures on one line share; a derived one has a line of its own."""
    if figure.status == "found":
        place = figure.places[0]
        return figure.status, figure.way, place.event, place.column
    if figure.status == "derived":
        return figure.status, figure.text, figure.kind
    return figure.status, figure.statement


def _line(group: list[CheckedFigure], answer: TurnFigures) -> FigureLine:
    first = group[0]
    return FigureLine(
        _join((figure.text for figure in group), len(group), " · "),
        first.status,
        RESULTS[first.status],
        _how(group, answer),
    )


def _join(texts: Iterable[str], count: int, mark: str) -> str:
    shown = mark.join(islice(texts, _SHOWN))
    return shown if count <= _SHOWN else f"{shown}{mark}and {print_count(count - _SHOWN)} more, in the report’s data"


def _how(group: list[CheckedFigure], answer: TurnFigures) -> str:
    first = group[0]
    if first.status == "found":
        return f"{_say_column(first.places[0])}, {_rows(group)}: {_say_way(first)}"
    if first.status == "derived":
        return _say_derivation(first)
    if first.status == "in-question":
        return "not looked up"
    if first.status == "unchecked":
        return UNREAD if answer.is_unread else f"{_BARE}, so there is nothing to look in"
    return "in no captured row or passage" + (f", but in the SQL of event {first.statement}" if first.statement else "")


def _say_way(figure: CheckedFigure) -> str:
    return {
        "equal": "equal",
        "rounded": "rounded",
        "text": "within the text",
        "scaled": "in another unit",
        "thousands": "a thousandth or millionth",
        "about": "coarsely rounded, as the answer says “about”",
    }[figure.way or "equal"]


def _rows(group: list[CheckedFigure]) -> str:
    """The rows, each once, with the exact value where the figure is not equal to it."""
    rows = list(dict.fromkeys(map(_say_row, group)))
    what = "row" if group[0].places[0].column is not None else "passage"
    return f"{what if len(rows) == 1 else f'{what}s'} {_join(rows, len(rows), ', ')}"


def _say_row(figure: CheckedFigure) -> str:
    row = str(figure.places[0].row)
    return row if figure.way in ("equal", "text") else f"{row} ({print_exact(figure.value)})"


def _say_column(place: CheckedPlace) -> str:
    if place.column is None:
        return f"event {place.event}"
    return f"event {place.event}, column {shorten(place.name or '', _NAME_SHOWN)}"


def _say_derivation(figure: CheckedFigure) -> str:
    first, last = figure.places[0], figure.places[-1]
    exactly = print_exact(figure.value)
    match figure.formula or figure.way:
        case "sum" | "mean" as name:
            return f"{name} of {_say_column(first)}: {exactly}"
        case "share":
            return f"{_say_column(first)}: row {first.row} as a share of the sum: {exactly}"
        case "difference":
            return f"{_say_column(first)}: difference of rows {first.row} and {last.row}: {exactly}"
        case "ratio":
            return f"{_say_column(first)}: row {first.row} divided by row {last.row}: {exactly}"
        case "change":
            return f"{_say_column(first)}: row {first.row} against row {last.row}, change: {exactly}"
        case _:
            return f"number of rows that event {first.event} returned"


def _notes(figures: TurnFigures) -> Iterator[str]:
    if figures.is_cut:
        yield f"Only the first {print_count(len(figures.figures))} different figures were checked."
    if all(figure.status != "not-found" for figure in figures.figures):
        return
    if figures.unseen:
        were = "was" if figures.unseen == 1 else "were"
        yield f"{plural(figures.unseen, 'row')} {were} not captured; what was not found may stand there."
    if figures.is_unsure:
        yield "Not all that came back was captured, or its extent is unknown; what was not found may stand there."
