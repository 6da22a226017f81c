"""A finished run -> its report as HTML, PDF and JSON."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.annexes import record_revision
from reportgen.archive.files import write_folder, write_whole
from reportgen.archive.records import open_records
from reportgen.assembly import assemble_report
from reportgen.errors import RunError
from reportgen.pipeline.making_room import move_in, require_room, staged
from reportgen.pipeline.revising import AS_BEFORE, Terms, choose_revision
from reportgen.publishing.look.look import PLAIN, Look
from reportgen.publishing.report import Report


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What is to be written, and how.

    `out` is the folder to write to, None for `reports/` with the run's id. `revision` asks for an old one as it was,
    `terms` say what the report is to rest on otherwise. The HTML of more than `one_file_up_to` turns is a folder. With
    `all_turns` each turn stands in full in the PDF, which may take several volumes.
    """

    formats: tuple[str, ...]
    title: str
    out: Path | None = None
    revision: int | None = None
    terms: Terms = AS_BEFORE
    one_file_up_to: int = 500
    all_turns: bool = False
    look: Look = PLAIN


@dataclass(frozen=True, slots=True)
class Published:
    """The files of a report to open, and what the PDF engine had to say, such as a letter that no font has."""

    files: tuple[Path, ...]
    warnings: tuple[str, ...]


def publish_report(folder: Path, order: ReportOrder, now: datetime) -> Published:
    """Writes the report of the finished run in that folder in each format.

    All is rendered aside. Only when that has succeeded a new revision is recorded, and the files are moved into place.

    Raises:
        RunError: The run cannot be read, its revision not be recorded, or the files not be written.
        RenderError: The PDF engine failed.
    """
    records = open_records(folder)
    choice = choose_revision(records, order.terms, order.revision, now)
    report = assemble_report(records, choice.revision, order.title, order.look)
    out = order.out or Path("reports") / folder.name
    _make_folder(out)
    require_room(out, order.formats)
    warnings: list[str] = []
    with staged(out) as aside:
        names = [_render(report, form, order, aside, warnings) for form in order.formats]
        move_in(aside, out, lambda: record_revision(folder, choice.revision) if choice.is_new else None)
    return Published(tuple(out / name for name in names), tuple(warnings))


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out} cannot be made: {error.strerror}", "Choose another folder by --out.") from None


def _render(report: Report, form: str, order: ReportOrder, aside: Path, warnings: list[str]) -> Path:
    """Writes one format to the folder aside; gives the name of the file in it that a reader opens."""
    if form == "html":
        return _render_html(report, order, aside)
    if form == "json":
        return _render_json(report, aside)
    return _render_pdf(report, order, aside, warnings)


def _render_html(report: Report, order: ReportOrder, aside: Path) -> Path:
    """One file, or for many turns a folder."""
    from reportgen.publishing.browser.folder import INDEX, is_report_folder, render_folder
    from reportgen.publishing.browser.html import render_html

    if report.findings.summary.turns <= order.one_file_up_to:
        write_whole(aside / "report.html", map(str.encode, render_html(report)))
        return Path("report.html")
    files = ((name, map(str.encode, pieces)) for name, pieces in render_folder(report))
    write_folder(aside / "report", files, is_report_folder)
    return Path("report", INDEX)


def _render_json(report: Report, aside: Path) -> Path:
    from reportgen.publishing.data import render_json

    write_whole(aside / "report.json", render_json(report))
    return Path("report.json")


def _render_pdf(report: Report, order: ReportOrder, aside: Path, warnings: list[str]) -> Path:
    """One PDF, or several volumes; gives the name of the first."""
    from reportgen.pipeline.print_report import print_volumes

    names = []
    for name, pdf in print_volumes(report, all_turns=order.all_turns, warnings=warnings):
        write_whole(aside / name, [pdf])
        names.append(name)
    return Path(names[0])
