"""`reportgen queue`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.pipeline.queue_status import OpenStatus


@click.command(epilog=options.examples("reportgen queue", "reportgen queue --collection help-desk"))
@click.option("--collection", metavar="ID", help="Of this collection alone.")
@options.runs
@options.common
def command(collection: str | None, runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """Say of each open run how many turns were handed in and judged, what waits in the queue, and what was refused."""
    from reportgen.config import load_config
    from reportgen.pipeline.queue_status import count_aside, count_open, list_queues
    from reportgen.pipeline.redis_address import with_address

    settings, console = load_config(config), Console(verbose, quiet)
    archive = runs or Path(settings.runs)
    statuses = count_open(
        archive, collection, lambda damage: console.result(f"cannot be read: {damage.what}"), settings.rubric
    )
    for status in statuses:
        console.result(_describe(status))
    if not statuses:
        console.say(f"There are no open runs{f' of {collection}' if collection else ''} in {archive}.")
    names = [collection] if collection else settings.streaming.collections
    for line in list_queues(with_address(settings.streaming), (*names, *(s.opening.collection for s in statuses))):
        console.result(line)
    for path, count in count_aside(archive, collection):
        console.result(f"{count} refused, with the reasons, in {path}")


def _describe(status: "OpenStatus") -> str:
    if status.became:
        return f"{status.opening}  closed as {status.became}"
    parts = [f"{status.handed_in} handed in", f"{status.judged} judged", f"{status.handed_in - status.judged} to judge"]
    parts += [f"{status.given_up} of them given up on so far"] if status.given_up else []
    parts += [f"{status.erased} erased"] if status.erased else []
    parts += [status.pinned or "not pinned yet"]
    more = [status.cost] if status.cost else []
    if status.becoming:
        more += [f"closing as {status.becoming} has begun; no turn is taken: `reportgen close` again goes on with it"]
    return "\n  ".join([f"{status.opening}  {', '.join(parts)}", *more])
