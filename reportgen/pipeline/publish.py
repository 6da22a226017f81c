"""A finished run -> its report as HTML, PDF and JSON."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.findings import build_findings
from reportgen.archive.annexes import current_revision
from reportgen.archive.files import write_whole
from reportgen.archive.records import open_records
from reportgen.assembly import read_entries
from reportgen.errors import RunError
from reportgen.model.run import RunFile
from reportgen.publishing.report import Report


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What is to be written where; `generated_at` asks for a revision of that time."""

    folder: Path
    out: Path
    formats: tuple[str, ...]
    title: str
    generated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """The files of a report, and what the PDF engine had to say, such as a letter that no font has."""

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
    warnings: list[str] = []
    files = tuple(order.out / f"report.{name}" for name in order.formats)
    for path, name in zip(files, order.formats, strict=True):
        write_whole(path, _render(report, name, warnings))
    return Published(files, tuple(warnings))


def build_report(order: ReportOrder, now: datetime) -> Report:
    """The data of the report, at the time of its current revision."""
    records = open_records(order.folder)
    run = records.run
    fixed = order.generated_at or source_date()
    if fixed is not None:
        _require_after(fixed, run)
    revision = current_revision(order.folder, run.seal, f"reportgen {__version__}", now.replace(microsecond=0), fixed)
    rows = [entry.row for entry in read_entries(run, records)]
    findings = build_findings(rows, run.rubric, run.manifest, records.paid(), run.canaries, records.probes)
    entries = partial(read_entries, run, records)
    return Report(run, findings, revision.generated_at, entries, order.title, records.probes)


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


def _render(report: Report, form: str, warnings: list[str]) -> Iterable[bytes]:
    if form == "json":
        from reportgen.publishing.data import render_json

        return render_json(report)
    from reportgen.publishing.html import render_html

    if form == "html":
        return (chunk.encode() for chunk in render_html(report))
    from reportgen.publishing.pdf import render_pdf

    return [render_pdf(render_html(report), on_outcome=lambda outcome: warnings.extend(outcome.warnings))]
