"""Langfuse traces with their observations -> turns, as `capture.span_turns` describes.

Read are objects with `trace` and `observations`, traces that hold their `observations`, rows of traces alone, and rows
of observations, which are put together by `traceId`. What the trace itself was given and gave counts before what its
observations were. Names of users, metadata and tags are not taken; scores are counted.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from reportgen.capture.drafts import count_left, refuse_empty, require_zone
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.json_values import read_values
from reportgen.capture.moments import read_moment
from reportgen.capture.otel_contents import pick, pick_text, text_or_none
from reportgen.capture.span_turns import TurnMaker
from reportgen.capture.spans import Kind, Span, group_traces
from reportgen.errors import CaptureError
from reportgen.model.turn import Turn

_FIX = "Export traces with their observations as JSON or JSON Lines."
_KINDS: dict[str, Kind] = {
    "GENERATION": "llm",
    "TOOL": "tool",
    "RETRIEVER": "retriever",
    "AGENT": "agent",
    "CHAIN": "chain",
    "EMBEDDING": "embedding",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
}
_PREFIXES = ("running tool: ", "execute_tool ", "tool: ")
_UNTAKEN = ("metadata", "tags", "userId", "comments", "bookmarked")


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of the traces, in their order; rows of observations come last, since they are held until the end.

    Raises:
        CaptureError: The file cannot be read as such, there is no time, or no trace holds a question.
    """
    require_zone(options)
    maker = TurnMaker(path, options, report)
    rows: list[Span] = []
    for place, value in read_values(path, lambda what: report.changed.update([what]), held=True):
        if not isinstance(value, dict):
            raise CaptureError(f"{place}: is no trace, which must be an object", _FIX)
        trace = value["trace"] if isinstance(value.get("trace"), dict) else value
        observations = value.get("observations", trace.get("observations"))
        if observations is None and text_or_none(value.get("traceId")) and "type" in value:
            rows.append(_read_observation(value, place))
            continue
        yield from _make(trace, observations, place, maker, report)
    for spans in group_traces(rows):
        yield from maker.make(spans)
    if not maker.made:
        raise refuse_empty(path, report)
    maker.finish()


def _make(
    trace: Mapping[str, Any], observations: Any, place: str, maker: TurnMaker, report: ImportReport
) -> Iterator[Turn]:
    if not text_or_none(trace.get("id")):
        raise CaptureError(f"{place}: is no trace: it has no id", _FIX)
    if observations is None:
        report.left["traces whose observations the file does not hold, so that their steps are unknown"] += 1
    elif not isinstance(observations, list) or not all(isinstance(item, dict) for item in observations):
        raise CaptureError(f"{place}, observations: must be a list of objects", _FIX)
    for name in _UNTAKEN:
        if trace.get(name):
            count_left("fields of traces that are no part of a turn", name, report)
    found = enumerate(observations or ())
    spans = [_read_observation(item, f"{place}, observations[{number}]") for number, item in found]
    yield from maker.make(spans, _read_root(trace, place, spans))


def _read_root(trace: Mapping[str, Any], place: str, spans: list[Span]) -> Span:
    begun = read_moment(pick(trace, "timestamp", "createdAt"), place)
    start = None if begun is None else begun[0]
    latency = trace.get("latency")
    ends = [span.end for span in spans if span.end is not None]
    end = max(ends, default=None)
    if start is not None and isinstance(latency, int | float) and 0 <= latency < 10**8:
        end = start + timedelta(seconds=latency)
    scores = trace.get("scores")
    named = {name: text_or_none(trace.get(name)) for name in ("environment", "release", "version")}
    return Span(
        place=place,
        kind="chain",
        name=text_or_none(trace.get("name")) or "",
        trace=text_or_none(trace.get("id")),
        start=start,
        end=end,
        input=trace.get("input"),
        output=trace.get("output"),
        conversation=text_or_none(trace.get("sessionId")),
        service=text_or_none(trace.get("name")),
        labels={name: value for name, value in named.items() if value is not None},
        others=len(scores) if isinstance(scores, list | dict) else 0,
        is_trace=True,
    )


def _read_observation(item: Mapping[str, Any], place: str) -> Span:
    kind = _KINDS.get(str(item.get("type")).upper(), "other")
    name = text_or_none(item.get("name")) or ""
    start, end = (read_moment(item.get(field), place) for field in ("startTime", "endTime"))
    is_error = str(item.get("level")).upper() == "ERROR"
    return Span(
        place=place,
        kind=kind,
        name=name,
        id=text_or_none(item.get("id")),
        parent=text_or_none(item.get("parentObservationId")),
        trace=text_or_none(item.get("traceId")),
        start=None if start is None else start[0],
        end=None if end is None else end[0],
        error=(text_or_none(item.get("statusMessage")) or "the level is ERROR") if is_error else None,
        input=item.get("input"),
        output=item.get("output"),
        model=pick_text(item, "model", "providedModelName", "internalModel"),
        tool=_strip(name) if kind == "tool" else None,
    )


def _strip(name: str) -> str:
    return next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)
