"""A finished run -> its report as HTML, PDF and JSON."""

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reportgen import __version__
from reportgen.archive.annexes import current_revision
from reportgen.archive.files import write_folder, write_whole
from reportgen.archive.records import open_records
from reportgen.assembly import assemble_report
from reportgen.errors import RunError
from reportgen.model.run import RunFile
from reportgen.pipeline.making_room import find_volumes, require_ours, require_room
from reportgen.publishing.look.look import PLAIN, Look
from reportgen.publishing.report import Report


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What is to be written where.

    `generated_at` asks for a revision of that time; the HTML of more than `one_file_up_to` turns is a folder. With
    `all_turns` each turn stands in full in the PDF, which may take several volumes.
    """

    folder: Path
    out: Path
    formats: tuple[str, ...]
    title: str
    generated_at: datetime | None = None
    one_file_up_to: int = 500
    all_turns: bool = False
    look: Look = PLAIN


@dataclass(frozen=True, slots=True)
class Published:
    """The files of a report to open, and what the PDF engine had to say, such as a letter that no font has."""

    files: tuple[Path, ...]
    warnings: tuple[str, ...]


def publish_report(order: ReportOrder, now: datetime) -> Published:
    """Writes the report of a finished run in each format, whole or not at all.

    Raises:
        RunError: The run cannot be read, or the files not be written.
        RenderError: The PDF engine failed.
    """
    report = build_report(order, now)
    _make_folder(order.out)
    require_room(order.out, order.formats)
    warnings: list[str] = []
    files = tuple(_write(report, name, order, warnings) for name in order.formats)
    return Published(files, tuple(warnings))


def build_report(order: ReportOrder, now: datetime) -> Report:
    """The data of the report, at the time of its current revision."""
    records = open_records(order.folder)
    run = records.run
    fixed = order.generated_at or source_date()
    if fixed is not None:
        _require_after(fixed, run)
    revision = current_revision(order.folder, run.seal, f"reportgen {__version__}", now.replace(microsecond=0), fixed)
    return assemble_report(records, revision, order.title, order.look)


def _require_after(generated_at: datetime, run: RunFile) -> None:
    finished = run.manifest.finished_at
    if finished is not None and generated_at < finished.replace(microsecond=0):
        raise RunError(
            f"The generation time {generated_at.isoformat()} is before the run was finished, {finished.isoformat()}",
            "Give a later --generated-at or SOURCE_DATE_EPOCH, or none.",
        )


def source_date() -> datetime | None:
    """The time that SOURCE_DATE_EPOCH asks for.

    Raises:
        RunError: It is not a number of seconds.
    """
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return None
    try:
        return datetime.fromtimestamp(int(text), UTC)
    except (ValueError, OverflowError, OSError):
        raise RunError(f"SOURCE_DATE_EPOCH is {text!r}", "Give seconds since 1970, or unset it.") from None


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out} cannot be made: {error.strerror}", "Choose another folder by --out.") from None


def _write(report: Report, form: str, order: ReportOrder, warnings: list[str]) -> Path:
    if form == "html":
        return _write_html(report, order)
    if form == "json":
        return _write_json(report, order.out)
    return _write_pdf(report, order, warnings)


def _write_html(report: Report, order: ReportOrder) -> Path:
    """One file, or for many turns a folder; of the two only one stays, so that an old report is not taken for a new."""
    from reportgen.publishing.browser.folder import INDEX, is_report_folder, render_folder
    from reportgen.publishing.browser.html import render_html

    one, many = order.out / "report.html", order.out / "report"
    if report.findings.summary.turns <= order.one_file_up_to:
        write_whole(one, map(str.encode, render_html(report)))
        if is_report_folder(many):
            shutil.rmtree(many)
        return one
    files = ((name, map(str.encode, pieces)) for name, pieces in render_folder(report))
    write_folder(many, files, is_report_folder)
    one.unlink(missing_ok=True)
    return many / INDEX


def _write_json(report: Report, out: Path) -> Path:
    from reportgen.publishing.data import render_json

    path = out / "report.json"
    write_whole(path, render_json(report))
    return path


def _write_pdf(report: Report, order: ReportOrder, warnings: list[str]) -> Path:
    """One PDF, or several volumes; those of an earlier report go, so that no old one is taken for a new."""
    from reportgen.pipeline.print_report import print_volumes

    written = []
    for name, pdf in print_volumes(report, all_turns=order.all_turns, warnings=warnings):
        written.append(order.out / name)
        require_ours(written[-1])
        write_whole(written[-1], [pdf])
    for old in set(find_volumes(order.out)) - set(written):
        old.unlink()
    return written[0]
