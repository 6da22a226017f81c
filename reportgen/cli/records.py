"""`reportgen records`."""

from pathlib import Path

import click

from reportgen.cli import options


@click.command(
    epilog=options.examples(
        "reportgen records 2026-07-20T0900Z-rag-1-opus-5-5",
        "reportgen records 2026-07-20T0900Z-rag-1-opus-5-5 --limit 50 --offset 100",
    )
)
@click.argument("run")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, help="How many rows at most.  [default: 50]")
@click.option("--offset", type=click.IntRange(min=0), default=0, help="How many to pass over.  [default: 0]")
@options.runs
@options.common
def command(
    run: str, limit: int, offset: int, runs: Path | None, config: Path | None, verbose: bool, quiet: bool
) -> None:
    """Print the turns of RUN as raw rows in JSON, a page at a time, in the order of the capture.

    RUN is a run's id, its folder, or a report.json.
    """
    from reportgen.archive.records import open_intact
    from reportgen.config import load_config
    from reportgen.pipeline.raw_rows import render_rows

    records = open_intact(run, runs or Path(load_config(config).runs))
    for piece in render_rows(records, offset, limit):
        click.echo(piece, nl=False)
