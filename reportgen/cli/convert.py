"""`reportgen convert`."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console

FORMATS = "rag, openinference, otel, langfuse, mlflow, open-rag-eval, adk or turns"
"""The importers, as the help names them: they are imported only when they are asked for."""
_NAME = 200
"""The longest name of a label."""


def _parse_labels(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    labels = {}
    for value in values:
        name, sign, text = value.partition("=")
        if not sign or not 1 <= len(name) <= _NAME:
            raise click.BadParameter(f"{value[:80]!r} is not of the form NAME=VALUE, NAME of 1 to {_NAME} letters")
        labels[name] = text
    return labels


@click.command(
    epilog=options.examples(
        "reportgen convert events.json --from adk --sql-tool execute_sql --out turns.jsonl",
        "reportgen convert events.json --from adk --sql-tool execute_sql --drop-tool submit_sql \\",
        "    --captured-at 2026-03-29T00:00:00Z --label client=Acme --out turns.jsonl",
        "reportgen convert answers.jsonl --from rag --label collection=handbook --out turns.jsonl",
        "reportgen convert spans.json --from otel --out turns.jsonl",
    )
)
@click.argument("file", type=options.FILE)
@click.option("--from", "source", required=True, metavar="FORMAT", help=f"What FILE is: {FORMATS}.")
@click.option("--out", required=True, type=options.FILE, metavar="TURNS", help="The file of turns to write.")
@click.option("--sql-tool", "sql_tools", multiple=True, metavar="NAME", help="A tool whose calls are SQL.")
@click.option("--drop-tool", "drop_tools", multiple=True, metavar="NAME", help="A tool of a test harness; left out.")
@click.option("--schema-tool", "schema_tools", multiple=True, metavar="NAME", help="A tool that looks up the schema.")
@click.option("--retriever", "retrievers", multiple=True, metavar="NAME", help="A step of a trace that retrieves.")
@options.moment("--captured-at", "The time of turns whose capture carries none; marked as assumed.")
@click.option("--label", "labels", multiple=True, metavar="NAME=VALUE", callback=_parse_labels, help="A label to set.")
@options.common
def command(
    file: Path,
    source: str,
    out: Path,
    sql_tools: tuple[str, ...],
    drop_tools: tuple[str, ...],
    schema_tools: tuple[str, ...],
    retrievers: tuple[str, ...],
    captured_at: datetime | None,
    labels: dict[str, str],
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Turn FILE, another program's capture, into turns of our own format.

    Says what it took, what it changed, and what it left and why.
    """
    from reportgen.archive.store import save_lines
    from reportgen.capture.importers import SCHEMA_TOOLS, ImportOptions, ImportReport, load_importer

    chosen = ImportOptions(
        sql_tools=frozenset(sql_tools),
        drop_tools=frozenset(drop_tools),
        schema_tools=SCHEMA_TOOLS | frozenset(schema_tools),
        retrievers=frozenset(retrievers),
        captured_at=captured_at,
        labels=labels,
    )
    report = ImportReport()
    save_lines(out, load_importer(source).read_turns(file, chosen, report))
    console = Console(verbose, quiet)
    _print_lines(console, report.lines())
    for tool in sorted(report.unused):
        console.say(f"warning: the capture holds no call of the tool {tool}, and no step of that name; is it right?")
    if report.unread:
        names = ", ".join(name[:60] for name in report.unread)
        console.say(f"warning: no step of any trace is a retrieval, a tool or SQL. There are steps named {names};")
        console.say("  `--retriever NAME` takes those of that name as retrievals")
    console.result(f"turns: {out}")


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.say(line)
