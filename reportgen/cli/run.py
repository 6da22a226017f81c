"""`reportgen run`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.costs import tell_estimate
from reportgen.cli.judge import judge_and_tell, make_order, require_strictly
from reportgen.cli.report import make_report_order, write


@click.command(
    epilog=options.examples(
        "reportgen run turns.jsonl",
        "reportgen run turns.jsonl --judge anthropic:claude-haiku-5-5 --out july --format html,pdf",
    )
)
@click.argument("turns", type=options.FILE)
@options.judging
@options.capture
@options.reporting
@options.common
def command(
    turns: Path,
    config: Path | None,
    verbose: bool,
    quiet: bool,
    estimate: bool,
    strict: bool,
    **chosen: Any,
) -> None:
    """Judge TURNS, store the run, and write its report: `judge` and `report` in one."""
    from reportgen.config import load_config
    from reportgen.pipeline.revising import require_time

    settings, console = load_config(config), Console(verbose, quiet)
    report = make_report_order(
        settings, chosen["runs"] or Path(settings.runs), **{name: chosen.pop(name) for name in options.REPORTING}
    )
    order = make_order(settings, turns, strict=strict, **chosen)
    if estimate:
        tell_estimate(order, console)
        return
    require_time(report.terms, datetime.now(UTC))
    folder = judge_and_tell(order, console)
    write(folder, report, console)
    require_strictly(folder, strict, console)
