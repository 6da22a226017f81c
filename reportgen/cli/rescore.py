"""`reportgen rescore`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples("reportgen rescore 2026-07-20T0900Z-sql-agent-1-opus-5-5 --rubric stricter-caps.yaml")
)
@click.argument("run")
@click.option("--rubric", required=True, metavar="ID|FILE", help="The rubric to score by.")
@options.runs
@options.run_id
@options.common
def command(
    run: str,
    rubric: str,
    runs: Path | None,
    run_id: str | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Score the verdicts of RUN by another rubric, as a new run that names RUN as its parent. No judge is asked."""
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.derive import rescore_run

    archive = find_archive(run, runs, load_config(config).runs)
    folder = rescore_run(find_intact(run, archive), rubric, archive, run_id, lambda: datetime.now(UTC))
    Console(verbose, quiet).result(f"run: {folder}")
