"""`reportgen stats`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen stats 2026-07-20T0900Z-rag-1-opus-5-5",
        "reportgen stats --collection handbook --timezone Europe/London",
    )
)
@click.argument("run", required=False)
@click.option("--collection", metavar="ID", help="The turns with this label `collection`; without RUN, of all runs.")
@click.option("--timezone", metavar="NAME", help="In which days begin.  [default: that of publications]")
@options.runs
@options.common
def command(
    run: str | None,
    collection: str | None,
    timezone: str | None,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Print the statistics of RUN, or of a collection, as JSON: averages, daily trend, worst queries.

    RUN is a run's id, its folder, or a report.json. A collection is taken over all runs of the instrument of the latest
    run with turns of it.
    """
    from reportgen.archive.records import open_intact
    from reportgen.config import load_config
    from reportgen.pipeline.statistics import read_collection, read_statistics

    settings, console = load_config(config), Console(verbose, quiet)
    archive, zone = runs or Path(settings.runs), timezone or settings.publish.timezone
    if run is not None:
        found = read_statistics(open_intact(run, archive), zone, collection)
    elif collection is not None:
        found = read_collection(collection, archive, zone)
    else:
        raise click.UsageError("Name a run, or a collection by --collection.")
    console.data(found.data, indent=2)
    if found.left_out:
        console.say(f"left out, since made with another instrument: {', '.join(found.left_out)}")
