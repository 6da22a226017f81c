"""The summary: the headline figures on one page, with all that they rest on."""

from fractions import Fraction
from typing import Any

from reportgen.analysis.figure_check.error_rate import FigureCheck
from reportgen.analysis.findings import Findings
from reportgen.analysis.trend.regressions import find_regressions
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.publishing.changes import cut_name, name_marked, say_mean_briefly
from reportgen.publishing.charts import build_scale
from reportgen.publishing.figures import has_rows, leaves_unread, name_fetched
from reportgen.publishing.headlines import build_headline, say_bounds
from reportgen.publishing.metrics import view_metrics
from reportgen.publishing.outcomes import OUTCOMES
from reportgen.publishing.printing import (
    plural,
    print_count,
    print_interval,
    print_percents,
    print_score,
    print_share_interval,
    print_units,
    say_mean,
)
from reportgen.publishing.prose import render_family, render_prose
from reportgen.publishing.report import Report
from reportgen.publishing.sections.quadrants import build_corners
from reportgen.publishing.text import end_sentence, shorten

TITLE = "Summary"


_CAVEATS_SHOWN = 3
_REASONS_SHOWN = 3
_ID_SHOWN = 40
_CAVEAT_SHOWN = 120


def build(report: Report) -> dict[str, Any]:
    """What stands on the one page: each part of it is bounded, whatever the run holds."""
    summary, rubric = report.findings.summary, report.run.rubric
    return {
        "mean": _mean(summary.mean, report),
        "scale": build_scale(summary.mean, rubric.bands),
        "scale_says": say_mean(summary.mean, rubric),
        "scored": f"{print_count(summary.scored)} of {plural(summary.turns, 'judged turn')}",
        "bounds": say_bounds(summary, rubric),
        "median": None if summary.mean.value is None else say_median(report.findings.scores.median, rubric),
        "basis": say_basis(summary.mean),
        "bands": _bands(report),
        "weighted": report.findings.sampling is not None,
        "metrics": [build_headline(dimension, view) for dimension, view in view_metrics(report)],
        "corners": build_corners(report),
        "texts": render_family("summary", report),
        "weak": _WEAK,
        "covered": _COVERED,
        "changed": _CHANGED,
        "changes": _changes(report),
        "lowest": _lowest(report),
        "unscored": _unscored(report.findings),
        "caveats": [_first_sentence(caveat.sentence) for caveat in report.findings.caveats[:_CAVEATS_SHOWN]],
        "caveats_more": _more(len(report.findings.caveats) - _CAVEATS_SHOWN),
        "figures": _say_figures(report.findings.figures, name_fetched(report.findings.limitations)),
        "notice": render_prose("notice", report).html,
    }


_WEAK, _COVERED, _CHANGED = "summary/3-weak", "summary/4-covered", "summary/6-changed"
"""The texts to which the links of a turn and the reasons are added, since captured text never stands in prose."""


def _changes(report: Report) -> str | None:
    """What the run is held against, in short sentences; None where it is held against nothing."""
    said, found = [], report.findings.comparison
    if found is not None:
        said.append(say_mean_briefly(found, report.run.rubric))
        said += _few("Also changed", [name for name, _ in name_marked(found)])
    fell = find_regressions(report.findings.trend, report.findings.metrics)
    said += _few("Below the series", [item.title for item in fell])
    return " ".join(said) or None


def _few(what: str, names: list[str]) -> list[str]:
    """The first of the names, and how many more; nothing where there is none."""
    if not names:
        return []
    more = f" and {print_count(len(names) - 1)} more" if len(names) > 1 else ""
    return [end_sentence(f"{what}: {cut_name(names[0])}{more}")]


def _unscored(findings: Findings) -> list[str]:
    """The most frequent reasons, of turns or of judge calls; the cover's caveat has each of them."""
    by = findings.summary.unscored if findings.summary.metrics is None else findings.failed_calls
    reasons = sorted(by.items(), key=lambda item: -item[1])
    shown = [f"{OUTCOMES.get(outcome, outcome)} ({print_count(count)})" for outcome, count in reasons[:_REASONS_SHOWN]]
    rest = sum(count for _, count in reasons[_REASONS_SHOWN:])
    return [*shown, f"other reasons ({print_count(rest)})"] if rest else shown


def _first_sentence(text: str) -> str:
    """What matters most of a caveat; the cover has it in full."""
    first, stop, _ = text.partition(". ")
    return str(shorten(first + stop.rstrip(), _CAVEAT_SHOWN))


def _more(count: int) -> str | None:
    return plural(count, "caveat") if count > 0 else None


def _mean(estimate: Estimate, report: Report) -> dict[str, Any]:
    rubric = report.run.rubric
    return {
        "value": print_score(estimate.value, rubric),
        "interval": print_interval(estimate, rubric),
        "known": estimate.value is not None,
        "bounded": estimate.low is not None,
    }


def say_basis(estimate: Estimate) -> str:
    """What a mean and its interval rest on, in a sentence."""
    if estimate.value is None:
        return f"There is no mean: {estimate.undefined}."
    basis = f"The mean is over {plural(estimate.n, 'scored turn')}."
    if estimate.low is None:
        return f"{basis} There is no interval: {estimate.undefined}."
    units, _, freedom = print_units(estimate).partition(", ")
    return (
        f"{basis} The 95\u00a0% intervals take {units} as independent of one another, {freedom}; that of the mean says "
        "how far it could move with other turns of the same kind, not with another judge."
    )


def say_median(median: Estimate, rubric: Rubric) -> str:
    """The median with its interval, or why it has none."""
    interval = print_interval(median, rubric)
    bounded = f"95\u00a0% interval {interval}" if median.low is not None else f"no interval: {interval}"
    return f"Median {print_score(median.value, rubric)}, {bounded}"


def _bands(report: Report) -> list[dict[str, str]]:
    bands = report.findings.summary.bands
    means = {band.id: band.means for band in report.run.rubric.bands}
    percents = print_percents([band.share.value or Fraction(0) for band in bands])
    return [
        {
            "id": band.band,
            "count": print_count(band.count),
            "percent": percent,
            "interval": print_share_interval(band.share),
            "means": means[band.band],
        }
        for band, percent in zip(bands, percents, strict=True)
    ]


def _say_figures(check: FigureCheck, fetched: str) -> str | None:
    """The figure check in a sentence or two; None where no figure was looked up, unless a way was switched off."""
    total = check.found + check.derived + check.not_found
    unread = check.unchecked_figures if leaves_unread(check, fetched) else 0
    if not total:
        return f"{plural(unread, 'figure')} in the answers could not be checked: {_UNREAD}" if unread else None
    found, derived, lost = map(print_count, (check.found, check.derived, check.not_found))
    of_rows = f", derived {derived} from them," if has_rows(fetched) else ""
    said = f"Of {plural(total, 'figure')} in the answers, a program found {found} in the captured {fetched}{of_rows}"
    said += f" and did not find {lost}."
    return f"{said} {print_count(unread)} more could not be checked: {_UNREAD}" if unread else said


_UNREAD = (
    "their turns have no rows, and looking in the texts of passages is switched off in this run, since too many "
    "figures meet there by chance."
)


def _lowest(report: Report) -> dict[str, Any] | None:
    lowest = report.findings.summary.lowest
    if lowest is None:
        return None
    return {
        "score": print_score(lowest.score, report.run.rubric),
        "href": report.href(lowest.turn),
        "id": str(shorten(lowest.turn, _ID_SHOWN)),
        "caps": list(lowest.caps),
    }
