"""Runs -> the archive site: all that was published for one audience, as a folder."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reportgen.archive.copies import list_finished
from reportgen.archive.digests import file_digest
from reportgen.archive.files import folder_aside, replace_folder, write_whole
from reportgen.archive.records import open_records, require_intact
from reportgen.archive.store import load_run
from reportgen.assembly import assemble_report
from reportgen.errors import SiteError
from reportgen.model.audience import Audience, audience_of
from reportgen.model.revision import Revision
from reportgen.model.run import RunFile
from reportgen.pipeline.publish import ReportOrder, render_form
from reportgen.pipeline.raw_rows import save_pages
from reportgen.pipeline.revising import PROGRAM, History, read_history
from reportgen.pipeline.site_folder import (
    FORMAT,
    MARKER,
    STATISTICS,
    is_site_folder,
    require_place,
    require_same_readers,
)
from reportgen.pipeline.statistics import read_statistics
from reportgen.publishing.metrics import view_worst
from reportgen.publishing.plain_json import write_plain_json
from reportgen.publishing.report import Report
from reportgen.publishing.sections import worst
from reportgen.publishing.site.content import Site, SiteRevision, SiteRun, run_key
from reportgen.record import canonical

_WORST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class SiteOrder:
    """What is to be shown, to whom, and where.

    `audience` is None where the runs shall tell; that fails where they are for several. `report` says how the reports
    are rendered, `base` is the address of the site, with a final slash. `force` lets it replace any folder. `timezone`
    is that of the days in the statistics.
    """

    runs: Path
    out: Path
    title: str
    report: ReportOrder
    audience: Audience | None = None
    base: str | None = None
    force: bool = False
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class SiteMade:
    """The page to open, whose site it is, how many runs it shows, and how many have no report yet."""

    index: Path
    audience: Audience
    runs: int
    unpublished: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A finished run in its folder, with what was published of it."""

    folder: Path
    run: RunFile
    history: History

    @property
    def audience(self) -> Audience:
        return audience_of(self.run.manifest)


def make_site(order: SiteOrder) -> SiteMade:
    """Renders every revision of every run for one audience, and writes the site, whole or not at all.

    The bytes follow from the runs, their annexes and the order; no clock is read.

    Raises:
        SiteError: There is nothing to show, the runs are for several audiences, or something is in the way.
        RunError: A run was changed, its annexes are damaged, or the site cannot be written.
        RenderError: A report could not be rendered.
    """
    require_place(order.out, order.runs, force=order.force)
    found = [_read(folder) for folder in list_finished(order.runs)]
    audience = order.audience or _only_audience(found, order.runs)
    require_same_readers(order.out, audience, force=order.force)
    ours = [item for item in found if item.audience == audience]
    shown = [item for item in ours if item.history.revisions]
    _require_some(shown, audience, order.runs)
    warnings: list[str] = []
    with folder_aside(order.out, SiteError) as aside:
        # Once more, since a site that a killed process was about to replace has just been put back.
        require_same_readers(order.out, audience, force=order.force)
        runs = sorted((_render_run(item, order, aside, warnings) for item in shown), key=lambda run: run.order)
        _write_pages(Site(order.title, audience, tuple(runs), PROGRAM, order.report.look, order.base), aside)
        replace_folder(aside, order.out, lambda folder: order.force or is_site_folder(folder))
    index = order.out / "index.html"
    return SiteMade(index, audience, len(shown), len(ours) - len(shown), tuple(dict.fromkeys(warnings)))


def _read(folder: Path) -> _Found:
    run = load_run(folder)
    return _Found(folder, run, read_history(folder, run))


def _only_audience(found: Iterable[_Found], runs: Path) -> Audience:
    """The audience of all runs; where there are several, nobody's report may go to others by a guess."""
    audiences = {item.audience for item in found}
    if len(audiences) > 1:
        names = ", ".join(sorted(map(str, audiences)))
        raise SiteError(f"The runs in {runs} are for several audiences: {names}", "Choose one: --audience, --client.")
    return audiences.pop() if audiences else Audience("internal")


def _require_some(shown: list[_Found], audience: Audience, runs: Path) -> None:
    if not shown:
        raise SiteError(
            f"No run for {audience} in {runs} has a report",
            "Write one first: `reportgen report RUN`, or choose others.",
        )
    ids = [item.run.manifest.run_id for item in shown]
    if twice := next((run_id for run_id in ids if ids.count(run_id) > 1), None):
        raise SiteError(f"Two folders in {runs} hold the run {twice}", "Keep one of them.")


def _render_run(item: _Found, order: SiteOrder, aside: Path, warnings: list[str]) -> SiteRun:
    """Writes the files of every revision of a run."""
    require_intact(item.folder)
    reports = [_assemble(item, revision, order) for revision in item.history.revisions]
    revisions = tuple(_render_revision(report, order, aside, warnings) for report in reports)
    latest = reports[-1]
    lowest = worst.build(view_worst(latest))["turns"] if latest.standing is None else []
    return SiteRun(
        run=item.run,
        first=latest.findings.first,
        last=latest.findings.last,
        worst=tuple(lowest[:_WORST_SHOWN]),
        sampling=latest.findings.sampling,
        revisions=revisions,
        withdrawals=item.history.withdrawals,
        data=_write_data(item, order, aside) if latest.standing is None and item.audience.kind != "public" else (),
    )


def _write_data(item: _Found, order: SiteOrder, aside: Path) -> tuple[str, ...]:
    """Writes statistics and raw rows for programs; they hold texts of turns, which are not for the public."""
    records, place = open_records(item.folder), Path("reports", run_key(item.run.manifest.run_id))
    statistics = aside / place / STATISTICS
    data = read_statistics(records, order.timezone).data
    write_whole(statistics, [write_plain_json(data, indent=1).encode(), b"\n"])
    paths = [statistics, *save_pages(records, aside / place)]
    return tuple(path.relative_to(aside).as_posix() for path in paths)


def _assemble(item: _Found, revision: Revision, order: SiteOrder) -> Report:
    records, report = open_records(item.folder), order.report
    return assemble_report(records, revision, report.title, report.look, item.history.standing(revision))


def _render_revision(report: Report, order: SiteOrder, aside: Path, warnings: list[str]) -> SiteRevision:
    place = Path("reports", run_key(report.run.manifest.run_id), str(report.revision.number))
    folder = aside / place
    folder.mkdir(parents=True)
    files = [
        (place / name).as_posix()
        for form in order.report.formats
        for name in render_form(report, form, order.report, folder, warnings)
    ]
    return SiteRevision(report.revision, report.standing, tuple(files))


def _write_pages(site: Site, aside: Path) -> None:
    from reportgen.publishing.assets import read_site_style
    from reportgen.publishing.site.feed import NAME, render_feed
    from reportgen.publishing.site.page import INDEX, render_index

    write_whole(aside / "style.css", [read_site_style(site.look).encode()])
    write_whole(aside / NAME, [render_feed(site)])
    write_whole(aside / INDEX, map(str.encode, render_index(site)))
    write_whole(aside / MARKER, [canonical(_describe(site, aside)) + b"\n"])


def _describe(site: Site, aside: Path) -> dict[str, object]:
    """What the site holds, for programs: each file with its digest."""
    return {
        "format": FORMAT,
        "audience": site.audience.kind,
        "client": site.audience.client,
        "runs": [
            {
                "run": run.run.manifest.run_id,
                "seal": run.run.seal,
                "revisions": [
                    {
                        "number": item.revision.number,
                        "state": item.standing.state if item.standing else "current",
                        "files": {path: file_digest(aside / path) for path in item.files},
                    }
                    for item in run.revisions
                ],
                "data": {path: file_digest(aside / path) for path in run.data},
            }
            for run in site.runs
        ],
    }
