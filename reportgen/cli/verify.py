"""`reportgen verify`."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console

_SHOWN = 10


def _parse_seal(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    if not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise click.BadParameter(f"{value!r} is not a seal: 64 hexadecimal digits")
    return value.lower()


@click.command(
    epilog=options.examples(
        "reportgen verify runs/2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen verify report.json",
        "reportgen verify report.pdf",
        "reportgen verify report.json --seal 1f0c…e9",
    )
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--seal",
    metavar="HEX",
    callback=_parse_seal,
    help="A seal that was kept elsewhere, such as the one printed on a cover.",
)
@options.common
def command(path: Path, seal: str | None, config: Path | None, verbose: bool, quiet: bool) -> int:
    """Recompute every score, figure, digest and the seal of PATH from its turns and verdicts.

    PATH is a run folder, a report.json, or a report.pdf, which carries the data: its pages are set again from them and
    compared with those that it shows. No judge is asked. Where something does not follow, up to ten differences are
    named, the most telling first, and the exit code is 4.
    """
    from reportgen.archive.records import open_records
    from reportgen.errors import Exit
    from reportgen.pipeline.verify_pdf import check_pages, is_pdf, open_pdf
    from reportgen.verification import check_records

    console = Console(verbose, quiet)
    carried = open_pdf(path) if is_pdf(path) else None
    records = carried.records if carried else open_records(path)
    is_different = _tell(map(str, check_records(records, seal)), console)
    if carried:
        console.say("Setting the pages again, to compare them")
        pages = check_pages(path, carried)
        is_different |= _tell(map(str, pages.differences), console)
        console.result(f"pages  {pages.account}")
    if is_different:
        return Exit.GATE
    manifest = records.run.manifest
    console.result(
        f"OK  {manifest.run_id}: {manifest.capture.turns} scores, all figures, digests and the seal follow from the "
        f"turns and verdicts\nseal  {records.run.seal}"
    )
    return Exit.DONE


def _tell(differences: Iterable[str], console: Console) -> bool:
    """Names the first differences; says whether there are any."""
    found = list(islice(dict.fromkeys(differences), _SHOWN + 1))
    for difference in found[:_SHOWN]:
        console.result(f"DIFFERENT  {difference}")
    if len(found) > _SHOWN:
        console.result("… and more")
    return bool(found)
