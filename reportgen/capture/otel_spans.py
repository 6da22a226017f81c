"""Recorded spans -> what they mean, by the attributes of OpenInference, OpenTelemetry GenAI and their relatives.

Where a span bears several of these, the first that says it holds: OpenInference, GenAI, then what Vercel's AI SDK,
OpenLLMetry and Google ADK write beside or instead of them.
"""

from collections.abc import Mapping
from typing import Any

from reportgen.capture.json_values import unwrap_json
from reportgen.capture.moments import read_moment
from reportgen.capture.otel_contents import fill_contents, pick, pick_text, text_or_none
from reportgen.capture.otel_files import RawSpan, read_attributes
from reportgen.capture.span_events import is_sql
from reportgen.capture.spans import Kind, Span

_OPENINFERENCE: dict[str, Kind] = {
    "LLM": "llm",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "TOOL": "tool",
    "AGENT": "agent",
    "CHAIN": "chain",
    "EMBEDDING": "embedding",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
}
_OPERATIONS: dict[str, Kind] = {
    "chat": "llm",
    "generate_content": "llm",
    "text_completion": "llm",
    "retrieval": "retriever",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "invoke_workflow": "chain",
    "embeddings": "embedding",
    "create_agent": "other",
}
_TRACELOOP: dict[str, Kind] = {"workflow": "chain", "task": "chain", "agent": "agent", "tool": "tool"}
_SQL_SYSTEMS = (
    *(
        "postgres",
        "mysql",
        "mariadb",
        "sqlite",
        "mssql",
        "sql_server",
        "oracle",
        "db2",
        "snowflake",
        "bigquery",
        "redshift",
    ),
    *("clickhouse", "trino", "presto", "duckdb", "databricks", "cockroach", "hive", "teradata", "other_sql", "spanner"),
)
_MODELS = ("llm.model_name", "gen_ai.response.model", "ai.response.model", "gen_ai.request.model", "ai.model.id")
_LEGACY_ROLES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}


def read_span(raw: RawSpan) -> Span:
    """The span with what its attributes mean.

    Raises:
        CaptureError: One of its times cannot be read.
    """
    attributes = _with_events(raw)
    kind = _kind(attributes, raw)
    context = raw.fields.get("spanContext") or raw.fields.get("context") or {}
    both = {**context, **raw.fields} if isinstance(context, dict) else raw.fields
    span = Span(
        place=raw.place,
        kind=kind,
        name=text_or_none(both.get("name")) or "",
        id=pick_text(both, "spanId", "span_id", "id"),
        parent=_parent(both),
        trace=pick_text(both, "traceId", "trace_id"),
        start=_moment(both, raw.place, "startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano"),
        end=_moment(both, raw.place, "endTimeUnixNano", "end_time", "endTime", "end_time_unix_nano"),
        error=_error(raw, attributes),
        model=pick_text(attributes, *_MODELS),
        conversation=pick_text(attributes, "session.id", "gen_ai.conversation.id"),
        agent=pick_text(attributes, "gen_ai.agent.name", "agent.name"),
        version=pick_text({**raw.resource, **attributes}, "gen_ai.agent.version", "service.version"),
        service=_service(raw.resource),
        labels=_labels({**raw.resource, **attributes}),
        others=_count_others(raw),
    )
    fill_contents(span, attributes)
    return span


def _with_events(raw: RawSpan) -> dict[str, Any]:
    """The attributes of the span, and what its events say of the messages of a model."""
    attributes = dict(raw.attributes)
    told: list[dict[str, Any]] = []
    for event in raw.events:
        name, own = pick_text(event, "name", "event_name") or "", read_attributes(event.get("attributes"))
        body = event.get("body")
        if name in ("gen_ai.client.inference.operation.details", "gen_ai.content.prompt", "gen_ai.content.completion"):
            attributes |= {key: value for key, value in own.items() if key.startswith("gen_ai.")}
        elif name in _LEGACY_ROLES:
            told.append({"role": _LEGACY_ROLES[name], **own, **(body if isinstance(body, dict) else {})})
        elif name == "gen_ai.choice":
            choice = {**own, **(body if isinstance(body, dict) else {})}
            attributes.setdefault("gen_ai.output.messages", [{"role": "assistant", **_message_of(choice)}])
        elif isinstance(body, dict) and ("input" in body or "output" in body):
            _take_body(body, attributes)
    if told:
        attributes.setdefault("gen_ai.input.messages", told)
    return attributes


def _message_of(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    message = unwrap_json(choice.get("message"))
    return message if isinstance(message, dict) else {**choice, "content": message or choice.get("content")}


def _take_body(body: Mapping[str, Any], attributes: dict[str, Any]) -> None:
    """Input and output as AWS's distribution records them, each within the one message of a body."""
    for side, name in (("input", "input.value"), ("output", "output.value")):
        part = body.get(side)
        messages = part.get("messages") if isinstance(part, dict) else None
        if isinstance(messages, list) and len(messages) == 1 and isinstance(messages[0], dict):
            attributes.setdefault(name, messages[0].get("content"))
        elif messages:
            attributes.setdefault(f"gen_ai.{side}.messages", messages)


def _kind(attributes: Mapping[str, Any], raw: RawSpan) -> Kind:
    named: tuple[tuple[str, Mapping[str, Kind]], ...] = (
        ("openinference.span.kind", _OPENINFERENCE),
        ("gen_ai.operation.name", _OPERATIONS),
        ("traceloop.span.kind", _TRACELOOP),
    )
    for name, kinds in named:
        given = attributes.get(name)
        if isinstance(given, str) and (kind := kinds.get(given) or kinds.get(given.upper())):
            return kind
    if _is_sql_span(attributes):
        return "database"
    return _kind_by_signs(attributes, raw)


def _kind_by_signs(attributes: Mapping[str, Any], raw: RawSpan) -> Kind:
    operation = str(attributes.get("ai.operationId", ""))
    if operation.startswith("ai.embed"):
        return "embedding"
    if operation == "ai.toolCall":
        return "tool"
    if operation.startswith("ai.") or "gcp.vertex.agent.llm_request" in attributes or "llm.request.type" in attributes:
        return "llm"
    output = unwrap_json(attributes.get("output.value")) if raw.events else None
    if isinstance(output, dict) and "generations" in output:
        return "llm"
    if isinstance(output, dict) and output.get("type") == "tool":
        return "tool"
    return "chain" if output is not None else "other"


def _is_sql_span(attributes: Mapping[str, Any]) -> bool:
    text = attributes.get("db.query.text") or attributes.get("db.statement")
    system = str(attributes.get("db.system.name") or attributes.get("db.system") or "").lower()
    if not isinstance(text, str) or not text.strip():
        return False
    return any(name in system for name in _SQL_SYSTEMS) if system else is_sql(text)


def _parent(fields: Mapping[str, Any]) -> str | None:
    inner = fields.get("parentSpanContext")
    return pick_text(fields, "parentSpanId", "parent_span_id", "parentId", "parent_id") or (
        pick_text(inner, "spanId", "span_id") if isinstance(inner, dict) else None
    )


def _moment(fields: Mapping[str, Any], place: str, *names: str) -> Any:
    found = read_moment(pick(fields, *names), place)
    return None if found is None else found[0]


def _error(raw: RawSpan, attributes: Mapping[str, Any]) -> str | None:
    status = raw.fields.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else raw.fields.get("status_code")
    if str(code).upper() not in ("2", "ERROR", "STATUS_CODE_ERROR"):
        return None
    message = pick_text(status, "message", "description") if isinstance(status, dict) else None
    told = (read_attributes(event.get("attributes")).get("exception.message") for event in raw.events)
    return (
        message
        or next((text for text in told if isinstance(text, str) and text), None)
        or (
            pick_text(attributes, "exception.message", "error.type")
            or "the span tells of an error without saying which"
        )
    )


def _service(resource: Mapping[str, Any]) -> str | None:
    name = pick_text(resource, "service.name")
    return None if name is None or name.startswith("unknown_service") else name


def _labels(attributes: Mapping[str, Any]) -> dict[str, str]:
    named = {
        "collection": pick_text(attributes, "gen_ai.data_source.id"),
        "environment": pick_text(attributes, "deployment.environment.name", "deployment.environment"),
        "prompt_version": pick_text(attributes, "llm.prompt_template.version"),
    }
    return {name: value for name, value in named.items() if value is not None}


def _count_others(raw: RawSpan) -> int:
    names = [event.get("name") or event.get("event_name") for event in raw.events]
    own = any(name.startswith(("evaluation.", "evaluations", "annotation.")) for name in raw.attributes)
    return names.count("gen_ai.evaluation.result") + own
