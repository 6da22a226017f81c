"""The feed of a site, in Atom (RFC 4287): each report, correction and withdrawal is an entry."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid5
from xml.etree import ElementTree as ET

from reportgen.publishing.headlines import say_means
from reportgen.publishing.printing import print_interval, print_period, print_score
from reportgen.publishing.site.content import Site, SiteRevision, SiteRun
from reportgen.publishing.standings import say_correction
from reportgen.publishing.text import clean

NAME = "feed.xml"
_ATOM = "http://www.w3.org/2005/Atom"
_IDS = UUID("6f0c6a4e-3d1b-5a52-9a53-0d6f3a3f5a0e")
"""The name space of the ids of entries: the same run and revision has the same id on every site and for ever."""


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    updated: datetime
    kind: str
    title: str
    summary: str
    href: str

    @property
    def id(self) -> str:
        return uuid5(_IDS, self.key).urn


def render_feed(site: Site) -> bytes:
    """The feed, newest entry first.

    Links are relative to the feed where the site has no address. Ids never depend on one, so that a site may move.
    """
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _add(feed, "id", uuid5(_IDS, _key_of(site)).urn)
    _add(feed, "title", site.title)
    _add(feed, "updated", _print(site.updated))
    _add(ET.SubElement(feed, "author"), "name", site.look.brand.name or site.title)
    _add(feed, "generator", site.program)
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": _address(site, "index.html")})
    if site.base:
        ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": _address(site, NAME)})
    for entry in sorted(_entries(site), key=lambda item: (item.updated, item.key), reverse=True):
        _add_entry(feed, entry, site)
    ET.indent(feed, " ")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(feed, "unicode").encode() + b"\n"


def _key_of(site: Site) -> str:
    """A feed stays the same one as long as its first run and its readers do."""
    return f"{site.audience.kind}\n{site.audience.client or ''}\n{site.runs[0].run.seal}"


def _entries(site: Site) -> Iterator[_Entry]:
    for run in site.runs:
        for item in run.revisions:
            yield _published(run, item)
        for number, withdrawal in enumerate(run.withdrawals, start=1):
            superseded = withdrawal.successor is not None
            kind = "superseded" if superseded else "withdrawal"
            numbers = ", ".join(map(str, withdrawal.revisions))
            yield _Entry(
                key=f"{run.run.seal}/withdrawal/{number}",
                updated=withdrawal.at,
                kind=kind,
                title=f"{'Superseded' if superseded else 'Withdrawn'}: {_name(run)}",
                summary=f"No longer stands: revision {numbers}. Why: {withdrawal.reason}",
                href=run.latest.files[0],
            )


def _published(run: SiteRun, item: SiteRevision) -> _Entry:
    revision = item.revision
    summary = _headline(run)
    correction = revision.correction
    is_new = correction is not None and not _is_carried(run, item)
    if correction is not None and is_new:
        said = say_correction(correction)
        summary = f"This report {said}. What changed: {correction.changed} Why: {correction.reason} {summary}"
    return _Entry(
        key=f"{run.run.seal}/revision/{revision.number}",
        updated=revision.generated_at,
        kind="correction" if is_new else "report",
        title=f"{'Correction' if is_new else 'Report'}: {_name(run)}, revision {revision.number}",
        summary=summary,
        href=item.files[0],
    )


def _is_carried(run: SiteRun, item: SiteRevision) -> bool:
    """Whether the correction is that of the revision before, which this one merely keeps."""
    before = item.revision.number - 2
    return before >= 0 and run.revisions[before].revision.correction == item.revision.correction


def _name(run: SiteRun) -> str:
    return f"{print_period(run.first, run.last, run.run.manifest.timezone)} ({run.run.manifest.run_id})"


def _headline(run: SiteRun) -> str:
    if not run.stands:
        return "This report no longer stands."
    mean, rubric = run.run.summary.mean, run.run.rubric
    if run.run.summary.metrics is not None:
        means = say_means(run.run.summary, rubric, bounded=True)
        return f"Means in percent of their scale, with 95 % intervals: {means}." if means else "No metric has a mean."
    if mean.value is None:
        return f"No mean score: {mean.undefined}."
    interval = print_interval(mean, rubric)
    bounds = f"95 % interval {interval}" if mean.low is not None else f"no interval: {interval}"
    return f"Mean score {print_score(mean.value, rubric)} out of 100, {bounds}."


def _add_entry(feed: ET.Element, entry: _Entry, site: Site) -> None:
    element = ET.SubElement(feed, "entry")
    _add(element, "id", entry.id)
    _add(element, "title", entry.title)
    _add(element, "updated", _print(entry.updated))
    _add(element, "summary", entry.summary)
    ET.SubElement(element, "category", {"term": entry.kind})
    ET.SubElement(element, "link", {"rel": "alternate", "href": _address(site, entry.href)})


def _add(parent: ET.Element, name: str, text: str) -> None:
    """Titles and summaries are plain text by default; XML escapes them."""
    ET.SubElement(parent, name).text = clean(text)


def _address(site: Site, path: str) -> str:
    return f"{site.base or ''}{path}"


def _print(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
