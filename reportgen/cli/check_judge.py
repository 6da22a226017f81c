"""`reportgen check-judge`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.errors import Exit

_MARKS = {True: "OK", False: "NO", None: "--"}


@click.command(
    epilog=options.examples(
        "reportgen check-judge",
        "reportgen check-judge --judge anthropic:claude-haiku-5-5 --effort low",
        "reportgen check-judge --judge openai:gpt-5.2",
    )
)
@options.judge
@options.effort
@options.timeout
@options.prices
@options.common
def command(
    judge: str | None,
    effort: str | None,
    timeout: int | None,
    prices: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """Ask the judge about one small known turn, twice, and say whether all is in order.

    Key, model, form of the reply, caching and verdict are told in a sentence each, with what it cost. This spends a few
    cents at most. The exit code is 1 where anything is not in order; a cache that is not used is no fault.
    """
    from reportgen.config import load_config
    from reportgen.pipeline.check import check_judge

    settings, console = load_config(config), Console(verbose, quiet)
    file = prices or (Path(settings.prices) if settings.prices else None)
    spec, limit = judge or settings.judge, timeout or settings.timeout
    checks = check_judge(spec, effort or settings.effort, file, lambda: datetime.now(UTC), limit)
    for check in checks:
        console.result(f"{check.name:<9}{_MARKS[check.ok]}  {check.sentence}")
    return Exit.FIXABLE if any(check.ok is False for check in checks) else Exit.DONE
