"""Text for Markdown that others render, such as a comment on a pull request: no markup, mention, reference or link."""

import re

from markupsafe import Markup

from reportgen.publishing.text import clean, shorten

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKUP = re.compile(r"[\\`*_{}\[\]()|~$#]")
_UNSEEN = "\u200b"
_BREAKS = re.compile(
    r"(?<=[@#!$%&~^])(?=\w)"  # a person, an issue, a merge request, a milestone
    r"|(?<=:)(?=//)"
    r"|(?<=\w)(?=\.[^\W\d])"  # a bare address such as www.example.org
    r"|(?<=[A-Za-z])(?=-\d)"  # an issue such as GH-12
)
_COMMIT = re.compile(r"\b[0-9a-f]{7,}\b")
_MOST = 200


def escape_markdown(text: str) -> str:
    r"""The text on one line as itself, whatever reads it; an unseen character breaks up what sites make links of.

    >>> escape_markdown("a *b* <i>"), escape_markdown("@c #1").replace(chr(0x200B), "|")
    ('a \\*b\\* &lt;i&gt;', '@|c \\#|1')
    """
    line = _BREAKS.sub(_UNSEEN, " ".join(clean(text).split()))
    line = _COMMIT.sub(lambda match: _UNSEEN.join(re.findall(".{1,6}", match[0])), line)
    escaped = _MARKUP.sub(lambda match: f"\\{match[0]}", line)
    return re.sub(r"[&<>]", lambda match: _ENTITIES[match[0]], escaped)


def as_code(text: str) -> Markup:
    """The text as a span of code, in which sites find neither markup nor mentions; a grave accent becomes a quote.

    >>> str(as_code("t-1#2")), str(as_code("`@all"))
    ('`t-1#2`', "`'@all`")
    """
    shown = " ".join(str(shorten(text, _MOST)).replace("`", "'").replace("<", f"<{_UNSEEN}").split())
    return Markup(f"`{shown}`" if shown else "(empty)")  # noqa: S704 - nothing in it ends the span
