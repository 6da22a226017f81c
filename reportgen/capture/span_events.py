"""The steps of a trace -> events of the trajectory."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from reportgen.capture.adk_calls import Call, read_arguments, shape_event
from reportgen.capture.drafts import fit_name
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.json_values import unwrap_json
from reportgen.capture.passages import read_passages
from reportgen.capture.spans import Span
from reportgen.capture.spoken import QUESTIONS, find_question
from reportgen.capture.told_calls import gather_told
from reportgen.capture.tool_results import NO_RESULT, Outcome, read_outcome
from reportgen.model.turn import Event, Retrieval, SqlStatement

NOT_RECORDED = "the trace holds no result of this call"

_SQL_FIELDS = ("sql", "sql_query", "sql_statement", "sql_text")
_SQL = re.compile(
    r"\s*(?:--[^\n]{0,500}\n\s{0,200}){0,20}\(?\s{0,20}"
    r"(?:select|with|insert|update|delete|merge|create|alter|drop|explain|show|describe|pragma|values|truncate)\b",
    re.IGNORECASE,
)
_KINDS = ("retriever", "reranker", "tool", "database")


@dataclass(frozen=True, slots=True)
class _Step:
    at: datetime | None
    event: Event


def read_events(spans: Sequence[Span], options: ImportOptions, report: ImportReport) -> tuple[Event, ...]:
    """The events of a turn in the order in which they began.

    A call that only the messages of a model tell of, and no span, is an event too, where the model wrote it.
    """
    steps = [step for span in spans if span.kind in _KINDS for step in _read_span(span, options, report)]
    steps += _read_told(spans, options, report)
    return tuple(step.event for step in _order(list(_drop_twins(steps, report))))


def _order(steps: list[_Step]) -> list[_Step]:
    """By their time, where each has one."""
    times = {place: step.at for place, step in enumerate(steps) if step.at is not None}
    if len(times) < len(steps):
        return steps
    return [steps[place] for place in sorted(times, key=lambda place: times[place])]


def _read_span(span: Span, options: ImportOptions, report: ImportReport) -> Iterator[_Step]:
    if span.kind == "database":
        event: Event | None = _read_database(span, report)
    elif span.kind == "tool":
        event = _read_tool(span, options, report)
    else:
        event = _read_retrieval(span, report)
    if event is not None:
        yield _Step(span.start, event)


def _read_retrieval(span: Span, report: ImportReport) -> Retrieval:
    is_reranker = span.kind == "reranker"
    passages = None if span.output is None else read_passages(span.output, report.left)
    report.taken["retrievals" if not is_reranker else "rerankings, as retrievals"] += 1
    report.taken["passages"] += len(passages or ())
    notes = () if passages is not None or span.error else ("the trace holds no passages of this retrieval",)
    if notes:
        report.left["retrievals whose passages the trace does not hold"] += 1
    elif passages and all(passage.text is None for passage in passages):
        report.changed["retrievals whose passages have no text in the trace"] += 1
    query = unwrap_json(span.input)
    return Retrieval(
        query=find_question(query) if isinstance(query, str) or _is_query(query) else None,
        strategy="rerank" if is_reranker else None,
        engine=span.model if is_reranker else None,
        top_k=span.top_k if span.top_k is not None else _top_k(query),
        status=_status(span.error),
        error=span.error,
        duration_ms=span.duration_ms,
        passages=passages,
        notes=notes,
    )


def _is_query(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in QUESTIONS)


def _top_k(value: Any) -> int | None:
    found = value.get("top_k", value.get("k")) if isinstance(value, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def _status(error: str | None) -> Any:
    return "ok" if error is None else read_outcome({"error": error}, is_sql=False).status


def _read_database(span: Span, report: ImportReport) -> SqlStatement:
    report.taken[f"SQL statements, status {_status(span.error)}"] += 1
    return SqlStatement(
        text=str(span.input),
        dialect=span.tool,
        status=_status(span.error),
        error=span.error,
        duration_ms=span.duration_ms,
        row_count=span.row_count if span.error is None else None,
        notes=() if span.error else ("the trace holds no rows",),
    )


def _read_tool(span: Span, options: ImportOptions, report: ImportReport) -> Event | None:
    name = _name(span)
    arguments = read_arguments(unwrap_json(span.input))
    if name in options.drop_tools:
        report.left[f"calls of {name} with their results: it belongs to the test harness"] += 1
        return None
    chosen = _choose(name, arguments, options)
    outcome = _outcome(span.error, span.output, NOT_RECORDED, is_sql=name in chosen.sql_tools)
    event = shape_event(Call(name, arguments, None), outcome, chosen, report)
    return event.model_copy(update={"duration_ms": span.duration_ms})


def _choose(name: str, arguments: Mapping[str, Any], options: ImportOptions) -> ImportOptions:
    """The options under which the call is SQL, where one of its arguments surely is."""
    return replace(options, sql_tools=options.sql_tools | {name}) if _sql_in(arguments) else options


def _sql_in(arguments: Mapping[str, Any]) -> str | None:
    """The SQL that a call carries: a text that begins like SQL, in an argument that is named after it."""
    texts = [arguments[name] for name in _SQL_FIELDS if isinstance(arguments.get(name), str)]
    return str(texts[0]) if len(texts) == 1 and is_sql(texts[0]) else None


def is_sql(text: str) -> bool:
    r"""Whether a text begins like SQL, after comments at most.

    >>> is_sql("-- of June\nSELECT 1"), is_sql("select the best lamp")
    (True, True)
    """
    return _SQL.match(text) is not None


def _outcome(error: str | None, output: Any, without: str, *, is_sql: bool) -> Outcome:
    if error is not None:
        return read_outcome({"error": error}, is_sql=is_sql)
    value = unwrap_json(output)
    if value is None:
        return Outcome("cancelled" if without == NO_RESULT else "ok", notes=(without,))
    if isinstance(value, dict) and value.get("type") == "tool" and "content" in value:
        is_error = value.get("status") == "error"
        value = {"error": str(value["content"])} if is_error else value["content"]
    return read_outcome(value, is_sql=is_sql)


def _read_told(spans: Sequence[Span], options: ImportOptions, report: ImportReport) -> Iterator[_Step]:
    told, tools = gather_told(spans), [span for span in spans if span.kind == "tool"]
    told_ids, seen_ids = told.ids, {span.call_id for span in tools if span.call_id}
    names = Counter(_name(span) for span in tools if span.call_id not in told_ids)
    for item in told.calls:
        name = fit_name(item.call.name) or "unknown"
        if item.ids & seen_ids or name in options.drop_tools:
            continue
        if names[name] > 0:
            names[name] -= 1
            continue
        arguments = read_arguments(unwrap_json(item.call.arguments))
        chosen = _choose(name, arguments, options)
        outcome = _outcome(None, told.result_of(item), NO_RESULT, is_sql=name in chosen.sql_tools)
        report.changed["calls of tools that only the messages of a model tell of"] += 1
        yield _Step(item.at, shape_event(Call(name, arguments, None), outcome, chosen, report))


def _name(span: Span) -> str:
    return fit_name(span.tool or span.name) or "unknown"


def _drop_twins(steps: Sequence[_Step], report: ImportReport) -> Iterator[_Step]:
    """The steps without a database's span for a statement that the call of a tool already tells of."""
    of_tools = Counter(_sql_of(step.event) for step in steps if not _is_bare(step.event))
    for step in steps:
        sql = _sql_of(step.event)
        if sql is not None and _is_bare(step.event) and of_tools[sql] > 0:
            of_tools[sql] -= 1
            report.taken[f"SQL statements, status {getattr(step.event, 'status', 'ok')}"] -= 1
            report.left["spans of a database for SQL that the call of a tool tells of"] += 1
        else:
            yield step


def _sql_of(event: Event) -> str | None:
    return event.text.strip() if isinstance(event, SqlStatement) else None


def _is_bare(event: Event) -> bool:
    return isinstance(event, SqlStatement) and event.rows is None and "the trace holds no rows" in event.notes
