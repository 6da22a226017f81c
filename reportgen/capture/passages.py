"""Retrieved passages in the shapes in which programs record them."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from reportgen.capture.json_values import unwrap_json
from reportgen.capture.record_fields import to_snake
from reportgen.model.turn import Passage

LISTS = (
    "documents",
    "contexts",
    "chunks",
    "passages",
    "results",
    "matches",
    "nodes",
    "hits",
    "source_documents",
    "docs",
)

_TEXTS = ("text", "content", "page_content", "passage", "chunk", "chunk_text", "document", "body", "snippet", "context")
_IDS = ("id", "document_id", "doc_id", "chunk_id", "passage_id", "node_id", "id_", "_id", "doc_uri")
_SOURCES = ("source", "file_name", "filename", "file", "path", "document_name", "title", "url", "uri", "doc_uri")
_SCORES = ("score", "similarity", "relevance_score", "similarity_score", "relevance", "_score")
_RANKS = ("rank", "position")
_INNER = ("document", "node", "metadata")
_MOST_NAMES = 40


def read_passages(value: Any, left: Counter[str]) -> tuple[Passage, ...] | None:
    """The passages that a value holds, in its order; None where it holds none, as where it is null.

    Args:
        value: A list of texts or objects, an object with such a list, or a text, also as JSON.
        left: Counts fields of passages that are not taken.
    """
    value = unwrap_json(value)
    if isinstance(value, str):
        return (Passage(text=value),)
    if isinstance(value, dict):
        named = {to_snake(name): inner for name, inner in reversed(value.items())}
        found = [named[name] for name in LISTS if isinstance(unwrap_json(named.get(name)), list)]
        if not found:
            return (_read(value, left),) if any(name in named for name in _TEXTS) else None
        value = unwrap_json(found[0])
    if not isinstance(value, list):
        return None
    if len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return tuple(_read(item, left) for item in value)


def _read(item: Any, left: Counter[str]) -> Passage:
    item = unwrap_json(item)
    if not isinstance(item, dict):
        return Passage(text=None if item is None else str(item))
    fields = _flatten(item)
    passage = Passage(
        rank=_rank(fields),
        id=_as_text(_take(fields, _IDS)),
        source=_as_text(_take(fields, _SOURCES)),
        score=_number(_take(fields, _SCORES)),
        text=_as_text(_take(fields, _TEXTS)),
    )
    _count_left(fields, left)
    return passage


def _flatten(item: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the passage, of the document or node within it, and of its metadata; outer ones win."""
    fields = dict(item)
    for name in _INNER:
        inner = unwrap_json(fields.get(name))
        if isinstance(inner, dict):
            del fields[name]
            fields = {**(_flatten(inner) if name != "metadata" else inner), **fields}
    return fields


def _take(fields: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The first of the fields, in snake_case or camelCase, that has a value, which is taken out."""
    written = {to_snake(name): name for name in reversed(fields)} | {name: name for name in fields}
    for name in (written[name] for name in names if name in written):
        if isinstance(fields[name], str | int | float) and not isinstance(fields[name], bool) and fields[name] != "":
            return fields.pop(name)
    return None


def _as_text(value: Any) -> str | None:
    return None if value is None else str(value)


def _number(value: Any) -> float | None:
    try:
        number = None if value is None else float(value)
    except (ValueError, OverflowError):
        return None
    return number if number is not None and math.isfinite(number) else None


def _rank(fields: dict[str, Any]) -> int | None:
    """The rank, if it counts from 1."""
    for name in _RANKS:
        if isinstance(fields.get(name), int) and not isinstance(fields[name], bool) and fields[name] >= 1:
            return int(fields.pop(name))
    return None


def _count_left(fields: Mapping[str, Any], left: Counter[str]) -> None:
    for name, value in fields.items():
        if value is not None and value not in ("", [], {}):
            what = f"fields of passages that are not taken: {name[:60]}"
            left[what if what in left or len(left) < _MOST_NAMES else "other fields"] += 1
