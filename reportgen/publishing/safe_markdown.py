"""Markdown -> HTML in which nothing acts: no raw HTML, no links, no images, no headings of its own."""

import re
from functools import cache
from typing import Any

import nh3

_TAGS = {
    *("p", "br", "hr", "strong", "em", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_HEADING_TAGS = {"h2", "h3", "h4", "h5", "h6"}
_ACTIVE_PATTERNS = (
    *("html", "link", "reference", "short_reference", "autolink", "automail"),
    *("image_link", "image_reference", "short_image_ref"),
)


def to_html(text: str, heading_level: int | None = None) -> str:
    """The HTML of a Markdown text. Raw HTML, links and images stand in it as the text that was written.

    Args:
        text: Markdown, already fit for display.
        heading_level: The level that a heading of the second level gets, the deeper ones following; None makes bold
            paragraphs of all headings.

    Raises:
        RecursionError: It is nested too deeply.
    """
    converter = _converter()
    converter.reset()
    html = str(converter.convert(text))
    html = _flatten_headings(html) if heading_level is None else _shift_headings(html, heading_level - 2)
    attributes = {"td": {"align"}, "th": {"align", "scope"}, "ol": {"start"}}
    return nh3.clean(
        html.replace("<th", '<th scope="col"').replace('<th scope="col"ead', "<thead"),
        tags=_TAGS | _HEADING_TAGS,
        attributes=attributes,
        url_schemes=set(),
    )


@cache
def _converter() -> Any:
    import markdown
    from markdown.extensions.tables import TableExtension

    tables = TableExtension(use_align_attribute=True)
    converter = markdown.Markdown(extensions=[tables, "fenced_code", "sane_lists"], output_format="html")
    converter.preprocessors.deregister("html_block")
    converter.parser.blockprocessors.deregister("reference")
    for pattern in _ACTIVE_PATTERNS:
        converter.inlinePatterns.deregister(pattern)
    return converter


def _flatten_headings(html: str) -> str:
    html = re.sub(r"<h[1-6]>", "<p><strong>", html)
    return re.sub(r"</h[1-6]>", "</strong></p>", html)


def _shift_headings(html: str, by: int) -> str:
    return re.sub(r"<(/?)h([1-6])>", lambda match: f"<{match[1]}h{min(int(match[2]) + by, 6)}>", html)
