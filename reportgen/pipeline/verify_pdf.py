"""Does what a PDF prints follow from the data that it carries? The pages are set again and compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from reportgen.analysis.findings import build_findings
from reportgen.archive.records import Records, open_report, read_json
from reportgen.assembly import read_entries
from reportgen.errors import RunError
from reportgen.pipeline.page_settings import PROGRAM, PageSettings, read_settings
from reportgen.pipeline.print_report import print_volumes
from reportgen.publishing.look.look import Look
from reportgen.publishing.paper.pdf_contents import (
    DATA,
    PAGES,
    PageDifference,
    compare_pages,
    read_attachments,
    read_producer,
    same_words,
)
from reportgen.publishing.report import Report
from reportgen.verification import Difference


@dataclass(frozen=True, slots=True)
class PdfData:
    """What a PDF carries: the records of its run, and how its pages were made."""

    records: Records
    pages: PageSettings


@dataclass(frozen=True, slots=True)
class PageCheck:
    """What comparing the pages brought: how they differ, and what could be compared, in a sentence."""

    differences: tuple[Difference, ...]
    account: str


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
        return PageCheck((), f"the pages were not compared: {data.pages.program} made them, and this is {PROGRAM}")
    if data.pages.own_templates:
        return PageCheck((), "the pages were not compared: their publisher made them from templates of their own")
    stated, found = path.read_bytes(), _set_again(data)
    if stated == found:
        return PageCheck((), "the pages are, byte for byte, those that follow from the data")
    differences = tuple(_as_difference(item) for item in compare_pages(stated, found))
    engine, own = read_producer(stated), read_producer(found)
    if engine != own:
        return PageCheck(
            differences, f"the pages were compared by their figures alone: {engine} set them, here is {own}"
        )
    return PageCheck(differences or tuple(_judge_rest(stated, found)), "the pages were compared with those that follow")


def _judge_rest(stated: bytes, found: bytes) -> Iterator[Difference]:
    """What is to be said of pages on which each figure is right and which are still not those that follow."""
    if same_words(stated, found):
        yield Difference("the PDF holds the text that follows, but is not drawn or bound as it follows")
    else:
        yield Difference("the figures on the pages follow, but not all words around them do")


def _as_difference(item: PageDifference) -> Difference:
    return Difference(f"page {item.page}", item.stated or "nothing", item.found or "nothing")


def _set_again(data: PdfData) -> bytes:
    report = _build_report(data)
    _, pdf = next(print_volumes(report, all_turns=data.pages.all_turns, warnings=[]))
    return pdf


def _build_report(data: PdfData) -> Report:
    from pydantic import TypeAdapter

    from reportgen.record import Moment

    records = data.records
    rows = [entry.row for entry in read_entries(records.run, records)]
    run = records.run
    findings = build_findings(
        rows, run.rubric, run.manifest, records.paid(), run.canaries, records.probes, records.turns
    )
    try:
        moment = TypeAdapter(Moment).validate_python(records.generated_at)
    except ValueError:
        raise RunError(f"{records.place}: generated_at is not a time", "Give the PDF as it was published.") from None
    return Report(
        run,
        findings,
        moment,
        partial(read_entries, run, records),
        data.pages.title,
        records.probes,
        look=Look(data.pages.brand),
    )
