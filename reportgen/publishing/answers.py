"""An assistant's answer, which is Markdown from outside, as safe HTML."""

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from markupsafe import Markup

from reportgen.publishing.safe_markdown import to_html
from reportgen.publishing.text import clean, shorten

FORMATTED_UP_TO = 50_000
SHOWN_UP_TO = 60_000
_DEEPEST = 20
_MOST_LINES = 2_000
"""The Markdown library takes quadratic time for the lines of one block."""

_MOST_COLUMNS = 12
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")
_INLINE = ("em", "strong", "code")
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"^\s*(?:>\s*)*\d+[.)]\s|^\s*(?:```|~~~)\s*\w+\s*$", re.MULTILINE)
"""Numbers of list items and names of languages, which the page shows in its own way or not at all."""
_EMPTY_TAGS = ("br", "hr")


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The answer for the page: its HTML, or its source as plain text where it is not formatted, and why."""

    html: Markup | None
    source: str | None = None
    note: str | None = None


def render_answer(text: str) -> AnswerText:
    """The answer as HTML in which nothing acts, or as plain text where formatting it is not safe."""
    if why := _too_large(text):
        return _plain(text, why)
    try:
        html = clean(to_html(clean(text)))
    except RecursionError:
        return _plain(text, "it is nested too deeply")
    if why := _unfit(text, html):
        return _plain(text, why)
    return AnswerText(Markup(html))  # noqa: S704 - to_html lets nothing through that acts


def _too_large(text: str) -> str | None:
    """Why the answer would take too long to format, if it would."""
    if len(text.encode("utf-8", "replace")) > FORMATTED_UP_TO:
        return f"it is longer than {FORMATTED_UP_TO:,} bytes"
    if any(block.count("\n") > _MOST_LINES for block in text.split("\n\n")):
        return f"it holds a block of more than {_MOST_LINES:,} lines"
    return None


def _unfit(text: str, html: str) -> str | None:
    """Why the formatted answer would not do, if it would not."""
    if _depth(html) > _DEEPEST:
        return f"it is nested more than {_DEEPEST} deep"
    if any(row.count("<t") - 1 > _MOST_COLUMNS for row in re.findall(r"<tr>.*?</tr>", html, re.DOTALL)):
        return f"it holds a table of more than {_MOST_COLUMNS} columns"
    if text.strip() and not unescape(_TAG.sub("", html)).strip():
        return "as Markdown nothing of it would be seen"
    if _loses_words(text, html):
        return "as Markdown some of its letters would not be seen"
    return None


def _loses_words(text: str, html: str) -> bool:
    """Whether a word or number of the source is missing from the page: a mark of Markdown, or one of arithmetic?

    >>> _loses_words("2*3*4 = 24", "<p>2<em>3</em>4 = 24</p>"), _loses_words("a `b`", "<p>a <code>b</code></p>")
    (True, False)
    """
    source = Counter(_WORD.findall(_MARKS.sub(" ", clean(text))))
    shown = Counter(_WORD.findall(unescape(_TAG.sub(_gap, html))))
    return bool(source - shown)


def _gap(tag: re.Match[str]) -> str:
    """What stands between the words around a tag: nothing within a line, a gap between blocks."""
    return "" if tag[2] in _INLINE else " "


def _plain(text: str, why: str) -> AnswerText:
    shown = shorten(text, SHOWN_UP_TO)
    notes = [f"shown as plain text: {why}"]
    return AnswerText(None, shown.text, "; ".join([*notes, *filter(None, [shown.note])]))


def _depth(html: str) -> int:
    """How deep the elements are nested."""
    deepest = depth = 0
    for close, name in _TAG.findall(html):
        if name not in _EMPTY_TAGS:
            depth += -1 if close else 1
            deepest = max(deepest, depth)
    return deepest
