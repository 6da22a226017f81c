"""`reportgen report`."""

from collections.abc import Iterable
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
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5 --revision 1",
    )
)
@click.argument("run")
@options.runs
@options.reporting
@options.revising
@options.common
def command(run: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool, **chosen: Any) -> None:
    """Write the report of RUN, a run's id or folder, as HTML, PDF and JSON.

    The latest revision is rendered again, to the same bytes; an option that changes what it rests on makes a new one.
    """
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config

    settings = load_config(config)
    folder = find_intact(run, runs or Path(settings.runs))
    write(folder, make_report_order(settings, **chosen), Console(verbose, quiet))


def make_report_order(
    settings: "Config",
    *,
    out: Path | None,
    formats: tuple[str, ...] | None,
    all_turns: bool,
    templates: Path | None,
    revision: int | None = None,
    **terms: Any,
) -> "ReportOrder":
    """The order that the options give; what they leave open is taken from the configuration.

    Raises:
        click.UsageError: The options contradict one another.
        ReportgenError: A file that they name cannot be used.
    """
    from reportgen.pipeline.publish import ReportOrder
    from reportgen.publishing.look.look import read_look

    if revision is not None:
        _require_none(terms, "--revision, since an old one is rendered as it was")
    return ReportOrder(
        formats=formats or settings.report.formats,
        title=settings.report.title,
        out=out,
        revision=revision,
        terms=make_terms(**terms),
        one_file_up_to=settings.report.one_file_up_to,
        all_turns=all_turns,
        look=read_look(settings.report, templates),
    )


def make_terms(*, generated_at: datetime | None = None) -> "Terms":
    """What the options say that the report is to rest on."""
    from reportgen.pipeline.revising import Terms

    return Terms(generated_at=generated_at)


def _require_none(names: Iterable[str], what: str) -> None:
    options.require_only({param.name for param in click.get_current_context().command.params} - set(names), what)


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
