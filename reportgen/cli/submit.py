"""`reportgen submit`."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.pipeline.submitting import Receipt


@click.command(
    epilog=options.examples(
        "reportgen submit exchange.json --collection help-desk",
        "tail -n 1 captured.jsonl | reportgen submit - --collection help-desk",
        "reportgen submit captured.jsonl --collection help-desk --no-judging",
    )
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--collection", metavar="ID", help="The collection that they belong to.  [default: their own label]")
@click.option("--no-judging", is_flag=True, help="Where there is no Redis, only store them.")
@options.runs
@options.common
def command(
    file: Path,
    collection: str | None,
    no_judging: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Hand in the exchanges of FILE, one turn a line, or a single one; `-` reads standard input.

    Each is on disk before it is said to be accepted. Workers judge them; where Redis is not configured or does not
    answer, this very command does so afterwards.
    """
    from reportgen.config import load_config
    from reportgen.errors import ExchangeError
    from reportgen.pipeline.redis_address import with_address
    from reportgen.pipeline.submitting import Submitter

    settings, console = load_config(config), Console(verbose, quiet)
    archive = runs or Path(settings.runs)
    submitter = Submitter(archive, with_address(settings.streaming), settings.publish.timezone)
    receipts: list[Receipt] = []
    refused: Counter[str] = Counter()
    fix = ""
    for number, line in _read(file):
        try:
            receipts.append(submitter.submit(line, collection))
        except ExchangeError as error:
            if error.what not in refused:
                console.say(f"line {number}: {error.what}")
            refused[error.what] += 1
            fix = fix or error.fix
        else:
            console.detail(f"{receipts[-1].turn}: {receipts[-1].state}")
    _tell(receipts, refused, console)
    _sum_up(refused, console)
    if not no_judging:
        _judge_here(settings, archive, receipts, console)
    if count := refused.total():
        raise ExchangeError(f"{count} of {count + len(receipts)} exchanges were refused", fix)


def _read(file: Path) -> Iterator[tuple[int, bytes]]:
    """The turns, each with the number of its line; a file that is one turn over several lines is that turn."""
    from reportgen.capture.lines import read_lines

    lines: Iterator[tuple[int, bytes]]
    if str(file) == "-":
        lines = ((number, line) for number, line in enumerate(sys.stdin.buffer, start=1) if line.strip())
    else:
        lines = read_lines(file)
    first = next(lines, None)
    if first is not None and first[1].strip() in (b"{", b"["):
        # No line of a capture is that, so it need not be read line by line as it comes.
        yield first[0], _join(file, [first[1], *(line for _, line in lines)])
    elif first is not None:
        yield first
        yield from lines


def _join(file: Path, lines: list[bytes]) -> bytes:
    """The single turn that these lines are.

    Raises:
        CaptureError: They are something else.
    """
    import json

    from reportgen.errors import CaptureError

    whole = b"\n".join(lines)
    try:
        is_turn = isinstance(json.loads(whole), dict)
    except (ValueError, RecursionError):
        is_turn = False
    if not is_turn:
        raise CaptureError(
            f"{file}: line 1 holds a bracket alone, and the file is not a single turn",
            f"Write one turn a line: `jq -c . {file}`, or `jq -c '.[]' {file}` for a list.",
        )
    return whole


def _sum_up(refused: Counter[str], console: Console) -> None:
    """Says how often each refusal came, where it was printed once for several."""
    for what, count in refused.items():
        if count > 1:
            console.say(f"{count} times: {what}")


def _tell(receipts: "list[Receipt]", refused: Counter[str], console: Console) -> None:
    if not receipts and not refused:
        console.say("nothing was handed in: no line holds a turn")
    for state, words in _WORDS.items():
        if count := sum(receipt.state == state for receipt in receipts):
            console.result(f"{count} {words}")
    notes = dict.fromkeys((receipt.state, receipt.note) for receipt in receipts if receipt.note)
    for state, note in notes:
        console.say(f"known already: {note}" if state == "known" else f"not in the queue: {note}")


_WORDS = {
    "queued": "accepted, and in the queue",
    "stored": "accepted and stored, but not in the queue",
    "known": "known already",
}


def _judge_here(settings: "Config", runs: Path, receipts: "list[Receipt]", console: Console) -> None:
    """Judges what could not be put into a queue; they are safe, so that no trouble with the judge is an error here."""
    import asyncio
    from datetime import UTC, datetime

    from reportgen.cli.worker import make_order
    from reportgen.errors import ReportgenError
    from reportgen.pipeline.redis_address import with_address
    from reportgen.pipeline.working import work

    has_redis = with_address(settings.streaming).redis is not None
    mine = (receipt for receipt in receipts if receipt.state == "stored" or not has_redis)
    for collection in dict.fromkeys(receipt.collection for receipt in mine):
        console.say(f"they are judged here, in this process: {collection}")
        order = make_order(settings, collection, runs, redis=None, is_patient=False)
        try:
            judged = asyncio.run(work(order, lambda: datetime.now(UTC), console.say, asyncio.Event()))
        except ReportgenError as error:
            console.say(f"they are stored, but could not be judged here: {error}")
        else:
            console.result(f"{judged} judged here")
