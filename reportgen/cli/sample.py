"""`reportgen sample`."""

from pathlib import Path

import click

from reportgen.cli import options
from reportgen.cli.console import Console

_MOST_SHOWN = 20


def _split_labels(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))


@click.command(
    epilog=options.examples(
        "reportgen sample august.jsonl.gz --budget 400 --out august-sample.jsonl",
        "reportgen sample august.parquet --budget 1000 --strata client,surface --out august-sample.jsonl",
        "reportgen judge august-sample.jsonl    # the report speaks of all captured turns, by their weights",
    )
)
@click.argument("turns", type=click.Path(path_type=Path))
@click.option("--budget", type=click.IntRange(min=1), required=True, metavar="N", help="Draw at most N turns.")
@click.option(
    "--strata",
    default="client,surface",
    metavar="LABELS",
    callback=_split_labels,
    help="Draw from each combination of the values of these labels.  [default: client,surface]",
)
@click.option("--seed", metavar="TEXT", help="Where the draw follows from.  [default: the SHA-256 of TURNS]")
@click.option("--out", type=options.FILE, required=True, metavar="FILE", help="The file of turns to write.")
@click.option("--skip-bad", is_flag=True, help="Pass over bad lines; they are counted, and no part of the population.")
@options.common
def command(
    turns: Path,
    budget: int,
    strata: tuple[str, ...],
    seed: str | None,
    out: Path,
    skip_bad: bool,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Draw turns of TURNS, a capture that is too large to be judged whole, and write them to a file.

    TURNS is JSON Lines, plain or under gzip, or Parquet. Each drawn turn says of how many it was drawn, so that the
    report of their run speaks of all captured turns.
    """
    from reportgen.pipeline.sample import SampleOrder, sample_capture

    console, bad = Console(verbose, quiet), [0]

    def count(_line: object) -> None:
        bad[0] += 1

    order = SampleOrder(turns, out, budget, strata, seed)
    with console.progress("read") as tell:
        sample = sample_capture(order, count if skip_bad else None, tell)
    for stratum in sorted(sample.sizes, key=str)[:_MOST_SHOWN]:
        named = ", ".join(f"{name} {value or '(none)'}" for name, value in zip(strata, stratum, strict=True)) or "all"
        console.say(f"drawn  {sample.drawn[stratum]:,} of {sample.sizes[stratum]:,}  {named}")
    if len(sample.sizes) > _MOST_SHOWN:
        console.say(f"and {len(sample.sizes) - _MOST_SHOWN} further strata")
    if bad[0]:
        console.say(f"passed over  {bad[0]:,} bad lines")
    console.say(f"in all  {sum(sample.drawn.values()):,} of {sum(sample.sizes.values()):,} turns")
    console.result(f"turns: {out}")
