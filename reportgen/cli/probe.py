"""`reportgen probe`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.model.probe import Probe


@click.command(
    epilog=options.examples(
        "reportgen probe 2026-07-20T0900Z-sql-agent-1-opus-5-5 order",
        "reportgen probe july order --n 60 --concurrency 16",
        "reportgen probe july length",
    )
)
@click.argument("run")
@click.argument("kind", type=click.Choice(("order", "length")))
@click.option("--n", "turns", type=click.IntRange(2), default=30, metavar="N", help="Turns to judge.  [default: 30]")
@click.option("--concurrency", type=click.IntRange(1, 256), metavar="N", help="Requests in flight.  [default: 8]")
@options.runs
@options.common
def command(
    run: str,
    kind: Literal["order", "length"],
    turns: int,
    concurrency: int | None,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Probe RUN, a finished run, and keep the result beside it; reports of the run show it from then on.

    `order` asks the judge of RUN again about some of its turns, with the evidence in another order. `length` compares
    scores with the lengths of the answers and asks nobody.
    """
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config
    from reportgen.pipeline.probe import ProbeOrder, probe_run

    settings, console = load_config(config), Console(verbose, quiet)
    folder = find_intact(run, runs or Path(settings.runs))
    order = ProbeOrder(folder, kind, turns, concurrency or settings.concurrency)
    with console.progress("judged") as tell:
        probe = probe_run(order, lambda: datetime.now(UTC), tell)
    console.result(_say(probe))


def _say(probe: "Probe") -> str:
    from reportgen.scoring.rounding import print_number

    estimate = probe.estimate
    what = "mean change of the score" if probe.kind == "order" else "rank correlation of score and answer length"
    value = "none" if estimate.value is None else print_number(estimate.value, 2)
    interval = estimate.undefined or f"95 % interval {estimate.low:.2f} to {estimate.high:.2f}"
    flips = "" if probe.flips is None else f"; the band changed in {probe.flips}"
    return f"probe: {probe.kind}: {what} {value} ({interval}), n {estimate.n}{flips}"
