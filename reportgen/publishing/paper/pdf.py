"""HTML for paper -> PDF: parts are set in processes of their own and bound to one."""

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reportgen.publishing.paper.children import Child, Limits, run_children
from reportgen.publishing.paper.print_fonts import lay_fonts
from reportgen.publishing.printing import plural

__all__ = ["Attachment", "Binding", "Limits", "PdfOutcome", "add_soft_breaks", "bind_pdf", "render_pdf"]

MISSING_SCRIPTS = "<!--missing-scripts-->"
"""Stands in the HTML where it is to be said which scripts have no font."""

_MORE_FONTS = "the extra reportgen[fonts] brings fonts for more scripts"


@dataclass(frozen=True, slots=True)
class PdfOutcome:
    """What became of a rendering.

    `blocked` counts addresses that something in the page asked for and that were not fetched; `warnings` are the
    different ones that the engine gave, and the scripts that no font has.
    """

    pages: int
    blocked: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A JSON file that the PDF carries; `relationship` is Source, Data or Supplement."""

    name: str
    description: str
    content: Iterable[bytes]
    relationship: str = "Data"


@dataclass(frozen=True, slots=True)
class Binding:
    """How parts become one PDF.

    `moment` is the date of the attachments. The bookmarks of the second and further parts stand under the one whose
    title ends with `under`; None puts them after the others.
    """

    attachments: Sequence[Attachment] = ()
    moment: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    under: str | None = None
    limits: Limits = field(default_factory=Limits)


def render_pdf(
    html: Iterable[str], limits: Limits | None = None, on_outcome: Callable[[PdfOutcome], None] | None = None
) -> bytes:
    """The PDF of one document, as `bind_pdf` gives it."""
    return bind_pdf([html], Binding(limits=limits or Limits()), on_outcome)


def bind_pdf(
    parts: Iterable[Iterable[str]], binding: Binding, on_outcome: Callable[[PdfOutcome], None] | None = None
) -> bytes:
    """The PDF of a report, archivable (PDF/A-3a) and accessible (PDF/UA-1).

    Args:
        parts: HTML documents, as the functions of `paper` give them, each in pieces.
        binding: How they become one.
        on_outcome: Is told what became of it, such as letters that no font has.

    Raises:
        RenderError: The engine or a library that it needs is missing, it crashed, or it went beyond a limit.
    """
    with tempfile.TemporaryDirectory(prefix="reportgen-pdf-") as name:
        folder = Path(name)
        pages, letters = _write_parts(parts, folder)
        fonts = lay_fonts(folder, "".join(letters))
        _note_missing(pages, fonts.missing)
        children = [Child("pdf_engine", _setting(page, number)) for number, page in enumerate(pages)]
        answers = run_children(children, folder, binding.limits, fonts.configuration)
        made = folder / "bound.pdf"
        job = _binding_job(children, binding, folder, made)
        (bound,) = run_children([Child("binder", job)], folder, binding.limits)
        if on_outcome:
            on_outcome(_sum_up(bound["pages"], answers, say_missing(fonts.missing)))
        return made.read_bytes()


def _write_parts(parts: Iterable[Iterable[str]], folder: Path) -> tuple[list[Path], set[str]]:
    """Writes each part to a file; gives the files, and the letters in all of them."""
    pages, letters = [], set[str]()
    for number, html in enumerate(parts):
        text = "".join(html)
        letters.update(text)
        pages.append(folder / f"part-{number}.html")
        pages[-1].write_text(add_soft_breaks(text), "utf-8")
    return pages, letters


def _note_missing(pages: Iterable[Path], missing: dict[str, int]) -> None:
    """Says in the report which scripts have no font, where the templates leave room for it."""
    said = f"<p class='note'>In this PDF, {say_missing(missing)[0]}.</p>" if missing else ""
    for page in pages:
        text = page.read_text("utf-8")
        if MISSING_SCRIPTS in text:
            page.write_text(text.replace(MISSING_SCRIPTS, said), "utf-8")


def _setting(page: Path, number: int) -> dict[str, Any]:
    return {"page": str(page), "made": str(page.with_suffix(".pdf")), "name": f"part-{number}"}


def _binding_job(children: Sequence[Child], binding: Binding, folder: Path, made: Path) -> dict[str, Any]:
    return {
        "parts": [child.job["made"] for child in children],
        "under": binding.under,
        "attachments": [_write_attachment(item, folder) for item in binding.attachments],
        "moment": binding.moment.astimezone(UTC).isoformat(),
        "made": str(made),
    }


def _write_attachment(item: Attachment, folder: Path) -> dict[str, str]:
    path = folder / f"attached-{item.name}"
    with path.open("wb") as file:
        file.writelines(item.content)
    return {
        "path": str(path),
        "name": item.name,
        "description": item.description,
        "relationship": item.relationship,
    }


def _sum_up(pages: int, answers: Sequence[Any], missing: list[str]) -> PdfOutcome:
    warnings = dict.fromkeys([*missing, *(warning for answer in answers for warning in answer["warnings"])])
    return PdfOutcome(pages, sum(answer["blocked"] for answer in answers), tuple(warnings))


def say_missing(scripts: dict[str, int]) -> list[str]:
    """The warning about letters that no font has, if there are any."""
    if not scripts:
        return []
    named = ", ".join(f"{name} ({plural(count, 'letter')})" for name, count in scripts.items())
    return [f"no installed font has some of the letters, and the PDF has boxes in their place: {named}; {_MORE_FONTS}"]


RUN = 32
"""After so many letters without a place to break, one is put in; a digest then breaks in the middle."""

_PIECE = re.compile(
    r"""<(?P<raw>style|title)\b.*?</(?P=raw)>|<!--.*?-->|<(?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+""", re.DOTALL
)
_LETTER = r"(?:&[#\w]+;|[^\s&\u200b])"
_LONG = re.compile(rf"({_LETTER}{{{RUN}}})(?={_LETTER})")


def add_soft_breaks(html: str) -> str:
    """The HTML with a U+200B in each long run of letters; the engine takes quadratic time for a line without.

    >>> add_soft_breaks("<p title='" + 40 * "x" + "'>" + 40 * "y" + "</p>").count(chr(0x200B))
    1
    """
    return _PIECE.sub(lambda piece: piece[0] if piece[0][0] == "<" else _LONG.sub("\\1\u200b", piece[0]), html)
