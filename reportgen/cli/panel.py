"""`reportgen panel`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen panel 2026-07-20T0900Z-sql-agent-1-opus-5-5 2026-07-20T1100Z-sql-agent-1-haiku-5-5",
        "reportgen panel july-opus july-haiku july-fable --run-id july-panel",
    )
)
@click.argument("members", nargs=-1, required=True, metavar="RUN RUN...")
@options.runs
@options.run_id
@options.common
def command(
    members: tuple[str, ...],
    runs: Path | None,
    run_id: str | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Combine finished runs of different judges over the same turns into a new run. No judge is asked.

    Each verdict keeps its judge. A turn's subscores are the medians of the judges' (of two, their mean); a turn for
    which fewer than half of the judges gave a verdict has no score.
    """
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.panel import combine_runs

    archive = find_archive(members[0], runs, load_config(config).runs)
    folders = [find_intact(member, archive) for member in members]
    folder = combine_runs(folders, archive, run_id, lambda: datetime.now(UTC))
    Console(verbose, quiet).result(f"run: {folder}")
