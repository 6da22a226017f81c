"""`reportgen gate`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen gate 2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen gate reports/july/report.json --junit gates.xml --force",
    )
)
@click.argument("run")
@click.option("--junit", type=options.FILE, metavar="FILE", help="Write the outcome as JUnit XML, too.")
@options.force
@options.runs
@options.common
def command(
    run: str,
    junit: Path | None,
    force: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Hold RUN, a run's id, its folder, or a report.json, against the gates of the configuration.

    Prints what each gate asks for and what it found. The exit code is 4 unless all of them are passed.
    """
    from reportgen.archive.records import open_intact
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.gates import judge_run, require_gates, save_junit
    from reportgen.pipeline.making_room import require_free
    from reportgen.publishing.gates import say_gate

    settings = load_config(config)
    require_free([junit] if junit else [], force=force)
    archive = find_archive(run, runs, settings.runs)
    records = open_intact(run, archive)
    results = judge_run(records, settings.gates, archive)
    for result in results:
        Console(verbose, quiet).result(say_gate(result, records.run.rubric))
    if junit:
        save_junit(junit, records.run, results)
    require_gates(results)
