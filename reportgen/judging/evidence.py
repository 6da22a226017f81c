"""What the judge sees of a turn: one JSON document, with every cut marked at its place."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.judging.cuts import Cutter, present, shorten
from reportgen.judging.passages import show_retrieval
from reportgen.model.rubric import JudgeCall, Part
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Event, GuardrailBlock, Retrieval, SchemaLookup, SqlStatement, ToolCall, Turn

_UNFIT = re.compile("[\ud800-\udfff\x00]")
_UNFIT_IN_JSON = re.compile(r"[\ud800-\udfff]|\\u0000")
"""What JSON or UTF-8 cannot carry to every reader: lone surrogates and NUL, in a value and as JSON writes it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The document that the judge sees.

    `text` is JSON without a single angle bracket, `digest` its SHA-256, and `cuts` say in words what was left
    out.
    """

    text: str
    digest: str
    cuts: tuple[str, ...]


DEFAULT_LIMITS = EvidenceLimits()


def build_evidence(turn: Turn, call: JudgeCall, limits: EvidenceLimits = DEFAULT_LIMITS) -> Evidence:
    """The evidence of a turn for one judge call: the parts that the call sees, in reading order.

    Ids and labels of the turn are left out: they are none of the judge's business. The day of the
    question is shown, since questions speak of "last month".
    """
    cuts: list[str] = []
    document = {part: _PARTS[part](turn, limits, cuts) for part in _PARTS if part in call.sees}
    text = _write(document)
    if _UNFIT_IN_JSON.search(text):
        text = _write(_harmless(document))
    return Evidence(text, hashlib.sha256(text.encode()).hexdigest(), tuple(cuts))


def reorder_evidence(evidence: Evidence) -> Evidence:
    """The same content in another order: the parts, and the fields of each object, from last to first.

    Events and rows stay in their order, which is part of what happened.
    """
    text = _write(_reverse_fields(json.loads(evidence.text)))
    return Evidence(text, hashlib.sha256(text.encode()).hexdigest(), evidence.cuts)


def _reverse_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _reverse_fields(item) for name, item in reversed(value.items())}
    return [_reverse_fields(item) for item in value] if isinstance(value, list) else value


def _question(turn: Turn, limits: EvidenceLimits, cuts: list[str]) -> dict[str, Any]:
    cutter = Cutter("question")
    value: dict[str, Any] = {
        "text": cutter.text("text", turn.question, limits.question),
        "source": turn.question_source,
        "asked_at": turn.captured_at.date().isoformat(),
    }
    if turn.captured_at_assumed:
        value["asked_at_assumed"] = True
    if turn.notes:
        value["capture_notes"] = list(turn.notes)
    cuts += cutter.cuts
    return cutter.noted(value)


def _agent(turn: Turn, _limits: EvidenceLimits, _cuts: list[str]) -> dict[str, Any]:
    return present(name=turn.agent.name, version=turn.agent.version)


def _trajectory(turn: Turn, limits: EvidenceLimits, cuts: list[str]) -> list[dict[str, Any]]:
    """The events by number, counted from 1; of a very long trajectory, its first and last ones."""
    numbered = list(enumerate(turn.trajectory, start=1))
    if len(numbered) <= limits.events:
        return [_event(number, event, limits, cuts) for number, event in numbered]
    head = limits.events // 2
    tail = limits.events - head
    note = f"showing {limits.events:,} of {len(numbered):,} events, the first {head:,} and the last {tail:,}"
    cuts.append(f"trajectory: {note}")
    shown = [_event(number, event, limits, cuts) for number, event in numbered[:head] + numbered[-tail:]]
    return [*shown[:head], {"shortened": [note]}, *shown[head:]]


def _answer(turn: Turn, limits: EvidenceLimits, cuts: list[str]) -> dict[str, Any]:
    if turn.answer is None or turn.answer.text is None:
        return {"captured": False, "reason": turn.answer.not_captured if turn.answer else "not captured"}
    cutter = Cutter("answer")
    value = {"captured": True, "text": cutter.text("text", turn.answer.text, limits.answer)}
    cuts += cutter.cuts
    return cutter.noted(value)


_PARTS: dict[Part, Callable[[Turn, EvidenceLimits, list[str]], Any]] = {
    "question": _question,
    "agent": _agent,
    "trajectory": _trajectory,
    "answer": _answer,
}
"""The parts of the document in reading order."""


def _event(number: int, event: Event, limits: EvidenceLimits, cuts: list[str]) -> dict[str, Any]:
    cutter = Cutter(f"event {number}")
    match event:
        case SqlStatement():
            value = _statement(event, limits, cutter)
        case ToolCall():
            value = {"name": event.name, "arguments": _arguments(event, limits, cutter)}
            value |= _outcome(event, limits, cutter)
        case SchemaLookup():
            value = {"target": cutter.text("target", event.target, limits.output)}
            value |= _outcome(event, limits, cutter)
        case GuardrailBlock():
            value = {"rule": event.rule, "message": cutter.text("message", event.message, limits.output)}
        case Retrieval():
            value = show_retrieval(event, limits, cutter)
    cuts += cutter.cuts
    return cutter.noted({"event": number, "kind": event.kind, **value})


def _statement(event: SqlStatement, limits: EvidenceLimits, cutter: Cutter) -> dict[str, Any]:
    head = present(
        text=cutter.text("text", event.text, limits.sql),
        dialect=event.dialect,
        status=event.status,
        error=cutter.text("error", event.error, limits.output),
        duration_ms=event.duration_ms,
        capture_notes=list(event.notes) or None,
    )
    if event.columns is None and event.row_count is None and event.status != "ok":
        return head
    return head | _snapshot(event, limits, cutter)


def _snapshot(event: SqlStatement, limits: EvidenceLimits, cutter: Cutter) -> dict[str, Any]:
    """The first rows and how many there are; null where it is not known, or no rows were captured."""
    rows = _rows(event, limits, cutter)
    columns = None if event.columns is None else [_cell(name, limits.cell) for name in event.columns[: limits.columns]]
    if event.columns is not None and len(event.columns) > limits.columns:
        cutter.notes.append(f"columns: showing the first {limits.columns:,} of {len(event.columns):,}")
    return {
        "columns": columns,
        "rows": rows,
        "rows_shown": None if rows is None else len(rows),
        "rows_captured": None if event.rows is None else len(event.rows),
        "row_count": event.row_count,
    }


def _rows(event: SqlStatement, limits: EvidenceLimits, cutter: Cutter) -> list[list[Any]] | None:
    """The first rows, as many as the limits allow; the first one always, however wide."""
    if event.rows is None:
        return None
    shown: list[list[Any]] = []
    room = limits.snapshot
    for row in event.rows[: limits.rows]:
        cells = [_cell(cell, limits.cell) for cell in row[: limits.columns]]
        room -= sum(len(str(cell)) for cell in cells)
        if shown and room < 0:
            break
        shown.append(cells)
    if len(shown) < len(event.rows):
        cutter.notes.append(f"rows: showing the first {len(shown):,} of {len(event.rows):,} captured")
    _note_cells(event, len(shown), limits, cutter)
    return shown


def _note_cells(event: SqlStatement, shown: int, limits: EvidenceLimits, cutter: Cutter) -> None:
    """One note for each column with shortened cells."""
    for place, name in enumerate((event.columns or ())[: limits.columns]):
        cells = (row[place] for row in (event.rows or ())[:shown])
        lengths = [len(cell) for cell in cells if isinstance(cell, str) and len(cell) > limits.cell]
        if lengths:
            cutter.notes.append(
                f"column {shorten(name, 60)}: showing {limits.cell:,} characters of each of "
                f"{len(lengths)} longer cells, the longest of {max(lengths):,}"
            )


def _cell(cell: Any, limit: int) -> Any:
    return shorten(cell, limit) if isinstance(cell, str) else cell


def _arguments(event: ToolCall, limits: EvidenceLimits, cutter: Cutter) -> Any:
    """The arguments as they were, or as shortened text where they are long."""
    if not event.arguments:
        return {}
    text = json.dumps(event.arguments, ensure_ascii=False)
    return event.arguments if len(text) <= limits.output else cutter.text("arguments", text, limits.output)


def _outcome(event: ToolCall | SchemaLookup, limits: EvidenceLimits, cutter: Cutter) -> dict[str, Any]:
    return present(
        status=event.status,
        output=cutter.text("output", event.output, limits.output),
        error=cutter.text("error", event.error, limits.output),
        duration_ms=event.duration_ms,
        capture_notes=list(event.notes) or None,
    )


def _harmless(value: Any) -> Any:
    """The value without what UTF-8 or a reader of JSON cannot carry: lone surrogates and NUL."""
    if isinstance(value, str):
        return _UNFIT.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_harmless(key): _harmless(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_harmless(item) for item in value]
    return value


def _write(document: Mapping[Part, Any]) -> str:
    """The document as JSON, one line an event, with angle brackets escaped.

    So no fence can be closed from inside. A bracket can only stand inside a string, where its escape means
    the same.
    """
    parts = (f"{json.dumps(name)}: {_write_part(value)}" for name, value in document.items())
    text = "{" + ",\n".join(parts) + "}"
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _write_part(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(_write_part(item) for item in value) + "\n]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
