"""`reportgen plan`."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.pipeline.sizing import Sizing

_ADVICE = "; the same clients bring no more, others would"
_POINTS = click.FloatRange(min=0, max=100, min_open=True)


@click.command(
    epilog=options.examples(
        "reportgen plan 2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen plan 2026-07-20T0900Z-sql-agent-1-opus-5-5 --half-width 2",
        "reportgen plan 2026-07-20T0900Z-sql-agent-1-opus-5-5 --detect 3",
    )
)
@click.argument("run")
@click.option("--half-width", type=_POINTS, metavar="POINTS", help="How many turns an interval of ± POINTS takes.")
@click.option("--detect", type=_POINTS, metavar="POINTS", help="How many turns it takes to find a change of POINTS.")
@click.option("--metric", metavar="ID", help="Of a rubric without a composite.  [default: the one of the worst turns]")
@options.runs
@options.common
def command(
    run: str,
    half_width: float | None,
    detect: float | None,
    metric: str | None,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Say how many turns buy which interval of the mean, and what they cost, by what RUN shows of such turns.

    A change is found if a comparison of two runs of that size would show it four times in five.
    """
    from reportgen.archive.records import find_intact, open_records
    from reportgen.config import load_config
    from reportgen.pipeline.sizing import SIZES, size_up

    console = Console(verbose, quiet)
    sizing = size_up(open_records(find_intact(run, runs or Path(load_config(config).runs))), metric)
    outlook = sizing.outlook
    scored = f"turns with a value of {sizing.metric}, in percent of its scale," if sizing.metric else "scored turns"
    console.say(
        f"From {outlook.turns:,} {scored} of {run}; independent of one another: {sizing.clusters} × {sizing.by}"
    )
    if outlook.is_fixed:
        console.say(f"Taken for granted: the next turns come from these {sizing.clusters} clients, in the same shares.")
    if sizing.cost is None:
        console.say(
            "What a turn costs is not known: no judge was asked in this run, or not all of its prices are known."
        )
    for line in _wanted(sizing, half_width, detect) if half_width or detect else map(partial(_line, sizing), SIZES):
        console.result(line)


def _wanted(sizing: "Sizing", half_width: float | None, detect: float | None) -> Iterator[str]:
    from reportgen.analysis.planning import turns_for, turns_for_change

    outlook = sizing.outlook
    if half_width is not None:
        turns = turns_for(outlook, half_width)
        yield _line(sizing, turns) if turns else f"no number of turns is enough for ± {half_width:g} points{_ADVICE}"
    if detect is not None:
        turns = turns_for_change(outlook, detect)
        yield _line(sizing, turns) if turns else f"no number of turns is enough to find {detect:g} points{_ADVICE}"


def _line(sizing: "Sizing", turns: int) -> str:
    from reportgen.scoring.rounding import print_number

    width, change = (Fraction(value(turns)) for value in (sizing.outlook.half_width, sizing.outlook.detectable))
    cost = f"  about ${float(sizing.cost * turns):,.2f}" if sizing.cost is not None else ""
    return f"{turns:>9,} turns  mean ± {print_number(width):>4}  change of {print_number(change):>4} found{cost}"
