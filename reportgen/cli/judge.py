"""`reportgen judge`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.pipeline.judge import JudgeOrder


@click.command(
    epilog=options.examples(
        "reportgen judge turns.jsonl --judge anthropic:claude-opus-5-5 --effort medium",
        "reportgen judge turns.jsonl --limit 20 --run-id trial",
        "reportgen judge turns.jsonl --resume",
    )
)
@click.argument("turns", type=options.FILE)
@options.judging
@options.capture
@options.common
def command(turns: Path, config: Path | None, verbose: bool, quiet: bool, **chosen: Any) -> None:
    """Judge TURNS, a file of captured turns, and store the run.

    Each verdict is on disk before the next one is awaited: after an interruption, --resume goes on where it stopped.
    """
    from reportgen.config import load_config

    judge_and_tell(make_order(load_config(config), turns, **chosen), Console(verbose, quiet))


def make_order(
    settings: "Config",
    source: Path,
    *,
    judge: str | None,
    effort: str | None,
    rubric: str | None,
    concurrency: int | None,
    runs: Path | None,
    **rest: Any,
) -> "JudgeOrder":
    """The order that the options give; what they leave open is taken from the configuration."""
    from reportgen.pipeline.judge import JudgeOrder

    return JudgeOrder(
        source=source,
        judge=judge or settings.judge,
        effort=effort or settings.effort,
        rubric=rubric or settings.rubric,
        concurrency=concurrency or settings.concurrency,
        rows=settings.evidence.rows,
        runs=runs or Path(settings.runs),
        **rest,
    )


def judge_and_tell(order: "JudgeOrder", console: Console) -> Path:
    """Judges, shows how far it is, and says where the run is."""
    from reportgen.pipeline.judge import judge_capture

    with console.progress("judged") as tell:
        judged = judge_capture(order, lambda: datetime.now(UTC), tell)
    totals = judged.totals
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(totals.outcomes.items()))
    console.say(f"{outcomes or 'nothing was left to ask'}; {totals.attempts} requests in {totals.seconds:.0f} s")
    console.result(f"run: {judged.folder}")
    return judged.folder
