"""Files of OpenTelemetry spans -> spans as they were recorded, each with the attributes of its resource.

Read are OTLP/JSON (`resourceSpans`, also the older `batches` and `instrumentationLibrarySpans`), lists of spans as SDKs
and Phoenix write them, objects with `spans` or `data`, and objects of attributes alone; each as a document or a line.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.capture.importers import ImportReport
from reportgen.capture.json_values import read_values
from reportgen.errors import CaptureError

_FIX = "Export the spans as OTLP/JSON, or as a list of spans with their attributes."
_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_LISTS = ("spans", "data")
_LOGS = ("resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
_SPAN = ("spanId", "span_id", "spanContext", "context", "attributes")
_KNOWN = ("openinference.", "gen_ai.", "llm.")


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A span as it was recorded; `attributes` are flat, names with dots; `events` are as recorded."""

    place: str
    fields: Mapping[str, Any]
    attributes: Mapping[str, Any]
    resource: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...]


def read_raw_spans(path: Path, report: ImportReport) -> Iterator[RawSpan]:
    """The spans of a file in its order.

    Raises:
        CaptureError: The file cannot be read, or holds something that is no span.
    """
    for place, value in read_values(path, lambda what: report.changed.update([what]), held=True):
        yield from _walk(value, place, {}, report)


def _walk(value: Any, place: str, resource: Mapping[str, Any], report: ImportReport) -> Iterator[RawSpan]:
    if not isinstance(value, dict):
        raise CaptureError(f"{place}: is no span, which must be an object", _FIX)
    for name in _LOGS:
        if isinstance(value.get(name), list):
            report.left["log records and metrics, which are no spans"] += len(value[name])
            return
    for name in (*_RESOURCES, *_SCOPES, *_LISTS):
        if isinstance(value.get(name), list) and "attributes" not in value:
            inner = _resource_of(value) or resource
            for number, item in enumerate(value[name]):
                own = _resource_of(item) if isinstance(item, dict) and name in _RESOURCES else inner
                yield from _walk(item, f"{place}, {name}[{number}]", own, report)
            return
    yield _read_span(value, place, resource)


def _resource_of(value: Mapping[str, Any]) -> Mapping[str, Any]:
    resource = value.get("resource")
    return read_attributes(resource.get("attributes")) if isinstance(resource, dict) else {}


def _read_span(value: Mapping[str, Any], place: str, resource: Mapping[str, Any]) -> RawSpan:
    events = value.get("events") or value.get("span_events") or value.get("spanEvents") or []
    given = value.get("attributes")
    if not isinstance(events, list) or not isinstance(given, list | dict | None):
        raise CaptureError(f"{place}: its attributes or its events are no list and no object", _FIX)
    if any(name in value for name in _SPAN):
        attributes = read_attributes(given)
    elif any(name.startswith(_KNOWN) for name in value):
        attributes = read_attributes(value)
    else:
        raise CaptureError(f"{place}: is no span: it has neither an id nor attributes", _FIX)
    own = {**resource, **_resource_of(value)}
    return RawSpan(place, value, attributes, own, tuple(event for event in events if isinstance(event, dict)))


def read_attributes(given: Any) -> dict[str, Any]:
    """Attributes by name: of the list of OTLP, or of an object, whose inner objects have names with dots too."""
    if isinstance(given, list):
        pairs = ((item.get("key"), item.get("value")) for item in given if isinstance(item, dict))
        return {str(name): _read_any(value) for name, value in pairs}
    return dict(_flatten(given, "")) if isinstance(given, dict) else {}


def _flatten(value: Mapping[str, Any], prefix: str, depth: int = 6) -> Iterator[tuple[str, Any]]:
    for name, item in value.items():
        yield f"{prefix}{name}", item
        if isinstance(item, dict) and depth:
            yield from _flatten(item, f"{prefix}{name}.", depth - 1)


def _read_any(value: Any) -> Any:
    """A value of OTLP, whose one field says of what kind it is."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    if kind == "arrayValue":
        return [_read_any(item) for item in (inner or {}).get("values", [])]
    if kind == "kvlistValue":
        return {item.get("key"): _read_any(item.get("value")) for item in (inner or {}).get("values", [])}
    if kind == "intValue" and isinstance(inner, str) and inner.lstrip("-").isdecimal():
        return int(inner)
    return inner if kind.endswith("Value") else value


def gather(attributes: Mapping[str, Any], prefix: str) -> Any:
    """What stands under a name: the value itself, or the list or object that names with dots and numbers spell.

    >>> gather({"m.0.role": "user", "m.1.role": "tool", "n": 1}, "m")
    [{'role': 'user'}, {'role': 'tool'}]
    """
    if attributes.get(prefix) is not None:
        return attributes[prefix]
    root: dict[str, Any] = {}
    for name, value in attributes.items():
        if name.startswith(f"{prefix}."):
            _put(root, name[len(prefix) + 1 :].split("."), value)
    return _as_lists(root) if root else None


def _put(root: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1][:12]:
        inner = root.setdefault(step, {})
        if not isinstance(inner, dict):
            return
        root = inner
    root.setdefault(steps[-1], value)


def _as_lists(value: Any) -> Any:
    """Objects whose names are all numbers as lists, by the size of the numbers."""
    if not isinstance(value, dict):
        return value
    if value and all(name.isdecimal() and len(name) < 10 for name in value):
        return [_as_lists(value[name]) for name in sorted(value, key=int)]
    return {name: _as_lists(item) for name, item in value.items()}
