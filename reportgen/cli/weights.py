"""`reportgen weights`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples("reportgen weights july", "reportgen weights july --labels anna.xlsx --labels ben.json")
)
@click.argument("run")
@click.option(
    "--labels",
    "files",
    multiple=True,
    type=options.FILE,
    metavar="FILE",
    help="A filled-in page, workbook or table; it counts too, and is not recorded. May be given several times.",
)
@options.form
@options.runs
@options.common
def command(
    run: str,
    files: tuple[Path, ...],
    form: str,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Say whether the labels of RUN contradict the weights of its rubric.

    What people say of whole turns is held against their own subscores. Weights are never changed by it.
    """
    from reportgen.archive.records import find_intact
    from reportgen.cli.calibration_text import render_review, review_data
    from reportgen.config import load_config
    from reportgen.pipeline.calibrating import review_run
    from reportgen.pipeline.importing_labels import ImportOrder, read_imports

    folder = find_intact(run, runs or Path(load_config(config).runs))
    labels = read_imports(ImportOrder(folder, files), datetime.now(UTC)) if files else ()
    found, console = review_run(folder, labels), Console(verbose, quiet)
    if form == "json":
        console.data(review_data(folder.name, found))
        return
    for line in render_review(folder.name, found):
        console.result(line)
