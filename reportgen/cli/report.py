"""`reportgen report`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.pipeline.publish import Published
    from reportgen.publishing.look.look import Look


@click.command(
    epilog=options.examples(
        "reportgen report 2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen report runs/2026-07-20T0900Z-sql-agent-1-opus-5-5 --out july --format html,pdf",
    )
)
@click.argument("run")
@options.runs
@options.reporting
@options.common
def command(
    run: str,
    runs: Path | None,
    out: Path | None,
    formats: tuple[str, ...] | None,
    generated_at: datetime | None,
    all_turns: bool,
    templates: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Write the report of RUN, a run's id or folder, as HTML, PDF and JSON.

    The generation time is that of the first rendering; rendering again gives the same bytes.
    """
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config
    from reportgen.publishing.look.look import read_look

    settings = load_config(config)
    folder = find_intact(run, runs or Path(settings.runs))
    look = read_look(settings.report, templates)
    write(settings, folder, out, formats, generated_at, all_turns, look, Console(verbose, quiet))


def write(
    settings: "Config",
    folder: Path,
    out: Path | None,
    formats: tuple[str, ...] | None,
    generated_at: datetime | None,
    all_turns: bool,
    look: "Look",
    console: Console,
) -> None:
    """Writes a report and says where it is."""
    from reportgen.pipeline.publish import ReportOrder, publish_report

    order = ReportOrder(
        folder=folder,
        out=out or Path("reports") / folder.name,
        formats=formats or settings.report.formats,
        title=settings.report.title,
        generated_at=generated_at,
        all_turns=all_turns,
        look=look,
        one_file_up_to=settings.report.one_file_up_to,
    )
    console.detail(f"Rendering {', '.join(order.formats)} of {folder}")
    tell_files(publish_report(order, datetime.now(UTC)), console)


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
