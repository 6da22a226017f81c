"""Calls of tools in an ADK stream, each with its result -> events of the trajectory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.capture.adk_events import Message, Part
from reportgen.capture.flaws import Flaw, decode_json
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.result_json import TOTAL_UNKNOWN, Table
from reportgen.capture.result_tables import CUT, HALF_ROW, REJOINED, UNREADABLE, read_result
from reportgen.capture.tool_results import NO_RESULT, OUTPUT_CUT, Outcome, read_outcome
from reportgen.model.turn import Event, SchemaLookup, SqlStatement, ToolCall

NO_SQL_TEXT = "the call is one of a tool for SQL, but none of its arguments could be told to be the statement"

_SQL_ARGUMENTS = ("sql", "query", "statement")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool and what came back; `result` is None where the stream holds none."""

    name: str
    arguments: dict[str, Any]
    result: Part | None


def match_calls(messages: Iterable[Message], report: ImportReport) -> list[Call]:
    """The calls of a turn in order, each with its result: by id, or by name where the stream gives no ids."""
    calls: list[Part] = []
    results: dict[int, Part] = {}
    for part in (part for message in messages for part in message.parts):
        if part.kind == "call":
            calls.append(part)
        elif part.kind == "result":
            place = _find_call(part, calls, results)
            if place is None:
                report.left["results of tools without a call"] += 1
            else:
                results[place] = part
    return [Call(call.name, read_arguments(call.value), results.get(place)) for place, call in enumerate(calls)]


def build_event(call: Call, options: ImportOptions, report: ImportReport) -> Event | None:
    """The event that a call becomes; None for one that belongs to the test harness."""
    if call.name in options.drop_tools:
        report.left[f"calls of {call.name} with their results: it belongs to the test harness"] += 1
        return None
    return shape_event(call, _read_outcome(call, report, is_sql=call.name in options.sql_tools), options, report)


def shape_event(call: Call, outcome: Outcome, options: ImportOptions, report: ImportReport) -> Event:
    """The event that a call with a known outcome becomes: SQL, a look-up in the schema, or a call of a tool."""
    is_sql = call.name in options.sql_tools
    statement = _find_statement(call.arguments) if is_sql else None
    if statement is not None:
        return _build_statement(statement, outcome, report)
    if call.name in options.schema_tools and not is_sql:
        return _build_lookup(call, outcome, report)
    return _build_tool_call(call, outcome, (NO_SQL_TEXT,) if is_sql else (), report)


def _find_call(result: Part, calls: list[Part], results: Mapping[int, Part]) -> int | None:
    for place, call in enumerate(calls):
        same = call.call_id == result.call_id if call.call_id and result.call_id else call.name == result.name
        if same and place not in results:
            return place
    return None


def read_arguments(given: object) -> dict[str, Any]:
    """The arguments of a call by name, also from JSON in a text; what has no names stands under `arguments`."""
    if isinstance(given, str):
        try:
            given = decode_json(given.encode(errors="replace"))
        except Flaw:
            return {"arguments": given}
    if isinstance(given, dict):
        return given
    return {} if given is None else {"arguments": given}


def _find_statement(arguments: Mapping[str, Any]) -> str | None:
    for name in _SQL_ARGUMENTS:
        if isinstance(arguments.get(name), str):
            return str(arguments[name])
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else None


def _read_outcome(call: Call, report: ImportReport, *, is_sql: bool) -> Outcome:
    if call.result is None:
        report.changed["calls without a result, taken as cancelled"] += 1
        return Outcome("cancelled", notes=(NO_RESULT,))
    outcome = read_outcome(call.result.value, is_sql=is_sql)
    if outcome.harness_notes:
        report.left["notes of the test harness at the end of results"] += outcome.harness_notes
    if OUTPUT_CUT in outcome.notes:
        report.changed["outputs of tools that were cut off in the capture, and are marked so"] += 1
    return outcome


def _build_statement(text: str, outcome: Outcome, report: ImportReport) -> SqlStatement:
    report.taken[f"SQL statements, status {outcome.status}"] += 1
    table = read_result(outcome.content) if outcome.content is not None else None
    if table is None:
        notes = outcome.notes if outcome.content is None else (*outcome.notes, _describe_message(outcome))
        return SqlStatement(text=text, status=outcome.status, error=outcome.error, notes=notes)
    _count_table(table, report)
    return SqlStatement(
        text=text,
        status=outcome.status,
        columns=table.columns,
        rows=table.rows,
        row_count=table.row_count,
        notes=(*outcome.notes, *table.notes),
    )


def _describe_message(outcome: Outcome) -> str:
    return f"the tool returned no rows, but the text: {(outcome.output or '').strip()[:200]}"


def _count_table(table: Table, report: ImportReport) -> None:
    descriptions = {
        CUT: "SQL results that were cut off in the capture: row count unknown",
        HALF_ROW: "SQL results whose last row is left out, since it may not be whole",
        UNREADABLE: "SQL results kept as text in one cell, where rows could not be told for certain",
        REJOINED: "SQL results whose lost line breaks were put back",
        TOTAL_UNKNOWN: "SQL results of which the tool said that there may be more",
    }
    for note in table.notes:
        report.changed[descriptions[note]] += 1


def _build_lookup(call: Call, outcome: Outcome, report: ImportReport) -> SchemaLookup:
    report.taken[f"schema look-ups by {call.name}"] += 1
    details = ", ".join(f"{name}={value}" for name, value in call.arguments.items())
    return SchemaLookup(
        target=f"{call.name}({details})",
        status=outcome.status,
        output=outcome.output,
        error=outcome.error,
        notes=outcome.notes,
    )


def _build_tool_call(call: Call, outcome: Outcome, notes: tuple[str, ...], report: ImportReport) -> ToolCall:
    report.taken[f"calls of {call.name}"] += 1
    return ToolCall(
        name=call.name,
        arguments=call.arguments,
        status=outcome.status,
        output=outcome.output,
        error=outcome.error,
        notes=(*notes, *outcome.notes),
    )
