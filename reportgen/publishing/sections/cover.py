"""The cover: whose report, over which time, the headline figure, and what qualifies it."""

from typing import Any

from reportgen.analysis.strata import NO_LABEL
from reportgen.model.audience import Audience, audience_of
from reportgen.publishing.charts import build_scale
from reportgen.publishing.denominators import say_denominators
from reportgen.publishing.headlines import build_headline, say_bounds
from reportgen.publishing.metrics import view_metrics
from reportgen.publishing.printing import (
    plural,
    print_interval,
    print_moment,
    print_period,
    print_score,
    print_units,
    say_mean,
)
from reportgen.publishing.report import Report
from reportgen.publishing.standings import say_correction, say_standing
from reportgen.publishing.text import clean, shorten

TITLE = "Cover"

_NAME_SHOWN = 120
_LONG = 40
"""Names with more letters than this are set smaller."""


def build(report: Report) -> dict[str, Any]:
    """What the cover says, and in the browser the head of the page."""
    run, summary = report.run, report.findings.summary
    mean = summary.mean
    client = name_client(report)
    overridden = len(report.look.overrides.files)
    return {
        "brand": report.look.brand,
        "overridden": plural(overridden, "template") if overridden else None,
        "kind": clean(report.title),
        "client": client,
        "long": len(client or "") > _LONG,
        "period": print_period(report.findings.first, report.findings.last, run.manifest.timezone),
        "mean": None if mean.value is None else print_score(mean.value, run.rubric),
        "interval": print_interval(mean, run.rubric) if mean.low is not None else None,
        "no_interval": mean.undefined,
        "units": print_units(mean) if mean.low is not None else None,
        "bounds": say_bounds(summary, run.rubric),
        "scale": build_scale(mean, run.rubric.bands),
        "scale_says": say_mean(mean, run.rubric),
        "metrics": [build_headline(dimension, view) for dimension, view in view_metrics(report)],
        "counts": say_denominators(run.manifest.capture, summary.scored, report.findings.sampling),
        "judge": clean(run.manifest.judge.name),
        "rubric": f"{run.rubric.title} ({run.rubric.id}-{run.rubric.version})",
        "audience": _name_audience(audience_of(run.manifest)),
        "run": clean(run.manifest.run_id),
        "parent": clean(f"{parent.run} ({parent.relation})") if (parent := run.manifest.parent) else None,
        "generated": f"{print_moment(report.generated_at)}; revision {report.revision.number}",
        "standing": _standing(report),
        "correction": _correction(report),
        "seal": run.seal,
        "caveats": [clean(caveat.sentence) for caveat in report.findings.caveats],
    }


def _name_audience(audience: Audience) -> str:
    """For whom the report is."""
    return f"For {shorten(audience.client, _NAME_SHOWN)}" if audience.client else audience.kind.capitalize()


def _standing(report: Report) -> dict[str, Any] | None:
    """What has become of a revision that is not the current one."""
    standing = report.standing
    if standing is None:
        return None
    said = say_standing(standing)
    return {
        "state": standing.state,
        "said": f"This revision was {said}.",
        "changed": clean(standing.changed) if standing.changed else None,
        "reason": clean(standing.reason) if standing.reason else None,
    }


def _correction(report: Report) -> dict[str, str] | None:
    """What this report corrects."""
    correction = report.revision.correction
    if correction is None:
        return None
    return {
        "said": f"This report {say_correction(correction)}.",
        "changed": clean(correction.changed),
        "reason": clean(correction.reason),
    }


def name_client(report: Report) -> str | None:
    """The client, where all turns are of one."""
    for breakdown in report.findings.breakdowns:
        values = [stratum.value for stratum in breakdown.strata]
        if breakdown.label == "client" and len(values) == 1 and values[0] != NO_LABEL:
            return str(shorten(values[0], _NAME_SHOWN))
    return None
