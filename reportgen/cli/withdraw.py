"""`reportgen withdraw`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen withdraw 2026-07-20T0900Z-sql-agent-1-opus-5-5 --reason 'The capture lacked a week.'",
        "reportgen withdraw 2026-07-20T0900Z-sql-agent-1-opus-5-5 --revision 2 --reason 'It went to the wrong client.'",
    )
)
@click.argument("run")
@click.option("--revision", type=click.IntRange(1), metavar="N", help="Only that one.  [default: all that stand]")
@click.option("--reason", metavar="TEXT", required=True, help="Why, for readers.")
@options.runs
@options.common
def command(
    run: str, revision: int | None, reason: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool
) -> None:
    """Withdraw the report of RUN: rendered again, it says so on its cover, and so does the site.

    What was published stays as it is in the hands of its readers. Only a correction brings the report back.
    """
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config
    from reportgen.pipeline.correcting import withdraw_report
    from reportgen.pipeline.revising import source_date

    console = Console(verbose, quiet)
    folder = find_intact(run, runs or Path(load_config(config).runs))
    withdrawal = withdraw_report(folder, revision, reason, source_date() or datetime.now(UTC))
    numbers = ", ".join(map(str, withdrawal.revisions))
    console.result(f"withdrawn: {folder.name}, revision{'s' if len(withdrawal.revisions) > 1 else ''} {numbers}")
    console.say("Write its report again, and the site, so that they say so.")
