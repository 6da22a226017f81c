"""`reportgen revisions`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.model.revision import Revision
    from reportgen.model.standing import Standing


@click.command(epilog=options.examples("reportgen revisions 2026-07-20T0900Z-sql-agent-1-opus-5-5"))
@click.argument("run")
@options.runs
@options.common
def command(run: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """List the revisions of the report of RUN: number, time, what each adds, and its standing."""
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import load_run
    from reportgen.config import load_config
    from reportgen.pipeline.revising import read_history

    console = Console(verbose, quiet)
    folder = find_intact(run, runs or Path(load_config(config).runs))
    history = read_history(folder, load_run(folder))
    for revision in history.revisions:
        console.result(_say(revision, history.standing(revision)))
    if not history.revisions:
        console.say(f"There is no report of {folder} yet.")


def _say(revision: "Revision", standing: "Standing | None") -> str:
    from reportgen.publishing.standings import say_correction, say_standing

    parts = [f"{revision.number}", f"{revision.generated_at:%Y-%m-%dT%H:%M:%SZ}"]
    parts.append(say_standing(standing) if standing else "current")
    if revision.correction:
        parts.append(say_correction(revision.correction))
    if revision.notes:
        parts.append(f"notes by {revision.notes.signed}")
    return "  ".join(" ".join(part.split()) for part in parts)
