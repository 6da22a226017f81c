"""The entrance: parse, call the pipeline, print, exit code. The one place where errors end."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

import click

from reportgen import __version__
from reportgen.errors import Exit, ReportgenError, SystemRefusalError

COMMANDS = {
    "demo": "Judge the bundled example turns with recorded verdicts and write the report.",
    "judge": "Judge captured turns and store the run.",
    "open": "Open a run for the turns of a collection and period, which are judged as they come in.",
    "submit": "Hand exchanges in, to be judged in the background.",
    "worker": "Judge exchanges as they are handed in.",
    "queue": "Say how far the open runs are.",
    "close": "Close an open run into an ordinary one.",
    "report": "Write the report of a run.",
    "withdraw": "Withdraw the report of a run, with a reason.",
    "revisions": "List what was published of a run.",
    "site": "Make an archive site of all that was published, with a feed.",
    "run": "Judge captured turns and write the report.",
    "export": "Write the turns of a run as CSV, Excel or Parquet, and its summary as Markdown.",
    "stats": "Print the statistics of a run or a collection as JSON, for dashboards.",
    "records": "Print the turns of a run as raw rows in JSON, a page at a time.",
    "serve": "Serve statistics, rows and reports over HTTP, read-only.",
    "gate": "Hold a run against the gates of the configuration.",
    "publish": "Publish a period: every audience, exports, gates, and the archive sites.",
    "rescore": "Score the verdicts of a run by another rubric, as a new run.",
    "rejudge": "Ask a judge about the turns of a run again, as a new run.",
    "calibrate": "Say how far the judge agrees with people.",
    "weights": "Say whether labels contradict the weights of the rubric.",
    "compare": "Compare two runs: what changed, by how much, where, and how sure that is.",
    "anchors": "Freeze turns of a run, and check a new judge on them.",
    "derive": "Make a run for one client, redacted, or for the public, without texts.",
    "prove": "Open the commitment to one turn of a run.",
    "erase": "Erase the texts of turns on request; their scores stay.",
    "check-judge": "Ask the judge about one known turn, and say whether all is in order.",
    "panel": "Combine runs of different judges over the same turns, as a new run.",
    "probe": "Test a finished run for the order of the evidence or the length of answers.",
    "verify": "Recompute a run or a report and name the first difference.",
    "batches": "Cancel the open batches of an unfinished run.",
    "runs": "List runs, or show one.",
    "plan": "Say how many turns buy which interval, and what they cost.",
    "sample": "Draw turns of a capture that is too large to be judged whole, or of a run for people to label.",
    "labels": "Have people label a sample of a run, and take over what they said.",
    "convert": "Turn another program's capture into turns.",
    "schema": "Print the JSON Schema of a stored format.",
}
"""Each command with its line in the help; its module is imported when it is called for."""


_REFUSALS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENAMETOOLONG}
"""Why a system refuses to write; a person can do something about each of them."""


class _Commands(click.Group):
    """A group whose members are imported one by one, so that the help of the program stays quick."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuses bytes that are no text: names, seeds and the names of files go into records, which are UTF-8."""
        for word in args:
            if any("\ud800" <= letter <= "\udfff" for letter in word):
                raise click.UsageError(f"{word.encode(errors='replace').decode()!r} holds bytes that are not UTF-8.")
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"reportgen.cli.{cmd_name.replace('-', '_')}").command
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
    """Runs the program and ends the process with its exit code. A request to terminate is an interruption."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(end_of(lambda: reportgen.main(standalone_mode=False)))


def end_of(call: Callable[[], object]) -> int:
    """The exit code of a call; what went wrong is printed to standard error."""
    try:
        code = call()
    except Exception as error:  # noqa: BLE001 - the one boundary
        return _end_of_error(error)
    except KeyboardInterrupt:
        return _say("Interrupted.", Exit.INTERRUPTED)
    return code if isinstance(code, int) else Exit.DONE


def _end_of_error(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno in _REFUSALS:
        where = f": {error.filename}" if error.filename else ""
        error = SystemRefusalError(f"{error.strerror}{where}", "Make room, or choose another place.")
    match error:
        case ReportgenError():
            return _say(f"error[{error.slug}]: {error}", error.exit_code)
        case click.exceptions.Exit():
            return error.exit_code
        case _ if isinstance(error, click.Abort) or _hides_interruption(error):
            return _say("Interrupted.", Exit.INTERRUPTED)
        case click.ClickException():
            error.show()
            return Exit.USAGE
        case BrokenPipeError():
            # Whoever read our output has gone; Python would complain when it flushes at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.DONE
    return _keep_bug()


def _hides_interruption(error: Exception) -> bool:
    """Whether Ctrl-C came while pydantic wrote JSON: it makes an error of its own of that, which names it only."""
    return type(error).__name__ == "PydanticSerializationError" and "KeyboardInterrupt" in str(error)


def _say(text: str, code: int) -> int:
    from reportgen.cli.console import make_plain

    with suppress(OSError):
        click.echo(make_plain(text), err=True)
    return code


def _keep_bug() -> int:
    from reportgen.cli.bug import save_traceback

    return _say(f"This is a bug in reportgen. Its traceback is in {save_traceback()}", Exit.BUG)
