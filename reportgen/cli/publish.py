"""`reportgen publish`."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.report import make_report_order

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.model.audience import Audience
    from reportgen.model.revision import Notes
    from reportgen.pipeline.periods import Period
    from reportgen.pipeline.publication import Publication, PublicationOrder
    from reportgen.pipeline.revising import Terms

_NOTES = "for the internal report; AUDIENCE=FILE with `public` or a client's name for another"


@click.command(
    epilog=options.examples(
        "reportgen publish --period 2026-07 --timezone Europe/London --key ~/reportgen.key",
        "reportgen publish --period 2026-07 --capture july.jsonl",
        "reportgen publish --period 2026-07 --notes july.md --notes Norrsund=norrsund.md --signed 'A. Editor'",
    )
)
@click.option("--period", "period_name", required=True, metavar="PERIOD", help="A year, month or day, as 2026-07.")
@click.option("--timezone", metavar="ZONE", help="Where it begins and ends.  [default: UTC]")
@click.option("--run", "run_name", metavar="RUN", help="The run to publish.  [default: the only one of the period]")
@click.option("--capture", type=options.FILE, metavar="TURNS", help="Turns to judge where there is no run.")
@click.option("--produced", type=click.IntRange(min=0), metavar="N", help="How many turns the assistant produced.")
@click.option("--judge", metavar="BACKEND:MODEL", help="The judge of a capture.  [default: that of the configuration]")
@click.option("--out", type=options.FOLDER, metavar="DIR", help="Where publications go.  [default: publications]")
@click.option("--key", type=options.FILE, envvar="REPORTGEN_KEY_FILE", help="The file with the publisher's key.")
@click.option("--notes", multiple=True, metavar="[AUDIENCE=]FILE", help=f"A commentary, {_NOTES}.")
@click.option("--signed", metavar="NAME", help="Who wrote the notes.")
@options.runs
@options.formats
@options.force
@options.moment("--generated-at", "Another generation time.")
@options.common
def command(config: Path | None, verbose: bool, quiet: bool, **chosen: Any) -> None:
    """Publish all turns of a period for every audience of the configuration.

    Takes the run of the period, or judges its capture; writes each report with its exports into one folder, compares
    with the period before where the instrument is the same, makes the archive sites anew, and ends with exit code 4
    unless all gates are passed.
    """
    from reportgen.config import load_config
    from reportgen.pipeline.gates import require_gates
    from reportgen.pipeline.publication import publish_period
    from reportgen.pipeline.publication_folder import publishing_alone

    settings, console = load_config(config), Console(verbose, quiet)
    place = chosen.pop("out") or Path(settings.publish.out)
    with publishing_alone(place):
        order = _make_order(settings, console, place, **chosen)
        console.say(f"writing the reports for {', '.join(map(str, order.audiences))}, and their sites")
        published = publish_period(order, datetime.now(UTC))
    _tell(published, console)
    if published.gates:
        require_gates(published.gates)


def _make_order(
    settings: "Config",
    console: Console,
    place: Path,
    *,
    period_name: str,
    timezone: str | None,
    run_name: str | None,
    key: Path | None,
    notes: tuple[str, ...],
    signed: str | None,
    runs: Path | None,
    formats: tuple[str, ...] | None,
    force: bool,
    generated_at: datetime | None,
    **judging: Any,
) -> "PublicationOrder":
    from reportgen.archive.store import find_archive
    from reportgen.pipeline.periods import read_period
    from reportgen.pipeline.publication import PublicationOrder
    from reportgen.pipeline.publication_folder import require_room

    archive = find_archive(run_name, runs, settings.runs)
    period = read_period(period_name, timezone or settings.publish.timezone)
    require_room(place / period.name, force=force)
    written = _read_notes(notes, signed)
    secret = _read_key(key, archive, settings)
    report = make_report_order(settings, archive, formats=formats, generated_at=generated_at)
    wanted = _Wanted(settings, archive, period, report.terms, written)
    folder = _find_run(wanted, console, run_name, **judging)
    audiences = _choose_audiences(settings, _list_clients(folder), written)
    return PublicationOrder(
        folder=folder,
        period=period,
        runs=archive,
        out=place,
        settings=settings,
        report=report,
        audiences=audiences,
        key=secret,
        notes=written,
        force=force,
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be published, as far as it is known before there is a run."""

    settings: "Config"
    archive: Path
    period: "Period"
    terms: "Terms"
    notes: "dict[Audience, Notes]"


def _find_run(wanted: _Wanted, console: Console, name: str | None, **judging: Any) -> Path:
    """The run that is named, the only one of the period, or one that is judged now."""
    from reportgen.archive.records import find_intact, require_intact
    from reportgen.archive.store import load_run
    from reportgen.pipeline.revising import require_time
    from reportgen.pipeline.selection import find_run, require_within

    archive, period = wanted.archive, wanted.period
    folder = find_run(archive, period) if name is None else find_intact(name, archive)
    if folder is None:
        return _judge(wanted, console, **judging)
    options.require_none(judging, f"the run {folder.name}, which is judged already")
    require_intact(folder)
    require_within(folder, period)
    require_time(wanted.terms, load_run(folder).manifest.finished_at)
    return folder


def _judge(wanted: _Wanted, console: Console, *, capture: Path | None, **judging: Any) -> Path:
    """Judges the captured turns, once it is sure that nothing else stands against publishing them."""
    from reportgen.cli.judge import judge_and_tell, make_order
    from reportgen.errors import PublicationError
    from reportgen.pipeline.intake import require_captured_in
    from reportgen.pipeline.revising import require_time

    settings, period = wanted.settings, wanted.period
    where = settings.publish.capture
    source = capture or (Path(where.replace("{period}", period.name)) if where else None)
    if source is None:
        raise PublicationError(
            f"No run in {wanted.archive} holds turns of {period}", "Give the captured turns by --capture."
        )
    require_time(wanted.terms, datetime.now(UTC))
    _choose_audiences(settings, sorted(require_captured_in(source, period)), wanted.notes)
    order = make_order(settings, source, runs=wanted.archive, **judging)
    return judge_and_tell(replace(order, timezone=period.zone), console)


def _read_notes(notes: tuple[str, ...], signed: str | None) -> "dict[Audience, Notes]":
    from reportgen.model.audience import Audience
    from reportgen.pipeline.correcting import read_notes

    if bool(notes) != (signed is not None):
        raise click.UsageError("--notes and --signed go together.")
    kinds = {"": Audience("internal"), "internal": Audience("internal"), "public": Audience("public")}
    written: dict[Audience, Notes] = {}
    for value in notes:
        name, _, file = value.rpartition("=")
        audience = kinds.get(name) or Audience("client", name)
        if audience in written:
            raise click.UsageError(f"There are two notes for {audience}.")
        written[audience] = read_notes(Path(file), signed or "", datetime.now(UTC))
    return written


def _list_clients(folder: Path) -> list[str]:
    from reportgen.archive.records import open_records

    return sorted({turn.labels["client"] for turn in open_records(folder).turns() if "client" in turn.labels})


def _choose_audiences(settings: "Config", clients: list[str], notes: "dict[Audience, Notes]") -> "list[Audience]":
    from reportgen.errors import PublicationError
    from reportgen.model.audience import Audience
    from reportgen.pipeline.publication import choose_audiences

    audiences = choose_audiences(settings.publish.audiences, clients, settings.publish.clients)
    if "public" in clients and Audience("public") in notes:
        raise PublicationError("There is a client named public, and notes for public", "Give the client another label.")
    for audience in notes:
        if audience not in audiences:
            raise PublicationError(
                f"There are notes for {audience}, for which nothing is published", "Correct --notes, or the audiences."
            )
    return audiences


def _read_key(path: Path | None, archive: Path, settings: "Config") -> bytes | None:
    """The publisher's key, missed before a judge is paid; None where it is not given and nothing is to be derived."""
    from reportgen.archive.commitments import read_key
    from reportgen.errors import RunError

    if path is not None:
        return read_key(path, archive)
    derived = [kind for kind in settings.publish.audiences if kind != "internal"]
    if derived:
        raise RunError(
            f"Reports for the audience {derived[0]} need the publisher's key", "Give its file by --key FILE."
        )
    return None


def _tell(published: "Publication", console: Console) -> None:
    from reportgen.archive.store import load_run
    from reportgen.publishing.gates import say_gate

    for edition in published.editions:
        for warning in edition.warnings:
            console.say(f"warning: {warning}")
        against = f", compared with {edition.baseline}" if edition.baseline else ""
        console.say(f"published for {edition.audience}: {edition.place}, from the run {edition.run.name}{against}")
    rubric = load_run(published.editions[0].run).rubric
    for result in published.gates:
        console.result(say_gate(result, rubric))
    console.result(f"publication: {published.folder}")
    for site in published.sites:
        console.result(f"site: {site}")
