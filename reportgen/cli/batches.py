"""`reportgen batches`."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.group(epilog=options.examples("reportgen batches cancel 2026-07-20T0900Z-sql-agent-1-opus-5-5"))
def command() -> None:
    """Cancel the batches of an unfinished run that `--batch` has sent."""


@command.command("cancel", epilog=options.examples("reportgen batches cancel 2026-07-20T0900Z-sql-agent-1-opus-5-5"))
@click.argument("run")
@options.runs
@options.common
def cancel(run: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """Ask the provider to cancel the open batches of RUN.

    What was answered by then is billed and kept: --resume takes it, and asks for the rest. Works while another process
    waits for the batches, too.
    """
    from reportgen.archive.store import find_folder
    from reportgen.config import load_config
    from reportgen.pipeline.batches import cancel_batches

    folder = find_folder(run, runs or Path(load_config(config).runs))
    console = Console(verbose, quiet)
    cancelled = asyncio.run(cancel_batches(folder, lambda: datetime.now(UTC)))
    for batch in cancelled:
        console.result(f"{batch.batch or 'unknown'}: {batch.text}")
    if not cancelled:
        console.say(f"{folder} has no open batches.")
