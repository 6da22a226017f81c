"""`reportgen labels`."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.analysis.labellers import Labelling
    from reportgen.pipeline.importing_labels import Imported


def _parse_day(_context: click.Context, _option: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a day such as 2026-08-01") from None


def _check_labeller(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not (1 <= len(value.strip()) <= 200 and value.strip().isprintable()):
        raise click.BadParameter("give an id of 1 to 200 characters, on one line, that can all be seen")
    return value and value.strip()


@click.group(
    epilog=options.examples(
        "reportgen labels export july --out to-anna --labeller anna",
        "reportgen labels import july to-anna/labels-anna.json ben.xlsx",
        "reportgen labels list july",
    )
)
def command() -> None:
    """Have people label a sample of a run, and take over what they said."""


@command.command("export", epilog=options.examples("reportgen labels export july --out to-anna --labeller anna"))
@click.argument("run")
@click.option("--out", type=options.FOLDER, required=True, metavar="FOLDER", help="Where page and workbook go.")
@click.option(
    "--labeller", metavar="ID", callback=_check_labeller, help="Who is to label; sets the order of the turns."
)
@options.force
@options.runs
@options.common
def export(
    run: str,
    out: Path,
    labeller: str | None,
    force: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Write the sampled turns of RUN as a page and as a workbook to be labelled in, offline.

    Either shows the words of the rubric and the evidence of each turn, and nothing of what the judge said.
    """
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config
    from reportgen.pipeline.exporting_labels import FormOrder, export_forms
    from reportgen.publishing.look.look import read_look

    settings = load_config(config)
    folder = find_intact(run, runs or Path(settings.runs))
    order = FormOrder(folder, out, labeller, force=force, look=read_look(settings.report))
    for path in export_forms(order):
        Console(verbose, quiet).result(f"labels: {path}")


@command.command(
    "import",
    epilog=options.examples(
        "reportgen labels import july labels-anna.json ben.xlsx",
        "reportgen labels import july labels.csv --na 0 --drop-off-scale",
    ),
)
@click.argument("run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--labeller", metavar="ID", callback=_check_labeller, help="Who labelled, where a file does not say.")
@click.option("--date", "dated", metavar="DAY", callback=_parse_day, help="When, where a file does not say.")
@click.option("--na", "words", metavar="TEXT", multiple=True, help="Means not applicable too, beside N/A.")
@click.option("--drop-off-scale", is_flag=True, help="Leave values off the scale out, and count them.")
@options.runs
@options.common
def take_over(
    run: str,
    files: tuple[Path, ...],
    labeller: str | None,
    dated: date | None,
    words: tuple[str, ...],
    drop_off_scale: bool,
    runs: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Take labels on turns of RUN over from files: workbooks, files that the page saved, and CSV; all or none.

    A CSV file has the columns turn, labeller, date, one for each dimension by its id, and, if wanted, band and comment.
    """
    from reportgen.archive.records import find_intact
    from reportgen.config import load_config
    from reportgen.pipeline.importing_labels import ImportOrder, import_labels

    folder = find_intact(run, runs or Path(load_config(config).runs))
    order = ImportOrder(folder, files, labeller, dated, words, drops=drop_off_scale)
    console = Console(verbose, quiet)
    for done in import_labels(order, datetime.now(UTC)):
        _tell_import(done, console)


def _tell_import(done: "Imported", console: Console) -> None:
    from reportgen.publishing.text import shorten

    if not done.is_new:
        console.result(f"{done.path}: nothing new; all that it says stands already")
        return
    item, left_out = done.item, done.item.left_out
    people = ", ".join(dict.fromkeys(label.labeller for label in item.labels))
    console.result(f"{done.path}: {len(item.labels):,} labels by {people}")
    found = {
        "earlier labels of the same labeller on the same turn no longer stand": item.superseded,
        "rows are empty": left_out.empty,
        "rows are on turns that the run does not have": left_out.unknown_turns,
        **{
            f"values are of {shorten(name, 60)!r}, no dimension": count
            for name, count in left_out.unknown_dimensions.items()
        },
        **{f"values of {name} are off the scale, and left out": count for name, count in left_out.off_scale.items()},
    }
    for what, count in found.items():
        if count:
            console.result(f"  {count:,} {what}")


@command.command("list", epilog=options.examples("reportgen labels list july"))
@click.argument("run")
@options.form
@options.runs
@options.common
def show_list(run: str, form: str, runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> None:
    """Show who labelled how many turns of RUN, and how much of its sample."""
    from pydantic import TypeAdapter

    from reportgen.analysis.labellers import Labelling, sum_up_labels
    from reportgen.archive.annexes import read_annex
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import load_run
    from reportgen.config import load_config
    from reportgen.model.label import CalibrationSample, LabelImport

    folder = find_intact(run, runs or Path(load_config(config).runs))
    seals = load_run(folder).seals
    samples = read_annex(CalibrationSample, folder, *seals)
    found = sum_up_labels(read_annex(LabelImport, folder, *seals), samples[-1] if samples else None)
    console = Console(verbose, quiet)
    if form == "json":
        console.data(TypeAdapter(Labelling).dump_python(found, mode="json"))
        return
    _tell_list(found, console)


def _tell_list(found: "Labelling", console: Console) -> None:
    for one in found.labellers:
        days = f"{one.first}" if one.first == one.last else f"{one.first} to {one.last}"
        replaced = f"; {one.superseded:,} superseded" if one.superseded else ""
        console.result(f"{one.name}  {one.turns:,} turns, {one.sampled:,} of the sample, {days}{replaced}")
    if not found.labellers:
        console.say("Nobody has labelled turns of this run.")
    sample = "no sample was drawn" if found.sample is None else f"{found.complete:,} of {found.sample:,} sampled turns"
    console.result(f"labelled: {found.labelled:,} turns, {found.several:,} by several people; {sample}")
