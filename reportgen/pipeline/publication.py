"""A run -> all that is published of a period: for each audience its report and exports, then the archive sites."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from reportgen.analysis.comparability import find_breaks
from reportgen.analysis.gates import GateResult
from reportgen.archive.digests import file_digest
from reportgen.archive.files import write_whole
from reportgen.archive.records import Records, find_intact, open_records
from reportgen.archive.store import load_run
from reportgen.config import NO_GATES, Config
from reportgen.errors import PublicationError
from reportgen.model.audience import Audience
from reportgen.model.instrument import instrument_of
from reportgen.model.revision import Baseline, EarlierRun, Notes
from reportgen.pipeline.audience import run_for
from reportgen.pipeline.comparing import compare_records
from reportgen.pipeline.derived import name_client
from reportgen.pipeline.export import ExportOrder, export_run
from reportgen.pipeline.gates import judge_run, save_junit
from reportgen.pipeline.lineage import find_earlier
from reportgen.pipeline.making_room import read_marker
from reportgen.pipeline.periods import Period
from reportgen.pipeline.publication_folder import FORMAT, MARKER, lacks_sites, note_sites, put_in_place
from reportgen.pipeline.publish import ReportOrder, publish_report
from reportgen.pipeline.revising import Terms
from reportgen.pipeline.site import SiteOrder, make_site
from reportgen.pipeline.succeeding import correct_before, leave_withdrawn
from reportgen.record import canonical, digest

SITE = "site"
"""The folder of the archive sites, beside those of the periods."""


@dataclass(frozen=True, slots=True)
class PublicationOrder:
    """What is to be published, and where.

    `out` is the folder that holds one folder for each period, and the sites. `notes` are those for each audience; what
    is written for one never goes to another. `key` is the publisher's, None where nothing is to be derived.
    """

    folder: Path
    period: Period
    runs: Path
    out: Path
    settings: Config
    report: ReportOrder
    audiences: Sequence[Audience]
    key: bytes | None = None
    notes: Mapping[Audience, Notes] = field(default_factory=dict)
    force: bool = False


@dataclass(frozen=True, slots=True)
class Edition:
    """What was published for one audience: from which run, in which folder, and against which earlier run, if any."""

    audience: Audience
    run: Path
    place: str
    baseline: str | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """The folder of the period, its editions, the pages of the sites, and what the gates say of the run."""

    folder: Path
    editions: tuple[Edition, ...]
    sites: tuple[Path, ...]
    gates: tuple[GateResult, ...]


def publish_period(order: PublicationOrder, now: datetime) -> Publication:
    """Publishes a run for every audience, whole or not at all, and makes the site of each audience anew.

    A revision that was recorded before the work was stopped is rendered again by the same command. Where the folder of
    the period was in its place by then, it stays as it is, and only the sites are made.

    Raises:
        PublicationError: Something is in the way.
        ReportgenError: A run cannot be derived, compared, rendered or written.
    """
    place, places, known = order.out / order.period.name, name_places(order.audiences), _digest_order(order)
    if not order.force and lacks_sites(place, known):
        gates = _check_gates(order)
        editions = tuple(_find_edition(audience, places[audience], order, place) for audience in order.audiences)
    else:
        with put_in_place(place, known, force=order.force) as aside:
            gates = _check_gates(order)
            if gates:
                save_junit(aside / "gates.xml", load_run(order.folder), gates)
            editions = tuple(_publish_for(reader, places[reader], order, aside, now) for reader in order.audiences)
            write_whole(aside / MARKER, [canonical(_describe(order, editions, gates, aside)) + b"\n"])
    sites = tuple(_make_site(audience, places[audience], order) for audience in order.audiences)
    note_sites(place)
    return Publication(place, editions, sites, gates)


def _digest_order(order: PublicationOrder) -> str:
    """What tells an order from all others by what it publishes; on what day its notes are signed makes no other."""
    notes = {str(audience): [notes.text, notes.signed] for audience, notes in order.notes.items()}
    moment, readers = order.report.terms.generated_at, list(map(str, order.audiences))
    seal, settings = load_run(order.folder).seal, order.settings.to_data()
    return digest([seal, str(order.period), settings, list(order.report.formats), str(moment), readers, notes])


def _find_edition(audience: Audience, place: str, order: PublicationOrder, published: Path) -> Edition:
    """What was published for an audience before the work was stopped."""
    known = read_marker(published / MARKER, FORMAT)["editions"]
    baseline = next(edition["baseline"] for edition in known if edition["folder"] == place)
    return Edition(audience, _run_for(audience, order), place, baseline, ())


def _run_for(audience: Audience, order: PublicationOrder) -> Path:
    return run_for(order.folder, audience, order.key, order.settings.redaction, order.runs)


def name_places(audiences: Sequence[Audience]) -> dict[Audience, str]:
    """The folder of each audience within that of the period; each client has the same one in every period."""
    return {
        audience: f"clients/{name_client(audience.client)}" if audience.client else audience.kind
        for audience in audiences
    }


def _check_gates(order: PublicationOrder) -> tuple[GateResult, ...]:
    """What the gates say of the whole run, where there are any."""
    gates = order.settings.gates
    return () if gates == NO_GATES else judge_run(open_records(order.folder), gates, order.runs)


def _publish_for(audience: Audience, place: str, order: PublicationOrder, aside: Path, now: datetime) -> Edition:
    """The report and the exports for one audience."""
    folder = _run_for(audience, order)
    records = open_records(folder)
    earlier = find_earlier(records, order.runs)
    baseline = None if audience.kind == "public" else _build_baseline(records, earlier, order.runs)
    terms = replace(order.report.terms, notes=order.notes.get(audience), earlier=earlier or None, baseline=baseline)
    report = correct_before(records, replace(order.report, out=aside / place, terms=terms), order.runs)
    published = publish_report(folder, leave_withdrawn(records, report), now)
    _export(records, audience, aside / place, earlier, order)
    return Edition(audience, folder, place, baseline.run if baseline else None, published.warnings)


def _build_baseline(records: Records, earlier: Sequence[EarlierRun], runs: Path) -> Baseline | None:
    """The latest of the earlier runs, if it was made with the same instrument."""
    own = instrument_of(records.run.manifest)
    if not earlier or find_breaks(earlier[-1].instrument, own):
        return None
    return compare_records(open_records(find_intact(earlier[-1].run, runs)), records).baseline


def _export(
    records: Records, audience: Audience, out: Path, earlier: tuple[EarlierRun, ...], order: PublicationOrder
) -> None:
    """The exports for one audience; only the publisher's own people read what the gates say."""
    if formats := order.settings.publish.exports:
        gates = order.settings.gates if audience.kind == "internal" else NO_GATES
        with_text, overrides = audience.kind != "public", order.report.look.overrides
        export_run(
            ExportOrder(records, out, formats, with_text=with_text, gates=gates, earlier=earlier, overrides=overrides)
        )


def _describe(
    order: PublicationOrder, editions: Sequence[Edition], gates: Sequence[GateResult], aside: Path
) -> dict[str, object]:
    """What was published, for programs: each file with its digest."""
    return {
        "format": FORMAT,
        "period": order.period.name,
        "timezone": order.period.zone,
        "start": order.period.start.isoformat(),
        "end": order.period.end.isoformat(),
        "gates": [{"gate": result.gate, "about": result.about, "state": result.state} for result in gates],
        "editions": [_describe_edition(edition) for edition in editions],
        "files": dict(_digest_files(aside)),
    }


def _describe_edition(edition: Edition) -> dict[str, object]:
    run = load_run(edition.run)
    return {
        "audience": edition.audience.kind,
        "client": edition.audience.client,
        "run": run.manifest.run_id,
        "seal": run.seal,
        "folder": edition.place,
        "baseline": edition.baseline,
    }


def _digest_files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), file_digest(path)


def _make_site(audience: Audience, place: str, order: PublicationOrder) -> Path:
    out = order.out / SITE / place
    title = f"{order.report.title}: {audience.client}" if audience.client else order.report.title
    base = order.settings.publish.base_url
    site = SiteOrder(
        runs=order.runs,
        out=out,
        title=title,
        report=replace(order.report, out=None, terms=Terms()),
        audience=audience,
        base=f"{base.rstrip('/')}/{place}/" if base else None,
        timezone=order.period.zone,
    )
    return make_site(site).index


def choose_audiences(order_of: Sequence[str], clients: Sequence[str], wanted: Sequence[str] | None) -> list[Audience]:
    """For whom a period is published, in the order of the configuration.

    Args:
        order_of: Kinds: `internal`, `public`, and `client` for each client.
        clients: The clients whose turns the run holds.
        wanted: Those that get a report; None for all.

    Raises:
        PublicationError: No turn of the run is of a wanted client, or there is no audience at all.
    """
    absent = [name for name in wanted or () if name not in clients]
    if absent and "client" in order_of:
        raise PublicationError(
            f"No turn of the run is of the client {absent[0]!r}",
            "Correct publish.clients in the configuration, or leave the client out this time.",
        )
    audiences: list[Audience] = []
    for kind in dict.fromkeys(order_of):
        if kind == "client":
            audiences += [Audience("client", name) for name in (clients if wanted is None else wanted)]
        else:
            audiences.append(Audience("public" if kind == "public" else "internal"))
    if not audiences:
        raise PublicationError(
            "There is nobody to publish for: no turn of the run is of a client",
            "Add internal or public to publish.audiences in the configuration.",
        )
    return audiences
