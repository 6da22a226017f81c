"""The captured rows of a statement, ready for the page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from reportgen.model.turn import Cell, SqlStatement
from reportgen.publishing.printing import print_count
from reportgen.publishing.text import clean, shorten

ROWS_SHOWN = 20
WIDE = 12
"""Results of more columns than this are shown as lists, since no page is wide enough for the table."""

_COLUMNS_SHOWN = 100
_CELL_SHOWN = 500
_NAME_SHOWN = 120
_BREAK_AFTER = 32
_LETTERS_ACROSS = 96
"""How many letters of a row fit beside one another on a page of A4."""


@dataclass(frozen=True, slots=True)
class CellText:
    """A cell as displayed; `kind` is text, numeric or null."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class RowText:
    """A row of the snapshot: its number, its cells, and whether the judge saw it."""

    number: str
    cells: tuple[CellText, ...]
    seen: bool

    def pairs(self, columns: Sequence[str]) -> list[list[tuple[str, CellText]]]:
        """The cells with the names of their columns, two beside each other, for results too wide for a table."""
        named = list(zip(columns, self.cells, strict=True))
        return [named[start : start + 2] for start in range(0, len(named), 2)]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The captured rows as displayed; `account` says how many there are, are shown, and were seen by the judge.

    `layout` is table, tight (a table whose words must be broken on paper) or list.
    """

    columns: tuple[str, ...]
    rows: tuple[RowText, ...]
    account: str
    layout: str


def build_snapshot(event: SqlStatement, rows_judged: int) -> Snapshot | None:
    """The rows of a statement; None where none were captured, not even an empty set.

    Args:
        event: As captured.
        rows_judged: How many rows of it the judge was shown at most.
    """
    if event.rows is None or event.columns is None:
        return None
    columns = tuple(str(shorten(name, _NAME_SHOWN)) for name in event.columns[:_COLUMNS_SHOWN])
    rows = tuple(_rows(event.rows, rows_judged))
    return Snapshot(columns, rows, _account(event, rows_judged), _choose_layout(columns, rows))


def _rows(rows: Sequence[Sequence[Cell]], rows_judged: int) -> list[RowText]:
    shown = enumerate(islice(rows, ROWS_SHOWN), start=1)
    return [
        RowText(str(number), tuple(map(_cell, row[:_COLUMNS_SHOWN])), number <= rows_judged) for number, row in shown
    ]


def _cell(value: Cell) -> CellText:
    if value is None:
        return CellText("NULL", "null")
    if isinstance(value, str):
        return CellText(str(shorten(value, _CELL_SHOWN)), "text")
    return CellText(clean(json.dumps(value)), "text" if isinstance(value, bool) else "numeric")


def _choose_layout(columns: Sequence[str], rows: Sequence[RowText]) -> str:
    if len(columns) > WIDE:
        return "list"
    widths = [max(map(_longest, (name, *texts))) for name, *texts in _by_column(columns, rows)]
    return "tight" if sum(width + 2 for width in widths) > _LETTERS_ACROSS else "table"


def _by_column(columns: Sequence[str], rows: Sequence[RowText]) -> list[list[str]]:
    return [[name, *(row.cells[place].text for row in rows)] for place, name in enumerate(columns)]


def _longest(text: str) -> int:
    """The longest run of letters that is not broken on paper."""
    return min(max(map(len, text.split()), default=0), _BREAK_AFTER)


def _account(event: SqlStatement, rows_judged: int) -> str:
    """How many rows came back, were captured, were seen by the judge, and are shown here."""
    captured = len(event.rows or ())
    if event.row_count == 0:
        return "The statement returned no rows."
    parts = [
        f"Rows returned: {'unknown' if event.row_count is None else print_count(event.row_count)}",
        f"captured: {print_count(captured)}",
    ]
    if captured:
        parts.append(f"seen by the judge: {_first(rows_judged, captured)}")
        parts.append(f"shown here: {_first(ROWS_SHOWN, captured)}")
    if len(event.columns or ()) > _COLUMNS_SHOWN:
        parts.append(f"columns shown here: {_COLUMNS_SHOWN} of {print_count(len(event.columns or ()))}")
    mark = ". Rows marked † were not seen by the judge" if rows_judged < min(captured, ROWS_SHOWN) else ""
    return f"{'; '.join(parts)}{mark}."


def _first(count: int, of: int) -> str:
    if count >= of:
        return "all"
    return f"the first {print_count(count)}" if count else "none"
