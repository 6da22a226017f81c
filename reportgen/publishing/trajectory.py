"""What an assistant did in a turn, event by event, ready for the page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from reportgen.model.turn import (
    Cell,
    Event,
    GuardrailBlock,
    SchemaLookup,
    SqlStatement,
    ToolCall,
)
from reportgen.publishing.printing import plural, print_count, print_duration
from reportgen.publishing.text import Shown, shorten


ROWS_SHOWN = 20
WIDE = 12
"""Results of more columns than this are shown as lists, since no page is wide enough for the table."""

_COLUMNS_SHOWN = 100
_SQL_SHOWN = 20_000
_OUTPUT_SHOWN = 4_000
_CELL_SHOWN = 500
_NAME_SHOWN = 120


@dataclass(frozen=True, slots=True)
class CellText:
    """A cell as displayed; `kind` is text, number or null."""

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
    """The captured rows as displayed; `account` says how many there are, are shown, and were seen by the judge."""

    columns: tuple[str, ...]
    rows: tuple[RowText, ...]
    account: str
    wide: bool


@dataclass(frozen=True, slots=True)
class EventText:
    """One event of the trajectory as displayed."""

    number: str
    kind: str
    title: str
    status: str
    facts: tuple[str, ...]
    code: Shown | None
    error: Shown | None
    output: Shown | None
    snapshot: Snapshot | None
    notes: tuple[str, ...]


def build_trajectory(events: Sequence[Event], rows_judged: int) -> tuple[EventText, ...]:
    """The events in order.

    Args:
        events: As captured.
        rows_judged: How many rows of a statement the judge was shown at most.
    """
    return tuple(_event(str(number), event, rows_judged) for number, event in enumerate(events, start=1))


def _event(number: str, event: Event, rows_judged: int) -> EventText:
    if isinstance(event, SqlStatement):
        return _statement(number, event, rows_judged)
    if isinstance(event, ToolCall):
        return _tool_call(number, event)
    if isinstance(event, SchemaLookup):
        return _lookup(number, event)
    return _block(number, event)


def _statement(number: str, event: SqlStatement, rows_judged: int) -> EventText:
    dialect = (f"dialect {shorten(event.dialect, _NAME_SHOWN)}",) if event.dialect else ()
    return EventText(
        *(number, "sql", "SQL statement", event.status, (print_duration(event.duration_ms), *dialect)),
        code=shorten(event.text, _SQL_SHOWN),
        error=_optional(event.error),
        output=None,
        snapshot=_snapshot(event, rows_judged),
        notes=_notes(event.notes),
    )


def _tool_call(number: str, event: ToolCall) -> EventText:
    arguments = json.dumps(event.arguments, ensure_ascii=False, indent=2) if event.arguments else None
    return EventText(
        *(number, "tool", f"Tool call: {shorten(event.name, _NAME_SHOWN)}", event.status),
        facts=(print_duration(event.duration_ms),),
        code=None if arguments is None else shorten(arguments, _OUTPUT_SHOWN),
        error=_optional(event.error),
        output=_optional(event.output),
        snapshot=None,
        notes=_notes(event.notes),
    )


def _lookup(number: str, event: SchemaLookup) -> EventText:
    return EventText(
        *(number, "schema", f"Schema look-up: {shorten(event.target, _NAME_SHOWN)}", event.status),
        facts=(print_duration(event.duration_ms),),
        code=None,
        error=_optional(event.error),
        output=_optional(event.output),
        snapshot=None,
        notes=_notes(event.notes),
    )


def _block(number: str, event: GuardrailBlock) -> EventText:
    title = f"Guardrail block: {shorten(event.rule, _NAME_SHOWN)}"
    output = _optional(event.message)
    return EventText(number, "guardrail", title, "blocked", (), None, None, output, None, ())


def _optional(text: str | None) -> Shown | None:
    return shorten(text, _OUTPUT_SHOWN) if text else None


def _notes(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(shorten(note, _OUTPUT_SHOWN)) for note in notes)


def _snapshot(event: SqlStatement, rows_judged: int) -> Snapshot | None:
    if event.rows is None or event.columns is None:
        return None
    return Snapshot(
        columns=tuple(str(shorten(name, _NAME_SHOWN)) for name in event.columns[:_COLUMNS_SHOWN]),
        rows=tuple(_rows(event.rows, rows_judged)),
        account=_account(event, rows_judged),
        wide=len(event.columns) > WIDE,
    )


def _rows(rows: Sequence[Sequence[Cell]], rows_judged: int) -> list[RowText]:
    shown = enumerate(islice(rows, ROWS_SHOWN), start=1)
    return [
        RowText(str(number), tuple(map(_cell, row[:_COLUMNS_SHOWN])), number <= rows_judged)
        for number, row in shown
    ]


def _cell(value: Cell) -> CellText:
    if value is None:
        return CellText("NULL", "null")
    if isinstance(value, str):
        return CellText(str(shorten(value, _CELL_SHOWN)), "text")
    return CellText(json.dumps(value), "text" if isinstance(value, bool) else "number")


def _account(event: SqlStatement, rows_judged: int) -> str:
    """How many rows came back, were captured, were seen by the judge, and are shown here."""
    captured = len(event.rows or ())
    if event.row_count == 0:
        return "The statement returned no rows."
    parts = ["Full count unknown" if event.row_count is None else f"{plural(event.row_count, 'row')} in full"]
    parts.append(f"{print_count(captured)} captured")
    if captured:
        parts.append(f"the judge saw {_first(min(rows_judged, captured), captured)}")
        parts.append(f"{_first(min(ROWS_SHOWN, captured), captured)} shown here")
    if len(event.columns or ()) > _COLUMNS_SHOWN:
        parts.append(f"{_COLUMNS_SHOWN} of {len(event.columns or ())} columns shown")
    return f"{'; '.join(parts)}."


def _first(count: int, of: int) -> str:
    if count < of:
        return f"the first {count}"
    return "it" if of == 1 else f"all {of}"


