"""`reportgen derive`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "openssl rand -hex 32 > ~/reportgen.key    # once; keep it for as long as the runs",
        "reportgen derive 2026-07-20T0900Z-sql-agent-1-opus-5-5 --client Norrsund --key ~/reportgen.key",
        "reportgen derive 2026-07-20T0900Z-sql-agent-1-opus-5-5 --public --key ~/reportgen.key",
    )
)
@click.argument("run")
@click.option("--client", metavar="NAME", help="For one client: the value of the label `client`.")
@click.option("--public", is_flag=True, help="For the public: the arithmetic of all turns, and none of their texts.")
@options.key
@options.runs
@options.run_id
@options.common
def command(
    run: str,
    client: str | None,
    public: bool,
    key: Path,
    runs: Path | None,
    run_id: str | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Make a run for one client or for the public out of RUN, with scores and a seal of its own.

    For a client it holds that client's turns only, redacted, and nothing of another client; for the public no text at
    all and no group of fewer than five turns. It commits to each turn of RUN by keys that follow from the publisher's
    key, so that `reportgen prove` can show later what was withheld. No judge is asked.
    """
    from reportgen.archive.commitments import is_exposed, read_key
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import find_archive, load_run
    from reportgen.config import load_config
    from reportgen.pipeline.client import derive_run
    from reportgen.pipeline.public import derive_public_run

    if (client is None) != public:
        raise click.UsageError("Give either --client NAME or --public.")
    settings = load_config(config)
    archive = find_archive(run, runs, settings.runs)
    parent, secret, redaction = find_intact(run, archive), read_key(key, archive), settings.redaction
    if client is None:
        folder = derive_public_run(parent, secret, redaction, archive, run_id)
    else:
        folder = derive_run(parent, client, secret, redaction, archive, run_id)
    console = Console(verbose, quiet)
    if is_exposed(key):
        console.say(f"The key {key} can be read by others: chmod 600 {key}")
    derived = load_run(folder).manifest.derived
    for item in derived.withheld if derived and not public else ():
        console.say(f"withheld  {item.count:,} {item.kind} in {item.place}")
    console.result(f"run: {folder}")
