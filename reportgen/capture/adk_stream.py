"""Google ADK event streams in their several spellings -> runs of messages; nothing is judged or dropped here.

Read are: a document with `samples`, each with `adk_events`; a session, an object with `events`; a list of
events; and JSON Lines in which each line is one of these objects or one event. Keys may be in snake_case or
camelCase.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from reportgen.capture.adk_events import Message, get_field, read_message, refuse_stream, text_or_none
from reportgen.capture.flaws import Flaw, decode_json
from reportgen.capture.lines import read_lines
from reportgen.errors import CaptureError

_USED_FIELDS = frozenset(
    {
        "adk_events",
        "events",
        "task_id",
        "instance_id",
        "id",
        "session_id",
        "database",
        "model",
        "final_response",
    }
)


@dataclass(frozen=True, slots=True)
class Run:
    """The messages of one sample, session or file, with what is known of it beside them.

    `unused` names the fields of the sample that are no part of a turn, such as the outcome of a benchmark.
    """

    name: str | None
    messages: Iterator[Message]
    database: str | None = None
    model: str | None = None
    final_response: str | None = None
    unused: tuple[str, ...] = ()


def read_runs(path: Path) -> Iterator[Run]:
    """The runs of a file. JSON Lines are read as a stream, any other document whole.

    Raises:
        CaptureError: The file cannot be read, or holds something that is no ADK event.
    """
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        raise CaptureError(f"{path} holds no events", "Give a file with at least one run.")
    try:
        value = decode_json(first[1])
    except Flaw:
        # Not JSON by itself: the first line of a document that is laid out over many.
        yield from _read_document(_decode(_read_whole(path), str(path)), str(path))
    else:
        yield from _read_json_lines(path, first[0], value, lines)


def _read_whole(path: Path) -> bytes:
    return path.read_bytes().removeprefix(b"\xef\xbb\xbf")


def _decode(raw: bytes, place: str) -> Any:
    try:
        return decode_json(raw)
    except Flaw as flaw:
        raise refuse_stream(place, f"{flaw.field} {flaw.problem}".strip()) from None


def _read_json_lines(path: Path, number: int, value: Any, lines: Iterable[tuple[int, bytes]]) -> Iterator[Run]:
    others = ((f"{path}, line {line}", _decode(raw, f"{path}, line {line}")) for line, raw in lines)
    values = chain([(f"{path}, line {number}", value)], others)
    if _is_document(value):
        for place, item in values:
            yield from _read_document(item, place)
    else:
        yield Run(None, (read_message(item, place) for place, item in values))


def _is_document(value: object) -> bool:
    return isinstance(value, list) or (
        isinstance(value, dict) and any(isinstance(value.get(key), list) for key in ("samples", "adk_events", "events"))
    )


def _read_document(value: Any, place: str) -> Iterator[Run]:
    if isinstance(value, dict) and isinstance(value.get("samples"), list):
        for number, sample in enumerate(value["samples"]):
            yield _read_sample(sample, f"{place}, samples[{number}]", value.get("model"))
    elif isinstance(value, list):
        yield Run(None, _read_messages(value, place))
    else:
        yield _read_sample(value, place, None)


def _read_sample(sample: Any, place: str, model: object) -> Run:
    events = get_field(sample, "adk_events", "events") if isinstance(sample, dict) else None
    if not isinstance(events, list):
        raise refuse_stream(place, "there is neither a list of events nor an object with one")
    name = get_field(sample, "instance_id", "task_id", "session_id", "id")
    return Run(
        name=name if isinstance(name, str) and name else None,
        messages=_read_messages(events, f"{place}, events"),
        database=text_or_none(sample.get("database")),
        model=text_or_none(sample.get("model")) or text_or_none(model),
        final_response=text_or_none(sample.get("final_response")),
        unused=tuple(key for key in sample if key not in _USED_FIELDS),
    )


def _read_messages(events: list[Any], place: str) -> Iterator[Message]:
    return (read_message(event, f"{place}[{number}]") for number, event in enumerate(events))
