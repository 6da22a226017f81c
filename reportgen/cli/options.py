"""Options that several commands share: the same name and meaning everywhere."""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from reportgen.cli.values import parse_moment, parse_money, parse_number_or_all, split_formats

_Command = TypeVar("_Command", bound=Callable[..., Any])

FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FORMATS = ("html", "pdf", "json")
EXPORTS = ("csv", "xlsx", "parquet", "md")
EFFORTS = ("low", "medium", "high", "xhigh", "max")


form = click.option("--format", "form", type=click.Choice(("text", "json")), default="text", help="[default: text]")
runs = click.option("--runs", type=FOLDER, help="The folder in which runs are kept.  [default: runs]")
run_id = click.option("--run-id", metavar="ID", help="The id of the new run.  [default: time, rubric and judge]")


key = click.option(
    "--key",
    type=FILE,
    required=True,
    envvar="REPORTGEN_KEY_FILE",
    help="The file with the publisher's key.  [default: the file that REPORTGEN_KEY_FILE names]",
)


def moment(name: str, help_text: str) -> Callable[[_Command], _Command]:
    """An option that takes a time with its zone."""
    return click.option(name, metavar="TIME", callback=parse_moment, help=help_text)


def format_list(known: tuple[str, ...], default: str) -> Callable[[_Command], _Command]:
    """An option that takes some of these formats."""
    help_text = f"Any of {','.join(known)}.  [default: {default}]"
    return click.option("--format", "formats", metavar="LIST", callback=partial(split_formats, known), help=help_text)


formats = format_list(FORMATS, "all")
force = click.option("--force", is_flag=True, help="Overwrite files that exist.")


judge = click.option("--judge", metavar="BACKEND:MODEL", help="`anthropic:MODEL`, `openai:MODEL`, or `recorded:FILE`.")
effort = click.option("--effort", type=click.Choice(EFFORTS), help="How much the judge thinks.  [default: medium]")
prices = click.option("--prices", type=FILE, help="A price file that goes before the prices of the program.")


timeout = click.option(
    "--timeout", type=click.IntRange(1, 3600), metavar="S", help="Seconds that an attempt may take.  [default: 300]"
)


def _rubric(default: str) -> Callable[[_Command], _Command]:
    help_text = f"A bundled rubric or a rubric file.  [default: {default}]"
    return click.option("--rubric", metavar="ID|FILE", help=help_text)


rubric = _rubric("sql-agent-1")
concurrency = click.option(
    "--concurrency", type=click.IntRange(1, 256), metavar="N", help="Requests in flight.  [default: 8]"
)
produced = click.option(
    "--produced", type=click.IntRange(0), metavar="N", help="How many turns the assistant produced in that time."
)
collection = click.option("--collection", metavar="ID", required=True, help="The collection that the turns belong to.")
period = click.option("--period", metavar="P", required=True, help="A year, month or day: 2026, 2026-07, 2026-07-20.")
max_cost = click.option(
    "--max-cost", metavar="USD", callback=parse_money, help="Stop before it costs more; what was paid for is kept."
)


def judging(command: _Command) -> _Command:
    """What all commands that ask a judge take."""
    return _judging(command, rubric)


def judging_again(command: _Command) -> _Command:
    """The same of commands that ask about the turns of a run again, by the rubric of that run."""
    return _judging(command, _rubric("that of the run"))


def _judging(command: _Command, by: Callable[[_Command], _Command]) -> _Command:
    return _with_options(
        command,
        judge,
        effort,
        by,
        concurrency,
        timeout,
        runs,
        run_id,
        click.option("--resume", is_flag=True, help="Go on with an unfinished run; no answer is asked for twice."),
        click.option("--batch", is_flag=True, help="Ask in batches: half the price, answers within hours."),
        click.option("--estimate", is_flag=True, help="Say what judging would cost, and ask for no verdict."),
        max_cost,
        prices,
        checking,
    )


def checking(command: _Command) -> _Command:
    """How the judge is tested while it judges."""
    return _with_options(
        command,
        click.option(
            "--repeats", type=click.IntRange(1, 20), default=1, metavar="K", help="Ask K times about some turns."
        ),
        click.option(
            "--repeat-turns",
            callback=parse_number_or_all,
            default="30",
            metavar="N|all",
            help="About how many turns.  [default: 30]",
        ),
        click.option("--no-canaries", is_flag=True, help="Do not test the judge on made-up turns."),
        click.option("--strict", is_flag=True, help="End with exit code 4 if the judge is not to be trusted."),
    )


def capture(command: _Command) -> _Command:
    """What all commands that read captured turns take."""
    return _with_options(
        command,
        click.option("--skip-bad", is_flag=True, help="Set bad lines aside; they are counted and kept in a file."),
        click.option("--limit", type=click.IntRange(1), metavar="N", help="Judge the first N turns only."),
        produced,
    )


REPORTING = ("out", "formats", "generated_at", "all_turns", "templates")
"""The parameters that `reporting` gives a command."""


def reporting(command: _Command) -> _Command:
    """What all commands that write a report take."""
    return _with_options(
        command,
        click.option("--out", type=FOLDER, metavar="DIR", help="Where the report goes.  [default: reports/RUN]"),
        formats,
        moment("--generated-at", "The generation time to print; makes a new revision."),
        click.option("--all-turns", is_flag=True, help="Print each turn in full in the PDF, also of more than 200."),
        click.option(
            "--templates", type=FOLDER, metavar="DIR", help="Templates of your own, in place of the program's."
        ),
    )


def revising(command: _Command) -> _Command:
    """What says on what a report rests beyond its run, for commands that may make a new revision."""
    return _with_options(
        command,
        click.option("--notes", type=FILE, help="Notes by a person, in Markdown, to stand after the summary."),
        click.option("--signed", metavar="NAME", help="Who wrote the notes."),
        click.option("--corrects", metavar="N", help="The revision that this one corrects, or RUN#N of another run."),
        click.option("--changed", metavar="TEXT", help="What the correction changed."),
        click.option("--reason", metavar="TEXT", help="Why it was needed."),
        click.option("--baseline", metavar="RUN", help="A run to compare this one with."),
        click.option("--anyway", is_flag=True, help="Compare with it although the instruments differ; claims nothing."),
        click.option("--trend", is_flag=True, help="Set the run beside the earlier ones of the archive."),
        click.option("--revision", type=click.IntRange(1), metavar="N", help="Render that revision again."),
        click.option("--as-published", is_flag=True, help="Do not say what has become of the revision since."),
    )


def audience(command: _Command) -> _Command:
    """For whom a report is."""
    return _with_options(
        command,
        click.option(
            "--audience",
            type=click.Choice(("internal", "client", "public")),
            default="internal",
            help="For whom; the run for them is derived where there is none.  [default: internal]",
        ),
        click.option("--client", metavar="NAME", help="The client, with --audience client."),
        click.option("--key", type=FILE, envvar="REPORTGEN_KEY_FILE", help="The file with the publisher's key."),
    )


def common(command: _Command) -> _Command:
    """`--config`, `--verbose` and `--quiet`, which each command has."""
    return _with_options(
        command,
        click.option("--config", type=FILE, help="The configuration file.  [default: ./config.yaml]"),
        click.option("-v", "--verbose", is_flag=True, help="Print what is done on the way."),
        click.option("-q", "--quiet", is_flag=True, help="Print results and errors only."),
    )


def require_only(names: Collection[str], what: str) -> None:
    """Makes sure that no other parameter than these is given on the command line.

    Raises:
        click.UsageError: Another one is, which has no meaning together with `what`.
    """
    for option in click.get_current_context().command.params:
        if option.name not in names and is_given(option.name):
            raise click.UsageError(f"{option.opts[0]} has no meaning with {what}.")


def require_none(names: Collection[str], what: str) -> None:
    """Makes sure that none of these parameters is given on the command line.

    Raises:
        click.UsageError: One is, which has no meaning together with `what`.
    """
    params = {option.name or "" for option in click.get_current_context().command.params}
    require_only(params - set(names), what)


def is_given(name: str | None) -> bool:
    """Whether a parameter of the running command stands on the command line."""
    source = click.get_current_context().get_parameter_source(name) if name else None
    return source is ParameterSource.COMMANDLINE


def _with_options(command: _Command, *added: Callable[[_Command], _Command]) -> _Command:
    """The command with these options, which its help shows in this order."""
    for option in reversed(added):
        command = option(command)
    return command


def examples(*lines: str) -> str:
    """The examples at the end of a command's help, line by line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
