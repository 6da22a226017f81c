"""Messages of a conversation in the shapes in which programs record them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.capture.json_values import unwrap_json

_ROLES = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "agent", "bot", "chatbot"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function", "tool_result"), "tool"),
}
_LISTS = ("messages", "contents", "new_message", "history")
_QUOTED = 2_000
_QUOTED_EACH = 400


@dataclass(frozen=True, slots=True)
class ToolUse:
    """That the assistant asked for a call of a tool."""

    name: str
    id: str | None
    arguments: Any


@dataclass(frozen=True, slots=True)
class ToolReturn:
    """What a call gave back, as the conversation tells it to the model."""

    id: str | None
    value: Any


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message; `role` is user, assistant, system, tool or other, `raw` what it was read from.

    `has_text` says whether any text was recorded, be it empty; `others` counts parts that are no text, such as images.
    """

    role: str
    text: str
    has_text: bool
    others: int
    calls: tuple[ToolUse, ...]
    returns: tuple[ToolReturn, ...]
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str | None = None
    call: ToolUse | None = None
    returned: ToolReturn | None = None
    is_other: bool = False


def read_messages(value: Any) -> tuple[ChatMessage, ...] | None:
    """The messages that a value holds; None where it holds none."""
    value = unwrap_json(value)
    if isinstance(value, dict):
        if _role_of(value) is not None:
            return (_read_message(value),)
        found = (read_messages(value[name]) for name in _LISTS if value.get(name))
        return next((messages for messages in found if messages), None)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if isinstance(value, list) and value and all(isinstance(item, dict) and _role_of(item) for item in value):
        return tuple(map(_read_message, value))
    return None


def last_question(messages: Sequence[ChatMessage]) -> int | None:
    """The place of the user's last message that says something."""
    places = (place for place in range(len(messages) - 1, -1, -1) if messages[place].role == "user")
    return next((place for place in places if messages[place].text.strip()), None)


def quote_history(messages: Iterable[ChatMessage]) -> str | None:
    """What user and assistant said before, each message and all of them cut where they are long; None if nothing."""
    said = [item for item in messages if item.role in ("user", "assistant") and item.text.strip()]
    if not said:
        return None
    quoted = "\n".join(f"{item.role}: {_cut(item.text.strip(), _QUOTED_EACH)}" for item in said)
    text = quoted if len(quoted) <= _QUOTED else f"… {quoted[-_QUOTED:]}"
    count = f"{len(said)} message{'s' if len(said) > 1 else ''}"
    return f"earlier in the conversation ({count}, long ones cut):\n{text}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"


def _role_of(value: Mapping[str, Any]) -> str | None:
    if isinstance(value.get("message"), dict):
        return _role_of(value["message"])
    for name in ("role", "speaker", "type", "author"):
        role = value.get(name)
        if isinstance(role, str) and role.lower() in _ROLES:
            return _ROLES[role.lower()]
    return None


def _read_message(value: Mapping[str, Any]) -> ChatMessage:
    if isinstance(value.get("message"), dict):
        value = value["message"]
    role = _role_of(value) or "other"
    pieces = [*_read_content(value), *_read_calls(value)]
    texts = [piece.text for piece in pieces if piece.text]
    if role == "tool" and not any(piece.returned for piece in pieces):
        content = value.get("content") if value.get("content") is not None else "\n".join(texts)
        pieces.append(_Piece(returned=ToolReturn(_text(value.get("tool_call_id") or value.get("id")), content)))
    return ChatMessage(
        role,
        "\n".join(texts),
        any(piece.text is not None for piece in pieces),
        sum(piece.is_other for piece in pieces),
        tuple(piece.call for piece in pieces if piece.call),
        tuple(piece.returned for piece in pieces if piece.returned),
        value,
    )


def _read_content(value: Mapping[str, Any]) -> Iterator[_Piece]:
    for name in ("content", "parts", "contents", "text"):
        content = value.get(name)
        if isinstance(content, str):
            yield _Piece(text=content)
        elif isinstance(content, list):
            yield from (piece for part in content if (piece := _read_part(part)) is not None)
        elif isinstance(content, dict) and isinstance(content.get("parts"), list):
            yield from _read_content(content)
        elif isinstance(content, dict) and (piece := _read_part(content)) is not None:
            yield piece
        if content:
            return


def _read_part(part: Any) -> _Piece | None:
    """A text, a call or a result; None for any other part, such as an image."""
    if isinstance(part, str):
        return _Piece(text=part)
    if not isinstance(part, dict):
        return None
    if isinstance(part.get("message_content"), dict):
        part = part["message_content"]
    kind = str(part.get("type", "")).replace("-", "_")
    if kind in ("tool_call", "tool_use", "function_call") or isinstance(part.get("function_call"), dict):
        return _Piece(call=_read_call(part.get("function_call") or part))
    if kind in ("tool_call_response", "tool_result") or isinstance(part.get("function_response"), dict):
        return _Piece(returned=_read_return(part.get("function_response") or part))
    if part.get("thought") is True or kind in ("thinking", "reasoning"):
        return None
    texts = (part.get(name) for name in ("text", "content"))
    return next((_Piece(text=text) for text in texts if isinstance(text, str)), _Piece(is_other=bool(kind)))


def _read_calls(value: Mapping[str, Any]) -> Iterator[_Piece]:
    more = value.get("additional_kwargs")
    given = value.get("tool_calls") or (more.get("tool_calls") if isinstance(more, dict) else None)
    for item in given if isinstance(given, list) else ():
        call = _read_call(item.get("tool_call", item)) if isinstance(item, dict) else None
        if call is not None:
            yield _Piece(call=call)


def _read_call(value: Any) -> ToolUse | None:
    if not isinstance(value, dict):
        return None
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    name = _text(inner.get("name") or inner.get("toolName"))
    names = ("arguments", "args", "input")
    arguments = next((inner[key] for key in names if inner.get(key) is not None), None)
    return None if name is None else ToolUse(name, _text(value.get("id") or value.get("toolCallId")), arguments)


def _read_return(value: Mapping[str, Any]) -> ToolReturn:
    names = ("response", "result", "output", "content")
    given = next((value[name] for name in names if value.get(name) is not None), None)
    ids = (value.get(name) for name in ("id", "tool_use_id", "tool_call_id", "toolCallId"))
    return ToolReturn(next((found for found in ids if isinstance(found, str)), None), given)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
