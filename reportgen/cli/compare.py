"""`reportgen compare`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen compare 2026-06-30T0900Z-sql-agent-1-opus-5-5 2026-07-31T0900Z-sql-agent-1-opus-5-5",
        "reportgen compare june july --format json",
        "reportgen compare june-opus june-haiku --anyway",
    )
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@options.form
@click.option("--anyway", is_flag=True, help="Go on where the instruments differ; nothing is claimed then.")
@options.runs
@options.common
def command(
    before: str,
    after: str,
    form: str,
    anyway: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Compare run B with run A: what changed, by how much, where, and how sure that is.

    Turns are compared one by one where at least half of the smaller run's are in both, by id and question; otherwise
    the runs are compared as two periods. Differences are B minus A. Runs of different rubrics, prompts, judges or
    limits of evidence are refused, with each key and both values.
    """
    from reportgen.archive.records import find_intact, open_records
    from reportgen.cli.comparison_text import comparison_data, render_comparison
    from reportgen.config import load_config
    from reportgen.pipeline.comparing import compare_records

    archive = runs or Path(load_config(config).runs)
    one, other = (open_records(find_intact(name, archive)) for name in (before, after))
    found = compare_records(one, other, anyway=anyway)
    console = Console(verbose, quiet)
    if form == "json":
        data = comparison_data(found, other.run)
        console.data(data)
        return
    for line in render_comparison(found, other.run):
        console.result(line)
