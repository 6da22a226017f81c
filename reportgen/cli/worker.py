"""`reportgen worker`."""

import asyncio
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.pipeline.working import WorkOrder


@click.command(
    epilog=options.examples(
        "reportgen worker --collection help-desk", "reportgen worker --collection help-desk --concurrency 16"
    )
)
@options.collection
@options.judge
@options.effort
@options.rubric
@options.concurrency
@options.timeout
@options.runs
@options.common
def command(
    collection: str,
    judge: str | None,
    effort: str | None,
    rubric: str | None,
    concurrency: int | None,
    timeout: int | None,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Judge the exchanges of a collection as they are handed in, until it is told to end.

    SIGTERM and Ctrl-C end it once the requests in flight are answered; a second one ends it at once. Either way, and if
    it is killed, nothing is lost.
    """
    from reportgen.archive.open_runs import collection_of
    from reportgen.config import load_config
    from reportgen.errors import StreamingError
    from reportgen.pipeline.opening import require_collection
    from reportgen.pipeline.redis_address import with_address

    settings, console = load_config(config), Console(verbose, quiet)
    require_collection(collection)
    order = make_order(
        settings,
        collection,
        runs or Path(settings.runs),
        redis=with_address(settings.streaming).redis,
        judge=judge,
        effort=effort,
        rubric=rubric,
        concurrency=concurrency,
        timeout=timeout,
    )
    configured = settings.streaming.collections
    if order.is_shared and collection not in configured and not collection_of(order.runs, collection).is_dir():
        raise StreamingError(
            f"{collection} is not in streaming.collections, and no run of it is open in {order.runs}",
            "Correct the name, or open a run: `reportgen open`.",
        )
    where = "the queue" if order.redis else "the archive, since no Redis is configured"
    console.say(f"judging {collection} from {where}")
    judged = asyncio.run(_work(order, console))
    console.say(f"ended; {judged} turns were judged")


def make_order(
    settings: "Config",
    collection: str,
    runs: Path,
    *,
    redis: str | None,
    is_patient: bool = True,
    judge: str | None = None,
    effort: str | None = None,
    rubric: str | None = None,
    concurrency: int | None = None,
    timeout: int | None = None,
) -> "WorkOrder":
    """What a worker is to do, by the options, and by the configuration where they leave something open."""
    from reportgen.pipeline.working import WorkOrder

    return WorkOrder(
        runs=runs,
        collection=collection,
        judge=judge or settings.judge,
        effort=effort or settings.effort,
        rubric=rubric or settings.rubric,
        rows=settings.evidence.rows,
        concurrency=concurrency or settings.concurrency,
        redis=redis,
        is_patient=is_patient,
        is_shared=settings.streaming.shared,
        timeout=timeout or settings.timeout,
    )


async def _work(order: "WorkOrder", console: Console) -> int:
    from reportgen.pipeline.working import work

    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def ask_to_stop(number: signal.Signals) -> None:
        console.say("ending: the requests in flight are awaited; once more to end at once")
        stop.set()
        loop.remove_signal_handler(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ask_to_stop, number)
    return await work(order, lambda: datetime.now(UTC), console.say, stop)
