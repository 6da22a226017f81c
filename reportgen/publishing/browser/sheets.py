"""Turns in full on pages of their own, each of a bounded size, with links from one to the next."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from markupsafe import Markup

from reportgen.publishing.assets import dress_beside
from reportgen.publishing.browser.embedding import embed_json
from reportgen.publishing.browser.retracing import describe_rubric
from reportgen.publishing.document import build_head
from reportgen.publishing.lines import TurnLine, build_line, describe_line
from reportgen.publishing.printing import print_count
from reportgen.publishing.report import Report, TurnEntry, href_within
from reportgen.publishing.templating import render_template
from reportgen.publishing.turns import build_turn

_TURNS_AT_MOST = 50
_LETTERS_AT_MOST = 600_000
"""A page ends before its turns grow beyond this, unless a single turn does."""


@dataclass(slots=True)
class Sheet:
    """A page of turns while it fills; `number` counts from 1. The lines say where in the folder the turns stand."""

    number: int
    articles: list[Markup] = field(default_factory=list)
    lines: list[TurnLine] = field(default_factory=list)
    letters: int = 0
    is_last: bool = False

    def has_room(self, letters: int) -> bool:
        """Whether another turn of that length may be put on it."""
        fits = len(self.articles) < _TURNS_AT_MOST and self.letters + letters <= _LETTERS_AT_MOST
        return fits or not self.articles

    def put(self, article: str, line: TurnLine) -> None:
        """Puts a turn on the page."""
        self.articles.append(Markup(article))  # noqa: S704 - our own template made it
        self.lines.append(line)
        self.letters += len(article)


def name_sheet(number: int) -> str:
    """The file of that page within the folder."""
    return f"turns/{number:04}.html"


def fill_sheets(report: Report) -> Iterator[Sheet]:
    """The turns on as many pages as they need, one page at a time."""
    sheet = Sheet(1, is_last=True)
    for entry in report.turns():
        article = _render_turn(entry, report)
        if not sheet.has_room(len(article)):
            sheet.is_last = False
            yield sheet
            sheet = Sheet(sheet.number + 1, is_last=True)
        href = f"{name_sheet(sheet.number)}{href_within(entry.turn.id)}"
        sheet.put(article, build_line(entry, report, href))
    if sheet.articles:
        yield sheet


def _render_turn(entry: TurnEntry, report: Report) -> str:
    return "".join(render_template("turn.html", {"turn": build_turn(entry, report)}, report.look.overrides))


def render_sheet(sheet: Sheet, report: Report) -> Iterable[str]:
    """The page, with links to those before and after it, and the data to recompute its scores."""
    first, last = sheet.lines[0].number, sheet.lines[-1].number
    turns = [{**describe_line(line), "href": _within(line)} for line in sheet.lines]
    data = {"rubric": describe_rubric(report), "labels": None, "turns": turns}
    context = {
        **build_head(report),
        **dress_beside("../", report.look),
        "heading": f"Turn {first}" if first == last else f"Turns {first} to {last}",
        "of": print_count(report.findings.summary.turns),
        "previous": name_sheet(sheet.number - 1) if sheet.number > 1 else None,
        "next": None if sheet.is_last else name_sheet(sheet.number + 1),
        "links": [(_within(line), line.id) for line in sheet.lines],
        "articles": sheet.articles,
        "embedded": embed_json(data),
    }
    return render_template("sheet.html", context, report.look.overrides)


def _within(line: TurnLine) -> str:
    return f"#{line.href.partition('#')[2]}"
