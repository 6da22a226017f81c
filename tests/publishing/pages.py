"""What a test wants to know of a page: parsed, not searched for by pattern."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser

from reportgen.publishing.paper.children import Limits
from reportgen.publishing.paper.pdf import Binding, bind_pdf

_VOID = {"meta", "br", "hr", "img", "link", "input"}


@dataclass
class Page(HTMLParser):
    """The elements, attributes and text of an HTML page."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    open_tags: list[str] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID and not (
            self.open_tags and "svg" in self.open_tags and tag in ("rect", "line", "circle", "path")
        ):
            self.open_tags.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if self.open_tags and self.open_tags[-1] == tag:
            self.open_tags.pop()
        else:
            self.unbalanced.append(tag)

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open_tags):
            self.text.append(data)

    @property
    def all_text(self) -> str:
        return "".join(self.text)

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.tags if attribute in attrs]

    def names(self) -> set[str]:
        return {tag for tag, _ in self.tags}


def read_page(pieces: Iterable[str]) -> Page:
    page = Page()
    page.feed("".join(pieces))
    page.close()
    return page


def render_pdf(html: Iterable[str], limits: Limits | None = None, on_outcome=None) -> bytes:
    return bind_pdf([html], Binding(limits=limits or Limits()), on_outcome)
