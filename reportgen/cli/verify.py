"""`reportgen verify`."""

from itertools import islice
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console

_SHOWN = 10


@click.command(
    epilog=options.examples(
        "reportgen verify runs/2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen verify report.json",
        "reportgen verify report.json --seal 1f0c…e9",
    )
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--seal", metavar="HEX", help="A seal that was kept elsewhere, such as the one printed on a cover.")
@options.common
def command(path: Path, seal: str | None, config: Path | None, verbose: bool, quiet: bool) -> int:
    """Recompute every score, figure, digest and the seal of PATH from its turns and verdicts.

    PATH is a run folder or a report.json. No judge is asked. Where something does not follow, the first difference is
    named and the exit code is 4.
    """
    from reportgen.archive.records import open_records
    from reportgen.errors import Exit
    from reportgen.verification import check_records

    console = Console(verbose, quiet)
    records = open_records(path)
    differences = list(islice(check_records(records, seal), _SHOWN))
    for difference in differences:
        console.result(f"DIFFERENT  {difference}")
    if differences:
        return Exit.GATE
    manifest = records.run.manifest
    console.result(
        f"OK  {manifest.run_id}: {manifest.capture.turns} scores, all figures, digests and the seal follow from the "
        f"turns and verdicts\nseal  {records.run.seal}"
    )
    return Exit.DONE
