"""`reportgen export`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console


@click.command(
    epilog=options.examples(
        "reportgen export 2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen export reports/july/report.json --format xlsx,md --out july",
    )
)
@click.argument("run")
@options.format_list(options.EXPORTS, "csv,xlsx,md")
@click.option("--out", type=options.FOLDER, metavar="DIR", help="Where the files go.  [default: reports/RUN]")
@click.option("--no-text", is_flag=True, help="Leave out what was asked, answered and said of a failure.")
@options.force
@options.runs
@options.common
def command(
    run: str,
    formats: tuple[str, ...] | None,
    out: Path | None,
    no_text: bool,
    force: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Write the turns of RUN as CSV, Excel or Parquet, one row a turn, and its summary as Markdown.

    RUN is a run's id, its folder, or a report.json. Nothing in a file acts as a formula, a link or a mention.
    """
    from reportgen.archive.records import open_intact
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.export import ExportOrder, export_run
    from reportgen.pipeline.gates import find_lineage
    from reportgen.publishing.look.overrides import read_overrides

    settings = load_config(config)
    archive = find_archive(run, runs, settings.runs)
    records = open_intact(run, archive)
    templates = settings.report.templates
    order = ExportOrder(
        records=records,
        out=out or Path("reports") / records.run.manifest.run_id,
        formats=formats or ("csv", "xlsx", "md"),
        force=force,
        with_text=not no_text,
        gates=settings.gates,
        earlier=find_lineage(records, settings.gates, archive),
        overrides=read_overrides(Path(templates) if templates else None),
    )
    for path in export_run(order):
        Console(verbose, quiet).result(f"export: {path}")
