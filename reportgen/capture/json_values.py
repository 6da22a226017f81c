"""The JSON values of a file: line by line where each line is one, else the document as a whole."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from reportgen.capture.flaws import Flaw, decode_json
from reportgen.capture.lines import read_lines
from reportgen.errors import CaptureError

LONGEST = 256 * 1024 * 1024
"""Bytes of a document that is not laid out in lines, and of what is kept of a file until it can be put together."""

_NAN = "values that are no finite number (NaN, Infinity), read as unknown"
_SHOWN = 60
_DEEPEST = 100


def read_values(path: Path, changed: Callable[[str], None], *, held: bool = False) -> Iterator[tuple[str, Any]]:
    """The values of a file, each with its place; the items of a list one by one.

    JSON Lines are read as a stream. Any other document is held in memory as a whole.

    Args:
        path: A file of JSON or JSON Lines, plain or under gzip.
        changed: Is told of each number that was read as unknown.
        held: Whether all of it is held until the end, so that the file may be no longer than a document.

    Raises:
        CaptureError: The file cannot be read, is too large to be held, or holds something that is not JSON.
    """

    def decode(raw: bytes, place: str) -> Any:
        try:
            value = decode_json(raw, lambda: changed(_NAN))
        except Flaw as flaw:
            raise CaptureError(f"{place}: {flaw.field} {flaw.problem}".replace(":  ", ": "), _FIX) from None
        if is_deep(value):
            raise CaptureError(f"{place}: is nested more than {_DEEPEST} levels deep", _FIX)
        return value

    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        raise CaptureError(f"{path} is empty", _FIX)
    if not _is_json(first[1]):
        yield from _list_items(decode(_join(path), str(path)), str(path))
        return
    room = LONGEST
    for number, raw in chain([first], lines):
        room -= len(raw) if held else 0
        if room < 0:
            what = f"{path}, line {number}: the lines up to here have more than {LONGEST:,} bytes"
            raise CaptureError(what, "Split the file between two traces.")
        yield from _list_items(decode(raw, f"{path}, line {number}"), f"{path}, line {number}")


_FIX = "Check that the file is JSON or JSON Lines as it was exported, and not cut off."


def _is_json(raw: bytes) -> bool:
    try:
        decode_json(raw, lambda: None)
    except Flaw:
        return False
    return True


def _join(path: Path) -> bytes:
    room, found = LONGEST, []
    for _, raw in read_lines(path):
        room -= len(raw) + 1
        if room < 0:
            raise CaptureError(
                f"{path} is one document of more than {LONGEST:,} bytes",
                "Write one record a line (JSON Lines), or split it.",
            )
        found.append(raw)
    return b"\n".join(found)


def is_deep(value: Any) -> bool:
    """Whether objects and lists stand in one another deeper than any capture needs."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for item in level if isinstance(item, dict | list) for inner in _inside(item)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def _list_items(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        yield from ((f"{place}, [{number}]", item) for number, item in enumerate(value))
    else:
        yield place, value


def unwrap_json(value: Any) -> Any:
    r"""The value that a text holds as JSON, also where that is a text again; else the value itself.

    >>> unwrap_json('"{\\"a\\": 1}"'), unwrap_json("17 lamps"), unwrap_json("17")
    ({'a': 1}, '17 lamps', '17')
    """
    for _ in range(3):
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
            break
        try:
            decoded = decode_json(value.encode(errors="replace"))
        except Flaw:
            break
        if not isinstance(decoded, dict | list | str) or is_deep(decoded):
            break
        value = decoded
    return value


def show(value: object) -> str:
    """A value as an error shows it."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
