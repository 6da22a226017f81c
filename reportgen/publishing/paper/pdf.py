"""HTML for paper -> PDF: parts are set in processes of their own and bound to one."""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reportgen.publishing.paper.children import Child, Limits, run_children
from reportgen.publishing.paper.print_fonts import count_scripts, find_lacking, lay_fonts
from reportgen.publishing.printing import plural

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
        setting = _Setting(folder, binding.attachments)
        answers = run_children(setting.prepare(parts), folder, binding.limits)
        made = folder / "bound.pdf"
        (bound,) = run_children([Child("binder", _binding_job(setting, binding, made))], folder, binding.limits)
        if on_outcome:
            on_outcome(_sum_up(bound["pages"], answers, say_missing(setting.missing)))
        return made.read_bytes()


class _Setting:
    """The parts on their way to the engine, each with the fonts that it takes, and the attachments.

    `made` are the PDFs of the parts that were drawn, in the order of the parts; `attached` are the attachments on disk.
    """

    def __init__(self, folder: Path, attachments: Sequence[Attachment]) -> None:
        self.made: list[str] = []
        self.attached: list[dict[str, str]] = []
        self._folder = folder
        self._attachments = attachments
        self._lacking: set[int] = set()

    @property
    def missing(self) -> dict[str, int]:
        """How many different letters of each script have no font, in the parts that were drawn."""
        return count_scripts(self._lacking)

    def prepare(self, parts: Iterable[Iterable[str]]) -> Iterator[Child]:
        """Each part as work for the engine, written when drawn; the first comes last, since it says what lacks.

        The attachments are written after that, while the engine is at work.
        """
        texts = ("".join(html) for html in parts)
        first = next(texts)
        self.made.append(str(self._folder / "part-0.pdf"))
        self._lacking |= find_lacking(map(ord, set(first)))
        for number, text in enumerate(texts, start=1):
            self.made.append(str(self._folder / f"part-{number}.pdf"))
            self._lacking |= find_lacking(map(ord, set(text)))
            yield self._write(number, text)
        said = f"<p class='note'>In this PDF, {say_missing(self.missing)[0]}.</p>" if self.missing else ""
        yield self._write(0, first.replace(MISSING_SCRIPTS, said))
        self.attached += [_write_attachment(item, self._folder) for item in self._attachments]

    def _write(self, number: int, text: str) -> Child:
        page, fonts = self._folder / f"part-{number}.html", self._folder / f"fonts-{number}"
        fonts.mkdir()
        page.write_text(add_soft_breaks(text), "utf-8")
        job = {"page": str(page), "made": self.made[number], "name": f"part-{number}"}
        return Child("pdf_engine", job, lay_fonts(fonts, text), work=len(text))


def _binding_job(setting: _Setting, binding: Binding, made: Path) -> dict[str, Any]:
    return {
        "parts": setting.made,
        "under": binding.under,
        "attachments": setting.attached,
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
