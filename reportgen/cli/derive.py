"""`reportgen derive`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "openssl rand -hex 32 > ~/reportgen.key    # once; keep it for as long as the runs",
        "reportgen derive 2026-07-20T0900Z-sql-agent-1-opus-5-5 --client Norrsund --key ~/reportgen.key",
    )
)
@click.argument("run")
@click.option("--client", required=True, metavar="NAME", help="The value of the label `client`.")
@options.key
@options.runs
@options.run_id
@options.common
def command(
    run: str,
    client: str,
    key: Path,
    runs: Path | None,
    run_id: str | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Make a run for one client out of RUN: its turns only, redacted, with scores and a seal of its own.

    Nothing of another client is in it. It commits to each turn of RUN by keys that follow from the publisher's key, so
    that `reportgen prove` can show later what was withheld. No judge is asked.
    """
    from reportgen.archive.commitments import is_exposed, read_key
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import load_run
    from reportgen.config import load_config
    from reportgen.pipeline.client import derive_run

    settings = load_config(config)
    archive = runs or Path(settings.runs)
    folder = derive_run(find_intact(run, archive), client, read_key(key, archive), settings.redaction, archive, run_id)
    console = Console(verbose, quiet)
    if is_exposed(key):
        console.say(f"The key {key} can be read by others: chmod 600 {key}")
    derived = load_run(folder).manifest.derived
    for item in derived.withheld if derived else ():
        console.say(f"withheld  {item.count:,} {item.kind} in {item.place}")
    console.result(f"run: {folder}")
