"""The one page of a site."""

from collections.abc import Iterator
from typing import Any

from reportgen.model.audience import Audience
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate, RunFile
from reportgen.publishing.assets import dress_site
from reportgen.publishing.denominators import say_denominators
from reportgen.publishing.document import LANGUAGE
from reportgen.publishing.printing import (
    plural,
    print_interval,
    print_moment,
    print_period,
    print_score,
)
from reportgen.publishing.site.content import Site, SiteRevision, SiteRun, run_key
from reportgen.publishing.site.feed import NAME as FEED
from reportgen.publishing.site.series import build_trends
from reportgen.publishing.standings import say_correction, say_standing
from reportgen.publishing.templating import render_template
from reportgen.publishing.text import clean

INDEX = "index.html"


def render_index(site: Site) -> Iterator[str]:
    """The page: trend, runs from the newest to the oldest, downloads.

    Raises:
        RenderError: A template of the user's own is wrong.
    """
    context = {
        "language": LANGUAGE,
        "brand": site.look.brand,
        "kind": clean(site.title),
        "client": clean(site.audience.client or ""),
        "title": clean(site.title),
        "run": "",
        "program": site.program,
        "generated": site.updated.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "embedded": None,
        **dress_site(site.look),
        "audience": _say_audience(site.audience),
        "counts": plural(len(site.runs), "run"),
        "updated": print_moment(site.updated),
        "feed": FEED,
        "trends": build_trends(site.runs),
        "has_metrics": any(not run.run.rubric.has_composite for run in site.runs),
        "runs": [_run(run) for run in reversed(site.runs)],
    }
    return render_template("site.html", context, site.look.overrides)


def _say_audience(audience: Audience) -> str:
    if audience.kind == "internal":
        return "Internal: these reports show captured turns as they are and are not for publication."
    if audience.kind == "client":
        return clean(f"For the client {audience.client} only.")
    return "For the public."


def _run(run: SiteRun) -> dict[str, Any]:
    rubric, manifest = run.run.rubric, run.run.manifest
    return {
        "anchor": f"run-{run_key(manifest.run_id)}",
        "period": print_period(run.first, run.last, manifest.timezone),
        "id": clean(manifest.run_id),
        "stands": run.stands,
        "means": [_mean(name, mean, rubric) for name, mean in _list_means(run.run)],
        "worst_by": rubric.dimension(rubric.worst_by).name if rubric.worst_by else None,
        "scored": say_denominators(manifest.capture, run.run.summary.scored, run.sampling),
        "judge": clean(manifest.judge.name),
        "rubric": f"{rubric.id}-{rubric.version}",
        "seal": run.run.seal,
        "worst": [_worst(turn, run.latest) for turn in run.worst],
        "revisions": [_revision(item) for item in reversed(run.revisions)],
        "data": [(path, path.rpartition("/")[2]) for path in run.data],
    }


def _list_means(run: RunFile) -> list[tuple[str | None, Estimate]]:
    """The mean of the run, or that of each metric under its name."""
    if run.summary.metrics is None:
        return [(None, run.summary.mean)]
    return [(run.rubric.dimension(item.dimension).name, item.mean) for item in run.summary.metrics]


def _mean(name: str | None, mean: Estimate, rubric: Rubric) -> dict[str, Any]:
    return {
        "name": name,
        "mean": print_score(mean.value, rubric) if mean.value is not None else None,
        "interval": print_interval(mean, rubric),
        "bounded": mean.low is not None,
    }


def _worst(turn: dict[str, Any], latest: SiteRevision) -> dict[str, Any]:
    """A turn with a link into the report, where that is a page."""
    page = latest.files[0]
    return {**turn, "href": f"{page}{turn['href']}" if page.endswith(".html") else None}


def _revision(item: SiteRevision) -> dict[str, Any]:
    revision, standing = item.revision, item.standing
    return {
        "number": str(revision.number),
        "generated": print_moment(revision.generated_at),
        "state": standing.state if standing else "current",
        "standing": say_standing(standing) if standing else "current",
        "reason": clean(standing.reason) if standing and standing.reason else None,
        "correction": say_correction(revision.correction) if revision.correction else None,
        "changed": clean(revision.correction.changed) if revision.correction else None,
        "notes": clean(revision.notes.signed) if revision.notes else None,
        "files": [(path, _name_file(path)) for path in item.files],
    }


def _name_file(path: str) -> str:
    """What a download is called: its format, and of a PDF the volume.

    >>> _name_file("reports/july/1/report-volume-2.pdf"), _name_file("reports/july/1/report/index.html")
    ('PDF, volume 2', 'HTML')
    """
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    volume = stem.rpartition("-volume-")[2] if "-volume-" in stem else None
    return f"{suffix.upper()}, volume {volume}" if volume else suffix.upper()
