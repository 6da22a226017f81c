"""What is wrong with a captured line, in plain words: decoding, JSON, and the fields of the format."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_SHOWN = 60

_WORDS: Mapping[str, str] = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of this format",
    "string_type": "must be text, but is {given}",
    "bool_type": "must be true or false, but is {given}",
    "int_type": "must be a whole number, but is {given}",
    "float_type": "must be a number, but is {given}",
    "tuple_type": "must be a list, but is {given}",
    "dict_type": "must be an object, but is {given}",
    "model_type": "must be an object, but is {given}",
    "datetime_type": "must be a date and time as text, but is {given}",
    "timezone_aware": "has no time zone; add one, such as Z or +02:00",
    "literal_error": "must be {expected}, but is {given}",
    "union_tag_invalid": "is of the kind {tag!r}, but must be one of {expected_tags}",
    "union_tag_not_found": 'does not say its "kind": sql, tool, schema, guardrail or retrieval',
    "greater_than_equal": "must be at least {ge}, but is {given}",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} items",
    "value_error": "does not fit: {error}",
}


class Flaw(Exception):  # noqa: N818 - it is what a line has, not what the program does wrong
    """One line is bad; `field` is the place in it, such as `trajectory[2].rows[0][3]`, or empty."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field
        self.problem = problem


class _NotFinite:
    """Stands in decoded JSON where NaN or an infinite number was."""

    def __init__(self, text: str) -> None:
        self.text = text


def decode_json(raw: bytes, on_not_finite: Callable[[], None] | None = None) -> Any:
    """The JSON value that bytes hold.

    Args:
        raw: The bytes.
        on_not_finite: Is told of each number that is not finite, which becomes null; without it such a one is refused.

    Raises:
        Flaw: Broken UTF-8, not JSON, a number that is not finite, half a character, or a key that stands
            twice.
    """
    try:
        return _parse(_decode(raw), on_not_finite)
    except RecursionError:
        raise Flaw("", "is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Flaw("", f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError as error:
        raise Flaw("", f"is not JSON that can be read: {error}") from None


def format_path(path: list[str | int]) -> str:
    """A path in JSON as people write it.

    >>> format_path(["trajectory", 2, "rows", 0, 3]), format_path(["labels", "due date"])
    ('trajectory[2].rows[0][3]', 'labels["due date"]')
    """
    text = ""
    for step in path:
        if isinstance(step, str) and step.isidentifier():
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def describe_invalid(error: ValidationError, data: object) -> Flaw:
    """The first field that does not fit, in plain words, with how many more there are.

    Args:
        error: What pydantic found.
        data: The decoded line, to tell fields from the names of types in pydantic's paths.
    """
    found: dict[str, list[ErrorDetails]] = {}
    for details in error.errors(include_url=False):
        found.setdefault(format_path(_trace(details, data)), []).append(details)
    field, first = next(iter(found.items()))
    problem = _describe(first[0]) if len(first) == 1 else _describe_choice(first[0])
    if len(found) > 1:
        problem += f" (other places that do not fit: {len(found) - 1})"
    return Flaw(field, problem)


def _decode(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8: byte {error.start + 1} of the line is 0x{raw[error.start]:02x}"
        raise Flaw(_find_broken(raw), problem) from None


def _find_broken(raw: bytes) -> str:
    try:
        value = json.loads(raw.decode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        return ""
    return _find(value, _is_broken)


def _parse(text: str, on_not_finite: Callable[[], None] | None = None) -> Any:
    strange: list[_NotFinite] = []

    def refuse_constant(name: str) -> _NotFinite | None:
        if on_not_finite is not None:
            on_not_finite()
            return None
        strange.append(_NotFinite(name))
        return strange[-1]

    def read_float(digits: str) -> float | _NotFinite | None:
        number = float(digits)
        return number if math.isfinite(number) else refuse_constant(digits[:_SHOWN])

    value = json.loads(text, parse_constant=refuse_constant, parse_float=read_float, object_pairs_hook=_read_object)
    if strange:
        place = _find(value, lambda item: isinstance(item, _NotFinite))
        raise Flaw(place, f"is {strange[0].text}, which is not a finite number; use null for an unknown one")
    # Half a character can only come from an escape; so most lines need no search.
    if "\\u" in text and (place := _find(value, _is_broken)):
        raise Flaw(place, "holds half of a character (a surrogate without its partner)")
    return value


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, item in pairs:
        if name in value:
            raise Flaw(format_path([name]), "stands twice in one object")
        value[name] = item
    return value


def _is_broken(item: object) -> bool:
    return isinstance(item, str) and any("\ud800" <= character <= "\udfff" for character in item)


def _find(value: object, test: Callable[[object], bool]) -> str:
    return next((format_path(path) for path, item in _walk(value, []) if test(item)), "")


def _walk(value: object, path: list[str | int]) -> Iterator[tuple[list[str | int], object]]:
    yield path, value
    steps: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(value, dict):
        steps = iter(value.items())
    elif isinstance(value, list):
        steps = iter(enumerate(value))
    for step, item in steps:
        yield [*path, step], step if _is_broken(step) else None
        yield from _walk(item, [*path, step])


def _trace(details: ErrorDetails, data: Any) -> list[str | int]:
    """The path without the names of types that pydantic mixes into it."""
    path: list[str | int] = []
    for place, step in enumerate(details["loc"], start=1):
        if _holds(data, step):
            data = data[step]
        elif details["type"] != "missing" or place < len(details["loc"]):
            continue
        path.append(step)
    return path


def _holds(data: object, step: int | str) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list) and isinstance(step, int) and step < len(data)


def _describe(details: ErrorDetails) -> str:
    kind = details["type"]
    if kind.startswith("datetime_") and kind not in _WORDS:
        return f"is not a date and time such as 2026-03-29T09:30:00Z, but {_show(details['input'])}"
    if kind not in _WORDS:
        return f"does not fit: {details['msg']}"
    return _WORDS[kind].format(given=_show(details["input"]), **details.get("ctx", {}))


def _describe_choice(details: ErrorDetails) -> str:
    return f"must be text, a number, true, false or null, but is {_show(details['input'])}"


def _show(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return f"the number {value}"
    text = str(value)
    return json.dumps(text if len(text) <= _SHOWN else text[:_SHOWN] + "…", ensure_ascii=False)
