"""MLflow traces -> turns, as `capture.span_turns` describes.

Read are traces with `info` and `data`, as `Trace.to_json` writes them, in a list, alone or one a line. Users, tags and
other metadata are not taken; assessments are counted.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from reportgen.capture.drafts import count_left, refuse_empty, require_zone
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.json_values import read_values, unwrap_json
from reportgen.capture.moments import read_moment
from reportgen.capture.otel_contents import pick, pick_text, text_or_none
from reportgen.capture.span_turns import TurnMaker
from reportgen.capture.spans import Kind, Span
from reportgen.errors import CaptureError
from reportgen.model.turn import Turn

_FIX = "Export traces with `Trace.to_json`, as a list or one a line."
_KINDS: dict[str, Kind] = {
    "LLM": "llm",
    "CHAT_MODEL": "llm",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "TOOL": "tool",
    "AGENT": "agent",
    "CHAIN": "chain",
    "WORKFLOW": "chain",
    "TASK": "chain",
    "EMBEDDING": "embedding",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
}
_STARTS = ("start_time_unix_nano", "start_time_ns", "start_time")
_ENDS = ("end_time_unix_nano", "end_time_ns", "end_time")
_UNTAKEN = ("tags", "trace_metadata", "request_metadata")


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of the traces, in their order.

    Raises:
        CaptureError: The file cannot be read as such, there is no time, or no trace holds a question.
    """
    require_zone(options)
    maker = TurnMaker(path, options, report)
    for place, item in read_values(path, lambda what: report.changed.update([what])):
        value = unwrap_json(item)
        info, data = (value.get("info"), value.get("data")) if isinstance(value, dict) else (None, None)
        if not isinstance(info, dict) or not isinstance(data, dict) or not isinstance(data.get("spans"), list):
            raise CaptureError(f"{place}: is no trace of MLflow: it has no info, or no data with spans", _FIX)
        yield from _make(info, data["spans"], place, maker, report)
    if not maker.made:
        raise refuse_empty(path, report)
    maker.finish()


def _make(
    info: Mapping[str, Any], items: list[Any], place: str, maker: TurnMaker, report: ImportReport
) -> Iterator[Turn]:
    for name in _UNTAKEN:
        if info.get(name):
            count_left("fields of traces that are no part of a turn", name, report)
    spans = []
    for number, item in enumerate(items):
        where = f"{place}, data.spans[{number}]"
        if not isinstance(item, dict):
            raise CaptureError(f"{where}: is no span, which must be an object", _FIX)
        spans.append(_read_span(item, where))
    if not spans:
        report.left["traces without spans"] += 1
        return
    ids = {span.id for span in spans}
    root = next((span for span in spans if span.parent is None or span.parent not in ids), spans[0])
    _complete(root, info, place)
    yield from maker.make([span for span in spans if span is not root], root)


def _complete(root: Span, info: Mapping[str, Any], place: str) -> None:
    """What the trace itself says, where its root does not."""
    root.trace = pick_text(info, "trace_id", "request_id", "client_request_id") or root.trace
    metadata = pick(info, "trace_metadata", "request_metadata")
    if isinstance(metadata, dict):
        root.conversation = text_or_none(metadata.get("mlflow.trace.session"))
    begun = read_moment(pick(info, "request_time", "timestamp_ms"), place)
    if root.start is None and begun is not None:
        root.start = begun[0]
    took = pick(info, "execution_duration_ms", "execution_time_ms")
    if root.end is None and root.start is not None and isinstance(took, int) and 0 <= took < 10**11:
        root.end = root.start + timedelta(milliseconds=took)
    if str(info.get("state", info.get("status"))).upper() == "ERROR" and root.error is None:
        root.error = "the trace tells of an error without saying which"
    assessments = info.get("assessments")
    root.others += len(assessments) if isinstance(assessments, list) else 0


def _read_span(item: Mapping[str, Any], place: str) -> Span:
    recorded = item.get("attributes") or {}
    if not isinstance(recorded, dict):
        raise CaptureError(f"{place}: its attributes are no object", _FIX)
    attributes = {name: unwrap_json(value) for name, value in recorded.items()}
    context = item.get("context") if isinstance(item.get("context"), dict) else {}
    kind = _KINDS.get(str(attributes.get("mlflow.spanType") or item.get("span_type")).upper(), "other")
    given = attributes.get("mlflow.spanInputs", item.get("inputs"))
    start, end = (read_moment(pick(item, *names), place) for names in (_STARTS, _ENDS))
    return Span(
        place=place,
        kind=kind,
        name=text_or_none(item.get("name")) or "",
        id=pick_text({**(context or {}), **item}, "span_id"),
        parent=pick_text(item, "parent_span_id", "parent_id"),
        start=None if start is None else start[0],
        end=None if end is None else end[0],
        error=_error(item),
        input=given,
        output=attributes.get("mlflow.spanOutputs", item.get("outputs")),
        model=pick_text(attributes, "mlflow.llm.model")
        or (pick_text(given, "model") if isinstance(given, dict) and kind == "llm" else None),
        tool=text_or_none(item.get("name")) if kind == "tool" else None,
    )


def _error(item: Mapping[str, Any]) -> str | None:
    status = item.get("status")
    code = status.get("code") if isinstance(status, dict) else item.get("status_code")
    if str(code).upper() not in ("2", "ERROR", "STATUS_CODE_ERROR"):
        return None
    message = status.get("message") if isinstance(status, dict) else item.get("status_message")
    return text_or_none(message) or "the span tells of an error without saying which"
