"""`reportgen runs`."""

from datetime import datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.group(
    epilog=options.examples("reportgen runs list", "reportgen runs show 2026-07-20T0900Z-sql-agent-1-opus-5-5")
)
def command() -> None:
    """List runs, or show one."""


@command.command("list", epilog=options.examples("reportgen runs list --runs archive"))
@options.runs
@options.common
def show_list(runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """List the runs in the order in which they began: id, turns scored, mean, judge, or that a run is unfinished."""
    from reportgen.archive.store import list_folders
    from reportgen.config import load_config

    folder = runs or Path(load_config(config).runs)
    console = Console(verbose, quiet)
    found = sorted((_listing(path) for path in list_folders(folder)), key=lambda listing: listing[0])
    for _began, line in found:
        console.result(line)
    if not found:
        console.say(f"There are no runs in {folder}." if folder.is_dir() else f"There is no folder {folder}.")


@command.command("show", epilog=options.examples("reportgen runs show 2026-07-20T0900Z-sql-agent-1-opus-5-5"))
@click.argument("run")
@options.runs
@options.common
def show_one(run: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """Print the manifest, the summary, the file digests and the seal of RUN as JSON."""
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import load_run
    from reportgen.config import load_config

    found = load_run(find_intact(run, runs or Path(load_config(config).runs))).to_data()
    shown = {key: found[key] for key in ("manifest", "summary", "files", "seal")}
    Console(verbose, quiet).data(shown, indent=2)


def _listing(folder: Path) -> tuple[datetime, str]:
    """When a run began, and its line."""
    from reportgen.archive.store import is_finished, load_draft, load_run
    from reportgen.publishing.headlines import say_means

    if not is_finished(folder):
        return load_draft(folder).started_at, f"{folder.name}  unfinished"
    run = load_run(folder)
    printed = say_means(run.summary, run.rubric) or "no score"
    scored = f"{run.summary.scored} of {run.summary.turns} scored"
    return run.manifest.started_at, f"{folder.name}  {scored}  {printed}  {run.manifest.judge.name}"
