"""Turns with given rows and answers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from reportgen.model.turn import Agent, Answer, SqlStatement, Turn


def make_statement(rows: Sequence[Sequence[Any]], columns: Sequence[str] = (), /, **changes: Any) -> SqlStatement:
    width = len(rows[0]) if rows else len(columns)
    fields: dict[str, Any] = {
        "text": "SELECT x FROM y",
        "status": "ok",
        "columns": tuple(columns) or tuple(f"c{number}" for number in range(1, width + 1)),
        "rows": tuple(map(tuple, rows)),
        "row_count": len(rows),
    }
    return SqlStatement(**(fields | changes))


def make_turn(text: str, *statements: SqlStatement, **changes: Any) -> Turn:
    fields: dict[str, Any] = {
        "id": "t",
        "captured_at": datetime(2026, 7, 1, tzinfo=UTC),
        "question": "What happened?",
        "agent": Agent(name="a"),
        "answer": Answer(text=text),
        "trajectory": statements,
    }
    return Turn(**(fields | changes))
