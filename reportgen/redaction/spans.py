"""Stretches of a text that are to be withheld, and the marks that take their place."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import category

MARK = re.compile(r"\[([a-z][a-z0-9 -]{0,39}) withheld\]")
"""A mark; its first group is the kind of what was withheld."""

FORGED = "mark"
"""The kind of captured text that looks like a mark, so that no captured text passes for one."""


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to, not including, `end`: so many letters of that kind are to be withheld."""

    start: int
    end: int
    kind: str


def mark_of(kind: str) -> str:
    """The plain mark that stands where something was withheld.

    >>> mark_of("email")
    '[email withheld]'
    """
    return f"[{kind} withheld]"


def find_marks(text: str) -> Iterator[Span]:
    """What looks like a mark in a text that was captured."""
    if " withheld]" in text:
        yield from (Span(*match.span(), FORGED) for match in MARK.finditer(text))


def merge_spans(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap joined under the kind of the first and longest.

    A span of nothing but punctuation, white space and invisible letters is none: it tells nothing, and whether an
    answer is empty must not depend on what was withheld.

    >>> merge_spans("ada@x.example", [Span(0, 13, "email"), Span(4, 13, "name"), Span(3, 4, "key")])
    (Span(start=0, end=13, kind='email'),)
    """
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, span.kind)):
        if not tells(text[span.start : span.end]):
            continue
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Span(last.start, max(last.end, span.end), last.kind)
        else:
            merged.append(span)
    return tuple(merged)


def tells(text: str) -> bool:
    """Whether a text holds more than punctuation, white space and invisible letters."""
    return any(category(letter)[0] not in "PZC" for letter in text)


def replace_spans(text: str, spans: Iterable[Span]) -> str:
    """The text with a mark in the place of each span; the spans are in order and do not overlap."""
    parts, reached = [], 0
    for span in spans:
        parts += [text[reached : span.start], mark_of(span.kind)]
        reached = span.end
    return "".join([*parts, text[reached:]])
