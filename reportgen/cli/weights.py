"""`reportgen weights`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(epilog=options.examples("reportgen weights july", "reportgen weights july --format json"))
@click.argument("run")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", help="[default: text]")
@options.runs
@options.common
def command(run: str, form: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """Say whether the labels of RUN contradict the weights of its rubric.

    What people say of whole turns is held against their own subscores. Weights are never changed by it.
    """
    from reportgen.archive.records import find_intact
    from reportgen.cli.calibration_text import render_review, review_data
    from reportgen.config import load_config
    from reportgen.pipeline.calibrating import review_run

    folder = find_intact(run, runs or Path(load_config(config).runs))
    found, console = review_run(folder), Console(verbose, quiet)
    if form == "json":
        console.data(review_data(folder.name, found))
        return
    for line in render_review(folder.name, found):
        console.result(line)
