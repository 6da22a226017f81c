"""An assistant's answer, which is Markdown from outside, as safe HTML."""

import re
from dataclasses import dataclass

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
_EMPTY_TAGS = ("br", "hr")


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The answer for the page: its HTML, or its source as plain text where it is not formatted, and why."""

    html: Markup | None
    source: str | None = None
    note: str | None = None


def render_answer(text: str) -> AnswerText:
    """The answer as HTML in which nothing acts, or as plain text where formatting it is not safe."""
    if len(text.encode("utf-8", "replace")) > FORMATTED_UP_TO:
        return _plain(text, f"it is longer than {FORMATTED_UP_TO:,} bytes")
    if any(block.count("\n") > _MOST_LINES for block in text.split("\n\n")):
        return _plain(text, f"it holds a block of more than {_MOST_LINES:,} lines")
    try:
        html = to_html(clean(text))
    except RecursionError:
        return _plain(text, "it is nested too deeply")
    if _depth(html) > _DEEPEST:
        return _plain(text, f"it is nested more than {_DEEPEST} deep")
    if any(row.count("<t") - 1 > _MOST_COLUMNS for row in re.findall(r"<tr>.*?</tr>", html, re.DOTALL)):
        return _plain(text, f"it holds a table of more than {_MOST_COLUMNS} columns")
    return AnswerText(Markup(html))  # noqa: S704 - to_html lets nothing through that acts


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
