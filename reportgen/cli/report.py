"""`reportgen report`."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.pipeline.publish import Published, ReportOrder
    from reportgen.pipeline.revising import Terms


@click.command(
    epilog=options.examples(
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen report runs/2026-07-20T0900Z-sql-agent-1-opus-5-5 --out july --format html,pdf",
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5 --notes july.md --signed 'A. Editor'",
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5 --corrects 1 --changed '…' --reason '…'",
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5 --revision 1",
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5 --baseline june --trend",
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5 --audience public --key ~/reportgen.key",
    )
)
@click.argument("run")
@options.runs
@options.reporting
@options.revising
@options.audience
@options.common
def command(run: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool, **chosen: Any) -> None:
    """Write the report of RUN, a run's id or folder, as HTML, PDF and JSON.

    The latest revision is rendered again, to the same bytes; an option that changes what it rests on makes a new one.
    """
    from reportgen.archive.records import find_intact, open_records
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.succeeding import correct_before

    settings = load_config(config)
    runs = find_archive(run, runs, settings.runs)
    readers = {name: chosen.pop(name) for name in ("audience", "client", "key")}
    folder = find_for(find_intact(run, runs), settings, runs, **readers)
    against = {name: chosen.pop(name) for name in ("baseline", "anyway", "trend")}
    if chosen["revision"] is not None or chosen["as_published"]:
        options.require_none(against, "--revision or --as-published, by which a revision is rendered as it was")
    order = hold_against(make_report_order(settings, runs, **chosen), folder, runs, **against)
    if readers["audience"] != "internal":
        order = correct_before(open_records(folder), order, runs)
    write(folder, order, Console(verbose, quiet))


def find_for(
    parent: Path, settings: "Config", runs: Path, *, audience: str, client: str | None, key: Path | None
) -> Path:
    """The run that is published for an audience: the run itself, or the one derived from it.

    Raises:
        click.UsageError: A client is named for another audience, or none for the audience `client`.
        RunError: There is no key, or the run cannot be derived.
    """
    from reportgen.archive.commitments import read_key
    from reportgen.model.audience import Audience
    from reportgen.pipeline.audience import run_for

    if (audience == "client") != (client is not None):
        raise click.UsageError("--client goes with --audience client, and with no other.")
    if audience == "internal":
        return parent
    readers = Audience("client", client) if client else Audience("public")
    return run_for(parent, readers, read_key(key, runs) if key else None, settings.redaction, runs)


def hold_against(
    order: "ReportOrder", folder: Path, runs: Path, *, baseline: str | None, anyway: bool, trend: bool
) -> "ReportOrder":
    """The order, with what the run is to be held against.

    Raises:
        click.UsageError: `--anyway` is given without a baseline.
        NotComparableError: The instruments of both runs differ.
        RunError: A run is damaged, or holds turns of another client.
    """
    from reportgen.archive.records import find_intact, open_records
    from reportgen.pipeline.comparing import compare_records
    from reportgen.pipeline.lineage import find_earlier

    if anyway and baseline is None:
        raise click.UsageError("--anyway has no meaning without --baseline.")
    terms, records = order.terms, open_records(folder)
    if baseline is not None:
        found = compare_records(open_records(find_intact(baseline, runs)), records, anyway=anyway)
        terms = replace(terms, baseline=found.baseline)
    if trend:
        terms = replace(terms, earlier=find_earlier(records, runs))
    return replace(order, terms=terms)


def make_report_order(
    settings: "Config",
    runs: Path,
    *,
    out: Path | None = None,
    formats: tuple[str, ...] | None = None,
    all_turns: bool = False,
    templates: Path | None = None,
    revision: int | None = None,
    as_published: bool = False,
    **terms: Any,
) -> "ReportOrder":
    """The order that the options give; what they leave open is taken from the configuration.

    Raises:
        click.UsageError: The options contradict one another.
        ReportgenError: A file that they name cannot be used.
    """
    from reportgen.pipeline.publish import ReportOrder
    from reportgen.publishing.look.look import read_look

    if revision is not None or as_published:
        options.require_none(terms, "--revision or --as-published, by which a revision is rendered as it was")
    new, corrected = make_terms(runs, **terms)
    return ReportOrder(
        formats=formats or settings.report.formats,
        title=settings.report.title,
        out=out,
        revision=revision,
        as_published=as_published,
        terms=new,
        corrected=corrected,
        one_file_up_to=settings.report.one_file_up_to,
        all_turns=all_turns,
        look=read_look(settings.report, templates),
    )


def make_terms(
    runs: Path,
    *,
    generated_at: datetime | None = None,
    notes: Path | None = None,
    signed: str | None = None,
    corrects: str | None = None,
    changed: str | None = None,
    reason: str | None = None,
) -> "tuple[Terms, Path | None]":
    """What the options say that the report is to rest on, and the folder of another run that it corrects.

    Raises:
        click.UsageError: One is given without another that it needs.
        RevisionError: A text cannot be used, or there is no such revision.
    """
    from reportgen.pipeline.correcting import read_correction, read_notes
    from reportgen.pipeline.revising import Terms

    _require_together(("--notes", notes), ("--signed", signed))
    _require_together(("--corrects", corrects), ("--changed", changed), ("--reason", reason))
    written = read_notes(notes, signed, datetime.now(UTC)) if notes and signed is not None else None
    if corrects is None or changed is None or reason is None:
        return Terms(generated_at=generated_at, notes=written), None
    corrected = read_correction(corrects, changed, reason, runs)
    return Terms(generated_at, written, corrected.correction), corrected.folder


def _require_together(*given: tuple[str, object]) -> None:
    missing = [name for name, value in given if value is None]
    if missing and len(missing) < len(given):
        raise click.UsageError(f"{' and '.join(name for name, _ in given)} go together; {missing[0]} is missing.")


def write(folder: Path, order: "ReportOrder", console: Console) -> None:
    """Writes the report of a run and says where it is."""
    from reportgen.pipeline.publish import publish_report

    console.detail(f"Rendering {', '.join(order.formats)} of {folder}")
    tell_files(publish_report(folder, order, datetime.now(UTC)), console)


def tell_files(published: "Published", console: Console) -> None:
    """Says where the files of a report are, and what the PDF engine had to say."""
    for warning in published.warnings:
        console.say(f"warning: {warning}")
    for path in published.files:
        console.result(f"report: {path}")
        if path.name == "index.html":
            console.say(
                f"Open that file in a browser; it needs the rest of its folder, so pass on all of {path.parent}."
            )
