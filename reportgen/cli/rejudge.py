"""`reportgen rejudge`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.costs import tell_estimate
from reportgen.cli.judge import judge_and_tell, make_order, require_strictly


@click.command(
    epilog=options.examples(
        "reportgen rejudge 2026-07-20T0900Z-sql-agent-1-opus-5-5 --judge anthropic:claude-fable-5-2 --effort high"
    )
)
@click.argument("run")
@options.judging_again
@options.common
def command(
    run: str, config: Path | None, verbose: bool, quiet: bool, estimate: bool, strict: bool, **chosen: Any
) -> None:
    """Ask a judge about the turns of RUN again, as a new run that names RUN as its parent.

    Rubric and evidence are those of RUN, unless another rubric is given.
    """
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import TURNS, find_archive, load_run
    from reportgen.config import load_config
    from reportgen.pipeline.begin import require_texts

    settings = load_config(config)
    chosen["runs"] = find_archive(run, chosen["runs"], settings.runs)
    folder = find_intact(run, chosen["runs"])
    parent = load_run(folder)
    require_texts(parent)
    chosen["rubric"] = chosen["rubric"] or parent.rubric
    order = make_order(settings, folder / TURNS, strict=strict, **chosen)
    order = replace(order, rows=parent.manifest.evidence.rows, parent=parent)
    console = Console(verbose, quiet)
    if estimate:
        tell_estimate(order, console)
    else:
        require_strictly(judge_and_tell(order, console), strict, console)
