"""`reportgen probe`."""

from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reportgen.config import Config
    from reportgen.model.probe import Probe, ProbeKind
    from reportgen.model.run import Estimate

KINDS = ("order", "length")
DEFAULT_TURNS = 30


@click.command(
    epilog=options.examples(
        "reportgen probe 2026-07-20T0900Z-sql-agent-1-opus-5-5 order",
        "reportgen probe july order --n 60 --concurrency 16",
        "reportgen probe july length",
    )
)
@click.argument("run")
@click.argument("kind", type=click.Choice(KINDS))
@click.option(
    "--n", "turns", type=click.IntRange(2), default=DEFAULT_TURNS, metavar="N", help="Turns to judge.  [default: 30]"
)
@click.option("--concurrency", type=click.IntRange(1, 256), metavar="N", help="Requests in flight.  [default: 8]")
@options.timeout
@options.max_cost
@options.prices
@options.runs
@options.common
def command(
    run: str, kind: "ProbeKind", config: Path | None, verbose: bool, quiet: bool, turns: int, **chosen: Any
) -> None:
    """Probe RUN, a finished run, and keep the result beside it; reports of the run show it from then on.

    `order` asks the judge of RUN again about some of its turns, with the evidence in another order. `length` compares
    scores with the lengths of the answers and asks nobody.
    """
    from reportgen.config import load_config

    probe_and_tell(load_config(config), Console(verbose, quiet), run, kind, turns, **chosen)


def probe_and_tell(
    settings: "Config",
    console: Console,
    run: str,
    kind: "ProbeKind",
    turns: int = DEFAULT_TURNS,
    *,
    concurrency: int | None,
    timeout: int | None,
    max_cost: Fraction | None,
    prices: Path | None,
    runs: Path | None,
) -> None:
    """Probes a run, shows how far it is, and says what came of it and what it cost."""
    from reportgen.archive.records import find_intact
    from reportgen.pipeline.probe import ProbeOrder, probe_run

    folder = find_intact(run, runs or Path(settings.runs))
    file = prices or (Path(settings.prices) if settings.prices else None)
    concurrency, timeout = concurrency or settings.concurrency, timeout or settings.timeout
    order = ProbeOrder(folder, kind, turns, concurrency, file, max_cost, timeout)
    with console.progress("judged") as tell:
        probe = probe_run(order, lambda: datetime.now(UTC), tell)
    if kind == "order":
        _tell_cost(probe, console)
    for line in _say(probe):
        console.result(line)


def _tell_cost(probe: "Probe", console: Console) -> None:
    from reportgen.analysis.probes import add_up_probe
    from reportgen.publishing.spending import say_in_short

    console.say(f"the probe took {say_in_short(add_up_probe(probe))}")


def _say(probe: "Probe") -> "Iterator[str]":
    if probe.metrics is None:
        yield _say_figure(probe.kind, "the score", probe.estimate, probe.flips)
    for item in probe.metrics or ():
        yield _say_figure(probe.kind, item.dimension, item.estimate, item.flips)


def _say_figure(kind: "ProbeKind", name: str, estimate: "Estimate", flips: int | None) -> str:
    from reportgen.scoring.rounding import print_number

    what = f"mean change of {name}" if kind == "order" else f"rank correlation of {name} and answer length"
    value = "none" if estimate.value is None else print_number(estimate.value, 2)
    interval = estimate.undefined or f"95 % interval {estimate.low:.2f} to {estimate.high:.2f}"
    changed = "" if flips is None else f"; the band changed in {flips}"
    return f"probe: {kind}: {what} {value} ({interval}), n {estimate.n}{changed}"
