"""`reportgen run`."""

from datetime import datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.judge import judge_and_tell, make_order
from reportgen.cli.report import write


@click.command(
    epilog=options.examples(
        "reportgen run turns.jsonl",
        "reportgen run turns.jsonl --judge anthropic:claude-haiku-5-5 --out july --format html,pdf",
    )
)
@click.argument("turns", type=options.FILE)
@options.judge
@options.effort
@options.rubric
@options.concurrency
@options.runs
@options.run_id
@options.resume
@options.skip_bad
@options.limit
@options.out
@options.formats
@options.generated_at
@options.common
def command(
    turns: Path,
    judge: str | None,
    effort: str | None,
    rubric: str | None,
    concurrency: int | None,
    runs: Path | None,
    run_id: str | None,
    resume: bool,
    skip_bad: bool,
    limit: int | None,
    out: Path | None,
    formats: tuple[str, ...] | None,
    generated_at: datetime | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Judge TURNS, store the run, and write its report: `judge` and `report` in one."""
    from reportgen.config import load_config

    settings, console = load_config(config), Console(verbose, quiet)
    order = make_order(settings, turns, judge, effort, rubric, concurrency, runs, run_id, resume, skip_bad, limit)
    folder = judge_and_tell(order, console)
    write(folder, out, formats or settings.report.formats, settings.report.title, generated_at, console)
