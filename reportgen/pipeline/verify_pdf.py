"""Does what a PDF prints follow from the data that it carries? The pages are set again and compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from reportgen.archive.records import Records, open_report
from reportgen.archive.strict_json import read_json
from reportgen.assembly import assemble_report
from reportgen.pipeline.memory import bounded_memory
from reportgen.pipeline.page_settings import PROGRAM, PageSettings, read_settings
from reportgen.pipeline.print_report import print_volumes
from reportgen.publishing.look.look import Look
from reportgen.publishing.paper.pdf_contents import (
    DATA,
    PAGES,
    PageDifference,
    compare_pages,
    read_attachments,
    read_pages,
    read_producer,
    same_words,
)
from reportgen.publishing.paper.pdf_foreign import find_foreign
from reportgen.verification.differences import Difference

_NAMED = 20
"""After so many differences of figures no more are looked for."""


@dataclass(frozen=True, slots=True)
class PdfData:
    """What a PDF carries: the records of its run, and how its pages were made."""

    records: Records
    pages: PageSettings


@dataclass(frozen=True, slots=True)
class PageCheck:
    """What comparing the pages brought: how they differ, and what could be compared, in a sentence.

    `is_whole` says whether all of the pages could be: a forger may claim whatever keeps them from it.
    """

    differences: tuple[Difference, ...]
    account: str
    is_whole: bool = True


def is_pdf(path: Path) -> bool:
    """Whether a file begins as a PDF does."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(5) == b"%PDF-"


def open_pdf(path: Path) -> PdfData:
    """The data in a PDF of a report.

    Raises:
        RunError: It is no such PDF, or what it carries cannot be read.
    """
    files = read_attachments(path)
    records = open_report(files[DATA], f"{path}: {DATA}")
    pages = read_json(files.get(PAGES, b"{}"), f"{path}: {PAGES}")
    return PdfData(records, read_settings(pages, f"{path}: {PAGES}"))


def check_pages(path: Path, data: PdfData) -> PageCheck:
    """Sets the pages again from the data and compares them with those of the PDF.

    Raises:
        RunError: The pages cannot be read, or not be set from what the PDF carries.
        RenderError: The PDF engine failed.
    """
    if data.pages.program != PROGRAM:
        account = f"the pages were not compared: {data.pages.program} made them, and this is {PROGRAM}"
        return PageCheck((), account, is_whole=False)
    if data.pages.own_templates:
        account = "the pages were not compared: their publisher made them from templates of their own"
        return PageCheck((), account, is_whole=False)
    stated, found = path.read_bytes(), _set_again(data)
    if stated == found:
        return PageCheck((), "the pages are, byte for byte, those that follow from the data")
    pages, others = read_pages(stated, found)
    with bounded_memory(path):
        foreign = map(Difference, find_foreign(stated))
    differences = (*map(_as_difference, islice(compare_pages(pages, others), _NAMED)), *foreign)
    engine, own = read_producer(stated), read_producer(found)
    if engine != own:
        return PageCheck(
            differences,
            f"the pages were compared by their figures alone, and not by what is drawn over them: {engine} set them, "
            f"here is {own}",
            is_whole=False,
        )
    return PageCheck(differences or tuple(_judge_rest(pages, others)), "the pages were compared with those that follow")


def _judge_rest(pages: list[str], others: list[str]) -> Iterator[Difference]:
    """What is to be said of pages on which each figure is right and which are still not those that follow."""
    if same_words(pages, others):
        yield Difference("the PDF holds the text that follows, but is not drawn or bound as it follows")
    else:
        yield Difference("the figures on the pages follow, but not all words around them do")


def _as_difference(item: PageDifference) -> Difference:
    return Difference(f"page {item.page}", item.stated or "nothing", item.found or "nothing")


def _set_again(data: PdfData) -> bytes:
    look, revision = Look(data.pages.brand), data.records.revision
    assert revision is not None, "a PDF carries a report.json, which states its revision"
    report = assemble_report(data.records, revision, data.pages.title, look, data.records.standing)
    _, pdf = next(print_volumes(report, all_turns=data.pages.all_turns, warnings=[]))
    return pdf
