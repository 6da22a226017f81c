"""`reportgen rejudge`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.judge import judge_and_tell


@click.command(
    epilog=options.examples(
        "reportgen rejudge 2026-07-20T0900Z-sql-agent-1-opus-5-5 --judge anthropic:claude-fable-5-2 --effort high"
    )
)
@click.argument("run")
@options.judge
@options.effort
@options.rubric
@options.concurrency
@options.runs
@options.run_id
@options.resume
@options.common
def command(
    run: str,
    judge: str | None,
    effort: str | None,
    rubric: str | None,
    concurrency: int | None,
    runs: Path | None,
    run_id: str | None,
    resume: bool,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Ask a judge about the turns of RUN again, as a new run that names RUN as its parent.

    The rubric is that of RUN, unless another one is given.
    """
    from reportgen.archive.store import TURNS, find_run, load_run
    from reportgen.config import load_config
    from reportgen.pipeline.judge import JudgeOrder

    settings = load_config(config)
    folder = find_run(run, runs or Path(settings.runs))
    parent = load_run(folder)
    order = JudgeOrder(
        source=folder / TURNS,
        judge=judge or settings.judge,
        effort=effort or settings.effort,
        rubric=rubric or f"{parent.rubric.id}-{parent.rubric.version}",
        concurrency=concurrency or settings.concurrency,
        rows=parent.manifest.evidence.rows,
        runs=runs or Path(settings.runs),
        run_id=run_id,
        resume=resume,
        parent=parent,
    )
    judge_and_tell(order, Console(verbose, quiet))
