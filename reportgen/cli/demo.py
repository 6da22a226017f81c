"""`reportgen demo`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.judge import tell_headline
from reportgen.cli.report import tell_files

EXAMPLES = ("sql", "rag")


@click.command(epilog=options.examples("reportgen demo", "reportgen demo --example rag --out somewhere --format html"))
@click.option("--out", type=options.FOLDER, default="demo", metavar="DIR", help="Where all goes.  [default: demo]")
@click.option(
    "--example",
    type=click.Choice(EXAMPLES),
    default="sql",
    help="Answers from a database, or answers from passages.  [default: sql]",
)
@options.formats
@options.common
def command(
    out: Path, example: str, formats: tuple[str, ...] | None, config: Path | None, verbose: bool, quiet: bool
) -> None:
    """Judge the bundled example turns with recorded verdicts; store the run and write its report. Needs no key."""
    from reportgen.config import load_config
    from reportgen.pipeline.demo import make_demo
    from reportgen.publishing.look.look import read_look

    settings, console = load_config(config), Console(verbose, quiet)
    look = read_look(settings.report)
    with console.progress("judged") as tell:
        run, published = make_demo(
            out, formats or settings.report.formats, settings.report.title, look, tell, name=example
        )
    tell_headline(run, console)
    console.say("The verdicts of this example were written by hand; no judge model was asked.")
    console.result(f"run: {run}")
    tell_files(published, console)
