"""What went into a span and came out of it, by the attributes of the kind that it is of."""

from collections.abc import Mapping
from typing import Any

from reportgen.capture.json_values import unwrap_json
from reportgen.capture.otel_files import gather
from reportgen.capture.spans import Span

_MESSAGES_IN = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "ai.prompt.messages")
_MESSAGES_OUT = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion")
_INPUTS = ("input.value", "traceloop.entity.input", "ai.prompt", "input")
_OUTPUTS = ("output.value", "traceloop.entity.output", "ai.response.text", "ai.response.object", "output")
_ARGUMENTS = (
    *("gen_ai.tool.call.arguments", "input.value", "ai.toolCall.args", "gcp.vertex.agent.tool_call_args"),
    *("traceloop.entity.input", "tool.parameters", "input"),
)
_RESULTS = (
    *("gen_ai.tool.call.result", "output.value", "ai.toolCall.result", "gcp.vertex.agent.tool_response"),
    *("traceloop.entity.output", "output"),
)


def fill_contents(span: Span, attributes: Mapping[str, Any]) -> None:
    """What went in and came out, by the kind of the span."""
    if span.kind == "database":
        span.input = pick(attributes, "db.query.text", "db.statement")
        span.tool = pick_text(attributes, "db.system.name", "db.system")
        span.row_count = count_or_none(attributes.get("db.response.returned_rows"))
    elif span.kind == "tool":
        _fill_tool(span, attributes)
    elif span.kind in ("retriever", "reranker"):
        _fill_retrieval(span, attributes)
    elif span.kind != "embedding":
        span.input, span.output = pick(attributes, *_INPUTS), pick(attributes, *_OUTPUTS)
        span.messages_in = next(
            (found for name in _MESSAGES_IN if (found := gather(attributes, name)) is not None), None
        )
        span.messages_out = next(
            (found for name in _MESSAGES_OUT if (found := gather(attributes, name)) is not None), None
        )
        _fill_relatives(span, attributes)


def _fill_relatives(span: Span, attributes: Mapping[str, Any]) -> None:
    """What Google ADK, Vercel's AI SDK and Pydantic AI write under names of their own."""
    if span.messages_in is None:
        span.messages_in = pick(
            attributes, "gcp.vertex.agent.llm_request", "pydantic_ai.all_messages", "all_messages_events"
        )
    if span.messages_out is None and attributes.get("gcp.vertex.agent.llm_response") not in (None, "{}"):
        span.messages_out = attributes["gcp.vertex.agent.llm_response"]
    if span.messages_out is None and isinstance(attributes.get("ai.response.object"), str):
        span.messages_out = [{"role": "assistant", "content": attributes["ai.response.object"]}]
    calls = unwrap_json(attributes.get("ai.response.toolCalls"))
    if span.messages_out is None and isinstance(calls, list):
        parts = [{"type": "tool-call", **call} for call in calls if isinstance(call, dict)]
        text = attributes.get("ai.response.text")
        content = [*([{"type": "text", "text": text}] if isinstance(text, str) and text else []), *parts]
        span.messages_out = [{"role": "assistant", "content": content}]


def _fill_tool(span: Span, attributes: Mapping[str, Any]) -> None:
    span.input, span.output = pick(attributes, *_ARGUMENTS), pick(attributes, *_RESULTS)
    names = ("tool.name", "gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name")
    output = unwrap_json(span.output)
    inner = output if isinstance(output, dict) and output.get("type") == "tool" else {}
    span.tool = pick_text(attributes, *names) or text_or_none(inner.get("name"))
    span.call_id = pick_text(
        attributes, "gen_ai.tool.call.id", "tool.id", "ai.toolCall.id", "tool_call.id"
    ) or text_or_none(inner.get("tool_call_id"))


def _fill_retrieval(span: Span, attributes: Mapping[str, Any]) -> None:
    is_reranker = span.kind == "reranker"
    names = ("reranker.output_documents",) if is_reranker else ("retrieval.documents", "gen_ai.retrieval.documents")
    found = (gather(attributes, name) for name in names)
    documents = next((item for item in found if item is not None), None)
    span.output = documents if documents is not None else pick(attributes, *_OUTPUTS)
    span.input = pick(attributes, *(("reranker.query",) if is_reranker else ("gen_ai.retrieval.query.text",)), *_INPUTS)
    span.top_k = count_or_none(pick(attributes, "reranker.top_k" if is_reranker else "gen_ai.request.top_k"))
    span.model = pick_text(attributes, "reranker.model_name") if is_reranker else None


def pick(values: Mapping[str, Any], *names: str) -> Any:
    """The first of the values that is there."""
    return next((values[name] for name in names if values.get(name) not in (None, "")), None)


def pick_text(values: Mapping[str, Any], *names: str) -> str | None:
    """The first of the values that is a text and not empty."""
    return next((str(values[name]) for name in names if text_or_none(values.get(name))), None)


def text_or_none(value: Any) -> str | None:
    """A text that is not empty; None for anything else."""
    return value if isinstance(value, str) and value else None


def count_or_none(value: Any) -> int | None:
    """A whole number of 0 or more; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
