"""`reportgen sample`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.values import split_list

if TYPE_CHECKING:
    from reportgen.model.label import CalibrationSample

_MOST_SHOWN = 20
_OF_A_CAPTURE = ("budget", "out", "skip_bad")
_OF_A_RUN = ("wanted", "form", "runs")


@click.command(
    epilog=options.examples(
        "reportgen sample august.jsonl.gz --budget 400 --out august-sample.jsonl",
        "reportgen sample august.parquet --budget 1000 --strata client,surface --out august-sample.jsonl",
        "reportgen judge august-sample.jsonl    # the report speaks of all captured turns, by their weights",
        "reportgen sample 2026-07-20T0900Z-sql-agent-1-opus-5-5 --n 60    # for `reportgen labels export`",
    )
)
@click.argument("source", metavar="TURNS")
@click.option("--budget", type=click.IntRange(min=1), metavar="N", help="Draw at most N turns of a capture.")
@click.option(
    "--strata",
    metavar="LABELS",
    callback=split_list,
    help="Draw from each combination of the values of these labels.  [default: client,surface]",
)
@click.option("--seed", metavar="TEXT", help="Where the draw follows from.  [default: the SHA-256 of TURNS, the seal]")
@click.option("--out", type=options.FILE, metavar="FILE", help="The file of turns to write, of a capture.")
@click.option("--skip-bad", is_flag=True, help="Pass over bad lines; they are counted, and no part of the population.")
@click.option(
    "--n", "wanted", type=click.IntRange(min=1), metavar="N", help="Draw N turns of a run, for people to label."
)
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", help="Of a run.  [default: text]"
)
@options.runs
@options.common
def command(
    source: str,
    budget: int | None,
    strata: tuple[str, ...] | None,
    seed: str | None,
    out: Path | None,
    skip_bad: bool,
    wanted: int | None,
    form: str,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Draw turns of TURNS, a capture that is too large to be judged whole, or of a run, for people to label.

    A capture is JSON Lines, plain or under gzip, or Parquet. Each drawn turn says of how many it was drawn, so that the
    report of their run speaks of all captured turns.

    With --n a run stands in the place of TURNS, by its id or folder. The sample is kept in its annexes.
    """
    console = Console(verbose, quiet)
    if wanted is not None:
        options.require_none(_OF_A_CAPTURE, "--n, which draws from a run")
        _draw_of_run(console, (source, runs, config), wanted, strata, seed, form)
        return
    options.require_none(_OF_A_RUN, "a capture; give --n to draw from a run")
    if budget is None or out is None:
        raise click.UsageError("Give --budget and --out to draw from a capture, or --n to draw from a run.")
    _draw_of_capture(console, Path(source), out, budget, strata, seed, skip_bad)


def _draw_of_capture(
    console: Console,
    turns: Path,
    out: Path,
    budget: int,
    labels: tuple[str, ...] | None,
    seed: str | None,
    skip_bad: bool,
) -> None:
    from reportgen.pipeline.sample import SampleOrder, sample_capture

    bad, strata = [0], ("client", "surface") if labels is None else labels

    def count(_line: object) -> None:
        bad[0] += 1

    order = SampleOrder(turns, out, budget, strata, seed)
    with console.progress("read") as tell:
        sample = sample_capture(order, count if skip_bad else None, tell)
    for stratum in sorted(sample.sizes, key=str)[:_MOST_SHOWN]:
        named = _name_cell(strata, stratum) or "all"
        console.say(f"drawn  {sample.drawn[stratum]:,} of {sample.sizes[stratum]:,}  {named}")
    if len(sample.sizes) > _MOST_SHOWN:
        console.say(f"and {len(sample.sizes) - _MOST_SHOWN} further strata")
    if bad[0]:
        console.say(f"passed over  {bad[0]:,} bad lines")
    console.say(f"in all  {sum(sample.drawn.values()):,} of {sum(sample.sizes.values()):,} turns")
    console.result(f"turns: {out}")


def _draw_of_run(
    console: Console,
    place: tuple[str, Path | None, Path | None],
    wanted: int,
    labels: tuple[str, ...] | None,
    seed: str | None,
    form: str,
) -> None:
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config
    from reportgen.pipeline.labelled_sample import LabelledOrder, sample_run

    run, runs, config = place
    folder = find_intact(run, runs or Path(load_config(config).runs))
    drawn = sample_run(LabelledOrder(folder, wanted, labels, seed), datetime.now(UTC))
    if not drawn.is_new:
        console.say("This is the sample that the run has already; nothing was added.")
    if form == "json":
        console.data(drawn.sample.to_data())
        return
    _tell(drawn.sample, run, console)


def _tell(sample: "CalibrationSample", run: str, console: Console) -> None:
    for stratum in sample.strata:
        cells = [_name_cell(sample.labels, cell) for cell in stratum.cells]
        more = f"; and {len(cells) - 3} more" if len(cells) > 3 else ""
        named = f"  {'; '.join(cells[:3])}{more}" if sample.labels else ""
        console.result(f"{stratum.drawn:>5,} of {stratum.population:>7,}  {stratum.band:<7}{named}")
    console.result(f"{len(sample.turns):>5,} of {sum(item.population for item in sample.strata):>7,}  in all")
    for count, why in ((sample.unscored, "have no score"), (sample.erased, "had their texts erased")):
        if count:
            console.result(f"{count:,} further turns of the run {why}, and are not drawn")
    console.say(f"Next: reportgen labels export {run} --out FOLDER --labeller ID")


def _name_cell(labels: tuple[str, ...], cell: tuple[str | None, ...]) -> str:
    return ", ".join(f"{name} {value or '(none)'}" for name, value in zip(labels, cell, strict=True))
