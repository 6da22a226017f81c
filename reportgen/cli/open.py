"""`reportgen open`."""

from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen open --collection help-desk --period 2026-07",
        "reportgen open --collection help-desk --period 2026-07 --judge anthropic:claude-opus-5-5 --effort low",
        "reportgen open --collection help-desk --period 2026-07 --max-cost 20",
    )
)
@options.collection
@options.period
@options.judge
@options.effort
@options.rubric
@options.timeout
@options.max_cost
@options.prices
@options.runs
@options.common
def command(
    collection: str,
    period: str,
    judge: str | None,
    effort: str | None,
    rubric: str | None,
    timeout: int | None,
    max_cost: Fraction | None,
    prices: Path | None,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Open a run for the turns of a collection that were captured in a period.

    It is pinned to this judge, rubric, prompts and limits of evidence: a worker with others refuses to judge for it.
    With --max-cost its workers stop before they spend more together; given again, the new limit holds.
    """
    from reportgen.config import load_config
    from reportgen.pipeline.opening import OpenOrder, open_run

    settings = load_config(config)
    order = OpenOrder(
        runs=runs or Path(settings.runs),
        collection=collection,
        period=period,
        timezone=settings.publish.timezone,
        judge=judge or settings.judge,
        effort=effort or settings.effort,
        rubric=rubric or settings.rubric,
        rows=settings.evidence.rows,
        timeout=timeout or settings.timeout,
        max_cost=max_cost,
        prices=prices or (Path(settings.prices) if settings.prices else None),
        is_shared=settings.streaming.shared,
    )
    run = open_run(order, datetime.now(UTC))
    console, terms = Console(verbose, quiet), run.terms
    console.result(f"open: {run.folder}")
    if terms is not None:
        console.say(f"judged by {terms.judge.name} with the rubric {terms.rubric}-{terms.rubric_version}")
