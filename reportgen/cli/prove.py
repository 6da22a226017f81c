"""`reportgen prove`."""

import json
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples("reportgen prove july t-0703-11 --key ~/reportgen.key --out t-0703-11.json"),
)
@click.argument("run")
@click.argument("turn", required=False)
@options.key
@click.option("--out", type=options.FILE, required=True, metavar="FILE", help="Where the opening goes.")
@options.runs
@options.common
def command(
    run: str,
    turn: str | None,
    key: Path,
    out: Path,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Open the commitment to one TURN of RUN, from which others were derived; without a TURN that to RUN itself.

    The file that is written holds the turn as it was captured, NOT redacted, and a key that opens this one commitment
    and no other. Whoever has a run or report that was derived from RUN checks it by `reportgen verify --opening`.
    """
    from reportgen.archive.commitments import is_exposed, read_key
    from reportgen.archive.files import write_whole
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.client import prove

    archive = find_archive(run, runs, load_config(config).runs)
    opening = prove(find_intact(run, archive), turn, read_key(key, archive))
    write_whole(out, [json.dumps(opening.to_data(), indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"])
    console = Console(verbose, quiet)
    if is_exposed(key):
        console.say(f"The key {key} can be read by others: chmod 600 {key}")
    console.result(f"opening: {out}")
