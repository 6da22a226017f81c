"""The cover: whose report, over which time, the headline figure, and what qualifies it."""

from typing import Any

from reportgen.analysis.strata import NO_LABEL
from reportgen.publishing.charts import build_scale
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
from reportgen.publishing.sections.summary import say_bounds
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
        "period": print_period(report.findings.first, report.findings.last),
        "mean": None if mean.value is None else print_score(mean.value, run.rubric),
        "interval": print_interval(mean, run.rubric) if mean.low is not None else None,
        "no_interval": mean.undefined,
        "units": print_units(mean) if mean.low is not None else None,
        "bounds": say_bounds(summary, run.rubric),
        "scale": build_scale(mean, run.rubric.bands),
        "scale_says": say_mean(mean, run.rubric),
        "counts": f"{plural(summary.scored, 'turn')} scored of {plural(summary.turns, 'turn')} captured",
        "judge": clean(run.manifest.judge.name),
        "rubric": f"{run.rubric.title} ({run.rubric.id}-{run.rubric.version})",
        "run": clean(run.manifest.run_id),
        "parent": clean(f"{parent.run} ({parent.relation})") if (parent := run.manifest.parent) else None,
        "generated": print_moment(report.generated_at),
        "seal": run.seal,
        "caveats": [clean(caveat.sentence) for caveat in report.findings.caveats],
    }


def name_client(report: Report) -> str | None:
    """The client, where all turns are of one."""
    for breakdown in report.findings.breakdowns:
        values = [stratum.value for stratum in breakdown.strata]
        if breakdown.label == "client" and len(values) == 1 and values[0] != NO_LABEL:
            return str(shorten(values[0], _NAME_SHOWN))
    return None
