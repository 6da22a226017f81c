"""One event of a Google ADK stream, in any of its spellings -> a message with its parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from reportgen.errors import CaptureError

_LATEST_SECONDS = 10_000_000_000
_FIX = "Check that the file is a Google ADK event stream and not cut off."


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a message: a text, a call of a tool, the result of one, or another (`name` says what)."""

    kind: Literal["text", "thought", "call", "result", "other"]
    text: str = ""
    name: str = ""
    call_id: str | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class Message:
    """One event of the stream. `author` is None for the user."""

    place: str
    author: str | None
    parts: tuple[Part, ...]
    moment: datetime | None = None
    model: str | None = None
    error: str | None = None
    partial: bool = False

    @property
    def is_question(self) -> bool:
        """Whether a user says something new; the result of a tool, which a user may hand in too, is not."""
        return self.author is None and any(part.kind == "text" for part in self.parts)


def refuse_stream(place: str, problem: str) -> CaptureError:
    """The error for a place in a stream that cannot be read."""
    return CaptureError(f"{place}: {problem}", _FIX)


def read_message(event: Any, place: str) -> Message:
    """The message that one event is.

    Raises:
        CaptureError: It is no ADK event.
    """
    if not isinstance(event, dict):
        raise refuse_stream(place, "is not an event, which must be an object")
    if event.get("type") == "user_message":
        return Message(place, None, (Part("text", text=str(event.get("message", ""))),), _read_moment(event, place))
    if not {"author", "content", "invocation_id", "invocationId"} & event.keys():
        raise refuse_stream(place, 'is not an event: it has neither an "author" nor a "content"')
    author = text_or_none(event.get("author"))
    parts = tuple(_read_part(part, place) for part in _list_parts(event, place))
    return Message(
        place=place,
        author=None if author == "user" else author or "unknown",
        parts=parts,
        moment=_read_moment(event, place),
        model=text_or_none(get_field(event, "model_version")),
        error=_read_error(event),
        partial=event.get("partial") is True,
    )


def _list_parts(event: Mapping[str, Any], place: str) -> list[Any]:
    content = event.get("content")
    parts = content.get("parts") if isinstance(content, dict) else content
    if parts is None:
        return []
    if isinstance(parts, str):
        return [{"text": parts}]
    if not isinstance(parts, list):
        raise refuse_stream(place, "the parts of its content are not a list")
    return parts


def _read_part(part: Any, place: str) -> Part:
    if not isinstance(part, dict):
        raise refuse_stream(place, "a part of its content is not an object")
    kind = part.get("type")
    call = part if kind == "function_call" else get_field(part, "function_call")
    if isinstance(call, dict):
        return Part(
            "call",
            name=_read_name(call, place),
            call_id=text_or_none(call.get("id")),
            value=call.get("args"),
        )
    result = part if kind == "function_response" else get_field(part, "function_response")
    if isinstance(result, dict):
        return Part(
            "result",
            name=_read_name(result, place),
            call_id=text_or_none(result.get("id")),
            value=result.get("response"),
        )
    if isinstance(part.get("text"), str):
        return Part("thought" if part.get("thought") is True else "text", text=part["text"])
    names = (key for key, value in part.items() if value is not None and key != "type")
    return Part("other", name=text_or_none(kind) or next(names, "empty"))


def _read_name(call: Mapping[str, Any], place: str) -> str:
    name = text_or_none(call.get("name"))
    if name is None or len(name) > 200:
        raise refuse_stream(place, "a call of a tool, or its result, has no usable name")
    return name


def _read_moment(event: Mapping[str, Any], place: str) -> datetime | None:
    given = event.get("timestamp")
    if given is None:
        return None
    try:
        if isinstance(given, str):
            moment = datetime.fromisoformat(given)
            return moment if moment.tzinfo else _refuse_moment(given, place)
        if not isinstance(given, bool) and 0 <= given < _LATEST_SECONDS:
            return datetime.fromtimestamp(given, UTC)
    except (TypeError, ValueError):
        pass
    return _refuse_moment(given, place)


def _refuse_moment(given: object, place: str) -> datetime:
    raise refuse_stream(
        place, f"its timestamp {str(given)[:40]} is neither seconds since 1970 nor a time with its zone"
    )


def _read_error(event: Mapping[str, Any]) -> str | None:
    code, message = get_field(event, "error_code"), get_field(event, "error_message")
    return ": ".join(str(item) for item in (code, message) if item) or None


def get_field(value: Mapping[str, Any], *names: str) -> Any:
    """The first of the fields that is there, in snake_case or camelCase."""
    for name in names:
        first, *rest = name.split("_")
        for key in (name, first + "".join(word.capitalize() for word in rest)):
            if value.get(key) is not None:
                return value[key]
    return None


def text_or_none(value: object) -> str | None:
    """A text that is not empty; None for anything else."""
    return value if isinstance(value, str) and value else None
