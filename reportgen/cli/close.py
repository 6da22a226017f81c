"""`reportgen close`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.costs import tell_cost
from reportgen.cli.judge import make_order, require_strictly, tell_headline


@click.command(
    epilog=options.examples(
        "reportgen close --collection help-desk --period 2026-07",
        "reportgen close --collection help-desk --period 2026-07 --finish --max-cost 5",
    )
)
@options.collection
@options.period
@click.option("--finish", is_flag=True, help="Judge now what has no verdict yet.")
@options.judge
@options.effort
@options.rubric
@options.concurrency
@options.timeout
@options.runs
@options.run_id
@options.max_cost
@options.prices
@options.checking
@options.produced
@options.common
def command(
    collection: str,
    period: str,
    finish: bool,
    config: Path | None,
    verbose: bool,
    quiet: bool,
    strict: bool,
    **chosen: Any,
) -> None:
    """Close the open run of a collection and period: no turn is accepted any more, and it becomes an ordinary run.

    Interrupted, the same command goes on.
    """
    from reportgen.config import load_config
    from reportgen.pipeline.close import CloseOrder, close_run

    settings, console = load_config(config), Console(verbose, quiet)
    judging = make_order(settings, Path(), strict=strict, **chosen)
    order = CloseOrder(collection, period, finish, judging)
    with console.progress("judged") as tell:
        folder = close_run(order, lambda: datetime.now(UTC), tell, console.say).folder
    tell_headline(folder, console)
    tell_cost(folder, console)
    console.result(f"run: {folder}")
    require_strictly(folder, strict, console)
