"""Lists of turns on plain pages, for which no script is needed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.publishing.assets import dress_beside
from reportgen.publishing.browser.facets import Group
from reportgen.publishing.document import build_head
from reportgen.publishing.lines import TurnLine
from reportgen.publishing.printing import print_count
from reportgen.publishing.report import Report
from reportgen.publishing.templating import render_template

LINES_AT_MOST = 1_000


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list: its lines, which of the list they are, and the pages before and after it."""

    name: str
    title: str
    lines: Sequence[TurnLine]
    first: str
    last: str
    count: str
    previous: str | None
    next: str | None


def cut_list(title: str, group: Group) -> list[ListPage]:
    """A list on as many pages as it needs; the first bears the name of the group."""
    cuts = list(cut(group.lines))
    names = [f"lists/{group.key}{f'-{place + 1}' if place else ''}.html" for place in range(len(cuts))]
    return [
        ListPage(
            name=names[place],
            title=f"{title}: {group.name}",
            lines=lines,
            first=print_count(place * LINES_AT_MOST + 1),
            last=print_count(place * LINES_AT_MOST + len(lines)),
            count=group.count,
            previous=names[place - 1] if place else None,
            next=names[place + 1] if place + 1 < len(cuts) else None,
        )
        for place, lines in enumerate(cuts)
    ]


def cut(lines: Sequence[TurnLine]) -> Iterator[Sequence[TurnLine]]:
    """The lines in pieces that are small enough for one page or file."""
    return (lines[start : start + LINES_AT_MOST] for start in range(0, len(lines), LINES_AT_MOST))


def render_list(page: ListPage, report: Report) -> Iterable[str]:
    """The page."""
    lines = (replace(line, href=f"../{line.href}") for line in page.lines)
    context = {**build_head(report), **dress_beside("../", report.look), "page": page, "lines": lines}
    return render_template("list.html", context, report.look.overrides)
