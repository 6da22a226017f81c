"""A result of SQL as a table, and the reading of those that tools hand over as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.capture.flaws import Flaw, decode_json
from reportgen.model.turn import Cell

TOTAL_UNKNOWN = "the tool said that there may be more rows than it returned; the row count is unknown"


@dataclass(frozen=True, slots=True)
class Table:
    """A result. `row_count` is how many rows there were in full; None where the capture does not tell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_count: int | None
    notes: tuple[str, ...] = ()


def decode_result(text: str) -> object:
    """The JSON value that a text holds; None where it is not JSON, or holds NaN or an infinite number."""
    try:
        value: object = decode_json(text.encode(errors="replace"))
    except Flaw:
        return None
    return value


def read_json(value: object) -> Table | None:
    """A list of objects, or an object with `rows` (and `columns`, where the rows are lists)."""
    names: object = None
    notes: tuple[str, ...] = ()
    if isinstance(value, dict):
        names = value.get("columns")
        notes = (TOTAL_UNKNOWN,) if value.get("result_is_likely_truncated") is True else ()
        value = value.get("rows")
    if not isinstance(value, list):
        return None
    grid = _read_records(value) if names is None else _read_arrays(names, value)
    if grid is None:
        return None
    columns, rows = grid
    return Table(columns, rows, None if notes else len(rows), notes)


def _read_records(records: list[Any]) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]] | None:
    if not all(isinstance(record, Mapping) for record in records):
        return None
    columns = tuple(dict.fromkeys(str(name) for record in records for name in record))
    return columns, tuple(tuple(_to_cell(record.get(name)) for name in columns) for record in records)


def _read_arrays(names: object, rows: list[Any]) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]] | None:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    if all(isinstance(row, Mapping) for row in rows):
        rows = [[row.get(name) for name in names] for row in rows]
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return tuple(names), tuple(tuple(_to_cell(cell) for cell in row) for row in rows)


def _to_cell(value: Any) -> Cell:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)
