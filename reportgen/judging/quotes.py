"""Whether the passages that a judge quotes really stand in what it saw."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

_SPACE = re.compile(r"\s+")
_SEPARATORS = re.compile(r"[\s|,;:=\[\]{}()\"'`]+")
_QUOTATION_MARKS = "\"'`«»\u201c\u201d\u201e\u2018\u2019"


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of the evidence as it is printed there."""

    text: str


@dataclass(frozen=True, slots=True)
class _Haystack:
    """What may be quoted: texts in part, numbers in whole, and lines of several values without separators."""

    texts: tuple[str, ...]
    numbers: frozenset[str]
    lines: tuple[str, ...]
    size: int


def find_quotes(quotes: Iterable[str], evidence: str) -> tuple[bool, ...]:
    """For each quote, whether it stands verbatim in the evidence.

    A quote must lie within one text of the document, be one of its numbers as printed, or lie within one row
    of a result (or the plain fields of one event) with its values joined. Unicode compatibility forms, case
    and white space are not counted as differences; a quote may not cut a number short.

    >>> evidence = '{"answer": "total  of 212 orders", "rows": [["Ada", 212]]}'
    >>> find_quotes(["Total of 212", "12", "ada 212"], evidence)
    (True, False, True)

    Args:
        quotes: The passages, as the judge gave them.
        evidence: The text of the evidence document, as `build_evidence` makes it.
    """
    haystack = _build_haystack(json.loads(evidence, parse_int=_Number, parse_float=_Number), len(evidence) + 2)
    return tuple(_stands(quote, haystack) for quote in quotes)


def _build_haystack(document: Any, size: int) -> _Haystack:
    leaves = list(_leaves(document))
    texts = {_plain(leaf) for leaf in leaves if isinstance(leaf, str)}
    numbers = frozenset(leaf.text.casefold() for leaf in leaves if isinstance(leaf, _Number))
    return _Haystack(tuple(texts), numbers, tuple({_loose(line) for line in _lines(document)}), size)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    else:
        yield value


def _lines(value: Any) -> Iterator[str]:
    """Each object's plain fields, each list of plain values, and each row with its columns, as one line."""
    if isinstance(value, dict):
        yield _join(part for name, item in value.items() if _is_plain(item) for part in (name, item))
        yield from _named_rows(value)
    if isinstance(value, list) and all(map(_is_plain, value)):
        yield _join(value)
        return
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _lines(item)


def _named_rows(event: dict[str, Any]) -> Iterator[str]:
    """Rows as judges like to quote them: `name: Ada, orders: 212`."""
    columns, rows = event.get("columns"), event.get("rows")
    if isinstance(columns, list) and isinstance(rows, list):
        for row in rows:
            if isinstance(row, list):
                yield _join(part for pair in zip(columns, row, strict=False) for part in pair)


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _join(values: Iterable[Any]) -> str:
    return " ".join(_print(value) for value in values)


def _print(value: Any) -> str:
    if isinstance(value, _Number):
        return value.text
    return value if isinstance(value, str) else json.dumps(value)


def _stands(quote: str, haystack: _Haystack) -> bool:
    # A quote longer than all that was seen, escapes and all, cannot stand in it; it is not worth its time.
    return len(quote) <= haystack.size and any(_stands_so(form, haystack) for form in _forms(quote))


def _stands_so(quote: str, haystack: _Haystack) -> bool:
    plain, loose = _plain(quote), _loose(quote)
    if not any(letter.isalnum() for letter in loose):
        return False
    if plain in haystack.numbers:
        return True
    return _is_within(plain, haystack.texts) or (" " in loose and _is_within(loose, haystack.lines))


def _is_within(quote: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts holds the quote, with no digit of a longer number beside it."""
    holding = [text for text in texts if quote in text]
    if not holding or not _has_digit_edge(quote):
        return bool(holding)
    whole = re.compile(rf"(?<!\d)(?<!\d[.,]){re.escape(quote)}(?![.,]?\d)")
    return any(whole.search(text) for text in holding)


def _has_digit_edge(quote: str) -> bool:
    return quote[0].isdigit() or quote[-1].isdigit()


def _forms(quote: str) -> Iterator[str]:
    """The quote as given and without marks around it, each also with JSON escapes undone: the judge saw JSON."""
    for form in (quote, quote.strip().strip(_QUOTATION_MARKS)):
        yield form
        if "\\" in form:
            with suppress(ValueError):
                yield json.loads(f'"{form}"', strict=False)


def _plain(text: str) -> str:
    """The text with compatibility forms, case and white space made equal."""
    return _SPACE.sub(" ", normalize("NFKC", text).casefold()).strip()


def _loose(text: str) -> str:
    """The plain text without what separates values in a line."""
    return _SEPARATORS.sub(" ", _plain(text)).strip()
