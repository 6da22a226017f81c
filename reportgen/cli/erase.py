"""`reportgen erase`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.pipeline.erase_open import ErasedOpen


@click.command(
    epilog=options.examples(
        'reportgen erase july t-0703-11 --reason "Request of 4 August" --dry-run',
        'reportgen erase july t-0703-11 t-0704-03 --reason "Request of 4 August" --label region',
    )
)
@click.argument("run")
@click.argument("turns", nargs=-1, required=True, metavar="TURN...")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stands in the run and in its reports.")
@click.option("--label", "labels", multiple=True, metavar="NAME", help="A label whose value goes too.")
@click.option("--dry-run", is_flag=True, help="Say what would be changed, and change nothing.")
@options.runs
@options.common
def command(
    run: str,
    turns: tuple[str, ...],
    reason: str,
    labels: tuple[str, ...],
    dry_run: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Erase the texts of turns from RUN and from every run of the archive that holds the same turns.

    RUN may be an open run, as COLLECTION/PERIOD; what is erased there is no turn of it any more. Refused exchanges that
    name the turns are erased too. In finished runs scores stay; their seals are issued anew, and the runs say so;
    `verify` then reports the turns as erased on request. What was published outside of the archive cannot be called
    back. Interrupted, the same command goes on.
    """
    from reportgen.archive.store import find_archive, find_run
    from reportgen.config import load_config
    from reportgen.pipeline.erase import EraseOrder, erase_turns
    from reportgen.pipeline.erase_open import find_named

    archive = find_archive(run, runs, load_config(config).runs)
    if not 1 <= len(reason.strip()) <= _LONGEST:
        raise click.UsageError(f"Give a --reason of 1 to {_LONGEST:,} letters.")
    folder = find_named(run, archive) or find_run(run, archive)
    order = EraseOrder(folder, archive, turns, reason.strip(), labels, dry_run)
    console, done = Console(verbose, quiet), "would erase" if dry_run else "erased"
    found, handed_in = erase_turns(order, datetime.now(UTC))
    for item in found:
        console.result(f"{done}  {', '.join(item.turns)} from {item.folder}")
        console.result(f"  seal before  {item.before}" + (f"\n  seal now     {item.after}" if item.after else ""))
        if item.revisions:
            console.say(f"  its reports, {item.revisions} so far, cannot be changed where they are: replace them.")
    _tell_handed_in(handed_in, done, console)
    if not found and not handed_in:
        console.say("Nothing is left to erase.")
    else:
        console.say("Captured files, reports, backups and copies outside of the archive still hold the texts.")


def _tell_handed_in(found: "list[ErasedOpen]", done: str, console: Console) -> None:
    for item in found:
        what = ", ".join(item.turns) or f"{item.refused} refused"
        console.result(f"{done}  {what} from {item.place}")
    if any(item.turns for item in found):
        console.say("What still waits in Redis is dropped, unjudged, when a worker takes it from there.")


_LONGEST = 2_000
