"""`reportgen calibrate`."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console


def _split(_context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    from reportgen.analysis.calibration.ratings import plain_value

    parts = tuple(plain_value(part) for part in (value or "").split(",") if part.strip())
    if len(set(parts)) < len(parts):
        raise click.BadParameter(f"{value!r} names a value twice")
    return parts


@click.command(
    epilog=options.examples(
        "reportgen calibrate july",
        "reportgen calibrate july --format json",
        "reportgen calibrate ratings.csv --judge gpt --reference alice --scale 1,2,3,4 --not-applicable 0",
        "reportgen calibrate pairs.csv --judge gpt --majority --scale 0,1,2 --nominal --format json",
    )
)
@click.argument("source", metavar="RUN|RATINGS.csv")
@click.option("--judge", metavar="RATER", help="Of a table: the rater that is the judge.")
@click.option("--reference", metavar="RATER", help="Of a table: the rater that the judge is held against.")
@click.option("--majority", is_flag=True, help="Of a table: hold the judge against the majority of all other raters.")
@click.option("--scale", metavar="LIST", callback=_split, help="Of a table: all categories, lowest first.")
@click.option("--not-applicable", metavar="LIST", callback=_split, help="Of a table: values that rate nothing.")
@click.option("--nominal", is_flag=True, help="Of a table: the order of the scale means nothing.")
@options.form
@options.runs
@options.common
def command(
    source: str,
    judge: str | None,
    reference: str | None,
    majority: bool,
    scale: tuple[str, ...],
    not_applicable: tuple[str, ...],
    nominal: bool,
    form: str,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Say how far the judge agrees with people.

    RUN is a finished run with labels: the result is kept in its annexes, and its report shows it from then on.
    RATINGS.csv is a table with the columns unit, rater and value, of which nothing is kept. Ratings are joined by unit;
    values that are not on the scale are left out and counted.
    """
    console, as_json = Console(verbose, quiet), form == "json"
    if not Path(source).is_file():
        if judge or reference or majority or scale or not_applicable or nominal:
            raise click.UsageError(f"There is no file {source}; a run takes none of the options of a table.")
        _calibrate_run(source, runs, config, console, as_json=as_json)
        return
    if judge is None or (reference is None) == (not majority) or len(scale) < 2:
        raise click.UsageError("A table needs --judge, --scale, and either --reference or --majority.")
    _compare_ratings(
        Path(source), judge, reference, scale, not_applicable, console, ordered=not nominal, as_json=as_json
    )


def _compare_ratings(
    path: Path,
    judge: str,
    reference: str | None,
    scale: tuple[str, ...],
    not_applicable: tuple[str, ...],
    console: Console,
    *,
    ordered: bool,
    as_json: bool,
) -> None:
    from reportgen.analysis.calibration.ratings import RatingsOrder, compare_ratings
    from reportgen.cli.agreement_text import agreement_data, render_agreement
    from reportgen.pipeline.ratings import load_ratings

    order = RatingsOrder(judge, reference, scale, not_applicable, ordered)
    found = compare_ratings(load_ratings(path, order), order)
    _print(console, agreement_data(found) if as_json else None, render_agreement(found))


def _calibrate_run(run: str, runs: Path | None, config: Path | None, console: Console, *, as_json: bool) -> None:
    from reportgen.archive.records import find_intact
    from reportgen.cli.calibration_text import calibration_data, render_calibration
    from reportgen.config import load_config
    from reportgen.pipeline.calibrating import calibrate_run

    folder = find_intact(run, runs or Path(load_config(config).runs))
    done = calibrate_run(folder, datetime.now(UTC))
    _print(console, calibration_data(done) if as_json else None, render_calibration(done))


def _print(console: Console, data: dict[str, Any] | None, lines: Iterator[str]) -> None:
    if data is not None:
        console.data(data)
        return
    for line in lines:
        console.result(line)
