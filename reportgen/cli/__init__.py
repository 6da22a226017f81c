"""The entrance: parse, call the pipeline, print, exit code. The one place where errors end."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

import click

from reportgen import __version__
from reportgen.errors import Exit, ReportgenError

COMMANDS = {
    "demo": "Judge the bundled example turns with recorded verdicts and write the report.",
    "judge": "Judge captured turns and store the run.",
    "report": "Write the report of a run.",
    "run": "Judge captured turns and write the report.",
    "rescore": "Score the verdicts of a run by another rubric, as a new run.",
    "rejudge": "Ask a judge about the turns of a run again, as a new run.",
    "verify": "Recompute a run or a report and name the first difference.",
    "runs": "List runs, or show one.",
    "convert": "Turn another program's capture into turns.",
    "schema": "Print the JSON Schema of a stored format.",
}
"""Each command with its line in the help; its module is imported when it is called for."""


class _Commands(click.Group):
    """A group whose members are imported one by one, so that the help of the program stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"reportgen.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="`reportgen COMMAND --help` shows examples. Exit codes: 0 done, 1 to be fixed by you, 2 usage, 3 a bug, "
    "4 done but a check failed, 130 interrupted.",
)
@click.version_option(__version__, prog_name="reportgen")
def reportgen() -> None:
    """Publish answer-quality reports of an AI assistant that a stranger can check.

    Captured turns go in; an LLM judges each by a versioned rubric; exact arithmetic makes scores of the verdicts;
    the run is kept; an HTML and a PDF report come out.
    """


def main() -> None:
    """Runs the program and ends the process with its exit code."""
    sys.exit(end_of(lambda: reportgen.main(standalone_mode=False)))


def end_of(call: Callable[[], object]) -> int:
    """The exit code of a call; what went wrong is printed to standard error."""
    try:
        code = call()
    except ReportgenError as error:
        click.echo(f"error[{error.slug}]: {error}", err=True)
        return error.exit_code
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return Exit.USAGE
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except Exception:  # noqa: BLE001 - the one boundary: anything else is a bug, and is kept for its report
        return _keep_bug()
    return code if isinstance(code, int) else Exit.DONE


def _keep_bug() -> int:
    from reportgen.cli.bug import save_traceback

    click.echo(f"This is a bug in reportgen. Its traceback is in {save_traceback()}", err=True)
    return Exit.BUG
