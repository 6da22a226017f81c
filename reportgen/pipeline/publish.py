"""A finished run -> its report as HTML, PDF and JSON."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.annexes import record_revision
from reportgen.archive.files import folder_aside, write_folder, write_whole
from reportgen.archive.records import Records, open_records
from reportgen.assembly import assemble_report
from reportgen.errors import RunError
from reportgen.pipeline.correcting import require_same_readers, supersede_elsewhere
from reportgen.pipeline.making_room import move_in, require_room
from reportgen.pipeline.revising import AS_BEFORE, Choice, Terms, choose_revision
from reportgen.publishing.look.look import PLAIN, Look
from reportgen.publishing.report import Report


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What is to be written, and how.

    `out` is the folder to write to, None for `reports/` with the run's id. `revision` asks for an old one,
    `as_published` for it without what has become of it since. `terms` say what the report is to rest on otherwise;
    `corrected` is the folder of another run whose report it corrects. The HTML of more than `one_file_up_to` turns is a
    folder. With `all_turns` each turn stands in full in the PDF, which may take several volumes.
    """

    formats: tuple[str, ...]
    title: str
    out: Path | None = None
    revision: int | None = None
    as_published: bool = False
    terms: Terms = AS_BEFORE
    corrected: Path | None = None
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
    if order.corrected:
        require_same_readers(records.run, order.corrected)
    choice = choose_revision(records, order.terms, order.revision, now)
    standing = None if order.as_published else choice.standing
    report = assemble_report(records, choice.revision, order.title, order.look, standing)
    out = order.out or Path("reports") / folder.name
    make_folder(out)
    require_room(out, order.formats)
    warnings: list[str] = []
    with folder_aside(out / "report") as aside:
        names = [render_form(report, form, order, aside, warnings)[0] for form in order.formats]
        move_in(aside, out, lambda: _record(choice, records, order.corrected))
    return Published(tuple(out / name for name in names), tuple(warnings))


def _record(choice: Choice, records: Records, corrected: Path | None) -> None:
    if choice.is_new and records.folder:
        record_revision(records.folder, choice.revision, *records.run.manifest.seals_before)
    if corrected:
        supersede_elsewhere(corrected, records.run, choice.revision)


def make_folder(out: Path) -> None:
    """The folder that something goes into.

    Raises:
        RunError: It cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out} cannot be made: {error.strerror}", "Choose another folder by --out.") from None


def render_form(report: Report, form: str, order: ReportOrder, folder: Path, warnings: list[str]) -> list[Path]:
    """Writes one format of a report to a folder; gives the names of the files in it that a reader opens.

    Raises:
        RunError: The files cannot be written.
        RenderError: The PDF engine failed.
    """
    if form == "html":
        return [_render_html(report, order, folder)]
    if form == "json":
        return [_render_json(report, folder)]
    return _render_pdf(report, order, folder, warnings)


def _render_html(report: Report, order: ReportOrder, folder: Path) -> Path:
    """One file, or for many turns a folder."""
    from reportgen.publishing.browser.folder import INDEX, is_report_folder, render_folder
    from reportgen.publishing.browser.html import render_html

    if report.findings.summary.turns <= order.one_file_up_to:
        write_whole(folder / "report.html", map(str.encode, render_html(report)))
        return Path("report.html")
    files = ((name, map(str.encode, pieces)) for name, pieces in render_folder(report))
    write_folder(folder / "report", files, is_report_folder)
    return Path("report", INDEX)


def _render_json(report: Report, folder: Path) -> Path:
    from reportgen.publishing.data import render_json

    write_whole(folder / "report.json", render_json(report))
    return Path("report.json")


def _render_pdf(report: Report, order: ReportOrder, folder: Path, warnings: list[str]) -> list[Path]:
    """One PDF, or several volumes."""
    from reportgen.pipeline.print_report import print_volumes

    names = []
    for name, pdf in print_volumes(report, all_turns=order.all_turns, warnings=warnings):
        write_whole(folder / name, [pdf])
        names.append(Path(name))
    return names
