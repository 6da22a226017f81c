"""The report for a browser as a folder: an index, pages of turns, plain lists of them, and their data in files."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportgen.publishing.assets import dress_beside, read_script, read_style
from reportgen.publishing.browser.embedding import embed_json
from reportgen.publishing.browser.facets import Facet, Group, build_facets
from reportgen.publishing.browser.html import is_report_page
from reportgen.publishing.browser.lists import ListPage, cut, cut_list, render_list
from reportgen.publishing.browser.retracing import describe_rubric
from reportgen.publishing.browser.sheets import fill_sheets, name_sheet, render_sheet
from reportgen.publishing.document import build_document
from reportgen.publishing.lines import TurnLine, describe_labels, describe_line, name_order
from reportgen.publishing.printing import plural, print_count
from reportgen.publishing.report import Report
from reportgen.publishing.templating import render_template
from reportgen.publishing.text import turn_anchor

INDEX = "index.html"
"""The file of the folder to open."""

_OURS = re.compile(r"style\.css|script\.js|(index|turns/[0-9]{4,}|lists/[a-z0-9-]+)\.html|data/[0-9]{4,}\.js")
_FOLDERS = {"turns", "lists", "data"}

File = tuple[str, Iterable[str]]
"""The name of a file within the folder, and its content piece by piece."""


def render_folder(report: Report) -> Iterator[File]:
    """The files of the folder one by one; the index comes last.

    Args:
        report: What to publish. Its turns are read one at a time; of each only a line is kept.

    Raises:
        RenderError: Prose is missing or wrong.
    """
    yield "style.css", [read_style(report.look)]
    yield "script.js", [read_script()]
    lines: list[TurnLine] = []
    sheets = 0
    for sheet in fill_sheets(report):
        yield name_sheet(sheet.number), render_sheet(sheet, report)
        lines += sheet.lines
        sheets = sheet.number
    facets = build_facets(lines, report)
    whole = cut_list("All turns", Group(name_order(report), "all", print_count(len(lines)), tuple(lines)))
    for page in _all_lists(whole, facets):
        yield page.name, render_list(page, report)
    parts = {f"data/{number:04}.js": part for number, part in enumerate(cut(lines), start=1)}
    for name, part in parts.items():
        yield name, _render_part(name, part)
    pages = {"first": name_sheet(1), "count": plural(sheets, "page"), "lists": whole}
    yield INDEX, _render_index(report, lines, {"facets": facets, "pages": pages}, list(parts))


def is_report_folder(folder: Path) -> bool:
    """Whether the folder is one that was made by this program, and holds nothing else at any depth."""
    return (folder / INDEX).is_file() and all(_is_ours(path, folder) for path in folder.rglob("*"))


def _is_ours(path: Path, folder: Path) -> bool:
    name = path.relative_to(folder).as_posix()
    if path.is_symlink() or not path.is_file():
        return name in _FOLDERS and path.is_dir() and not path.is_symlink()
    return _OURS.fullmatch(name) is not None and (path.suffix != ".html" or is_report_page(path))


def _all_lists(whole: list[ListPage], facets: tuple[Facet, ...]) -> Iterator[ListPage]:
    yield from whole
    for facet in facets:
        for group in facet.groups:
            yield from cut_list(facet.title, group)


def _render_part(name: str, lines: Sequence[TurnLine]) -> Iterator[str]:
    """A script that does nothing but hand over the data of these turns, since a page may read no other file."""
    yield f"takeTurns({embed_json(name)},["
    for line in lines:
        yield f"\n{embed_json(describe_line(line))},"
    yield "\n]);\n"


def _render_index(report: Report, lines: Sequence[TurnLine], listed: dict[str, Any], parts: list[str]) -> Iterator[str]:
    places = {line.retrace["anchor"]: line.href for line in lines}
    here = replace(report, href=lambda turn: places[turn_anchor(turn)])
    data = {
        "rubric": describe_rubric(report),
        "labels": describe_labels(report, lines),
        "parts": parts,
        "hasTexts": report.has_texts,
    }
    context = {
        **build_document(here),
        **dress_beside("", report.look),
        **listed,
        "turns": (),
        "embedded": embed_json(data),
    }
    return render_template("report.html", context, report.look.overrides)
