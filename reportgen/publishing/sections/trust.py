"""Tests of the judge: canaries, attempts to address it, repeated readings, the judges of a panel, probes."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from reportgen.analysis.judge_change import find_change
from reportgen.analysis.noise import Figure, JudgeNoise
from reportgen.analysis.panel import PanelJudge
from reportgen.analysis.probes import ProbeResult
from reportgen.analysis.readings import ReadingCheck
from reportgen.analysis.spending import RECORDED
from reportgen.analysis.turn_lists import Addressed
from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate, MetricSummary, Summary
from reportgen.publishing.canaries import build_canaries
from reportgen.publishing.judge_checks import (
    print_margin,
    print_shifts,
    say_asked,
    say_change,
    say_check,
    say_runs,
)
from reportgen.publishing.links import LINKS_SHOWN, count_more
from reportgen.publishing.outcomes import OUTCOMES
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_interval,
    print_moment,
    print_points,
    print_score,
    print_share,
    print_share_interval,
    print_signed,
    print_signed_interval,
    print_units,
    stored,
)
from reportgen.publishing.report import Report
from reportgen.publishing.text import clean, shorten

TITLE = "Tests of the judge"

_PROBES = {
    "order": "Evidence in another order: mean change of {name}, in points",
    "length": "Length of the answer: rank correlation with {name} (Spearman’s rho, from \u22121 to 1)",
}
_ENDS = (-1, 0, 1)
"""Of a correlation; they and 0 are printed only where they are reached."""
_SOURCES = {
    "readings": "Asked several times about a turn",
    "equal-turns": "Turns of equal question, trajectory and answer",
}


def build(report: Report) -> dict[str, Any]:
    """The figures of each test, and a line for each canary and each turn that addresses a grader."""
    findings, rubric = report.findings, report.run.rubric
    addressed = findings.addressed
    return {
        "canaries": build_canaries(findings.canaries, rubric),
        "addressed": [_addressed(item, report) for item in addressed[:LINKS_SHOWN]],
        "addressed_more": count_more(addressed),
        "turns": findings.summary.turns > 0,
        "readings": _readings(findings.readings),
        "noise": [_noise(item, "") for item in findings.noise]
        + [_noise(item, metric.name) for metric in findings.metrics for item in metric.noise],
        "panel": bool(findings.panel),
        "panels": _panels(report) if findings.panel else [],
        "change": _change(report),
        "checks": [_check(check) for check in report.revision.checks or ()],
        "probes": [row for result in findings.probes for row in _probes(result, rubric)],
    }


def _panels(report: Report) -> list[dict[str, Any]]:
    """Each judge alone beside the panel: by the score, or metric by metric."""
    findings, rubric = report.findings, report.run.rubric
    if rubric.has_composite:
        return [_panel(None, findings.panel, findings.summary, rubric)]
    pairs = zip(findings.metrics, findings.summary.metrics or (), strict=True)
    return [_panel(metric.name, metric.panel, item, rubric) for metric, item in pairs]


def _panel(
    name: str | None, judges: Sequence[PanelJudge], summary: Summary | MetricSummary, rubric: Rubric
) -> dict[str, Any]:
    return {
        "name": name,
        "judges": [_panel_judge(judge, rubric) for judge in judges],
        "mean": print_score(summary.mean.value, rubric),
        "interval": print_interval(summary.mean, rubric),
        "units": print_units(summary.mean),
        "scored": print_count(summary.scored),
    }


def _change(report: Report) -> str | None:
    """Whether the judge is that of the run before; None where nobody was asked, so that there is no run before."""
    manifest = report.run.manifest
    if manifest.judge.provider == RECORDED:
        return None
    change = find_change(manifest, report.revision.checks or ())
    return clean(say_change(change, has_predecessor=manifest.predecessor is not None))


def _check(check: AnchorCheck) -> dict[str, Any]:
    """One check of the judge on frozen anchors."""
    runs = say_runs(check)
    return {
        "before": clean(say_asked(check.before)),
        "after": clean(say_asked(check.after)),
        "at": print_moment(check.at),
        "runs": clean(runs) if runs else None,
        "state": check.drift.state,
        "margin": print_margin(check.margin),
        "parts": [[clean(cell) for cell in cells] for cells in print_shifts(check.drift)],
        "said": [clean(line) for line in say_check(check)],
    }


def _addressed(item: Addressed, report: Report) -> dict[str, str]:
    return {
        "href": report.href(item.turn),
        "id": str(shorten(item.turn, 80)),
        "places": ", ".join(item.places) or "not found",
        "reported": "reported" if item.reported else "not reported",
        "who": "both" if item.places and item.reported else "program" if item.places else "judge",
    }


def _readings(check: ReadingCheck) -> dict[str, Any]:
    failures = [f"{OUTCOMES.get(name, name)} ({print_count(count)})" for name, count in check.failures.items()]
    return {
        "once": plural(check.once, "turn"),
        "some_once": check.once > 0,
        "samples": None if check.samples is None else print_count(check.samples),
        "repeated": plural(check.repeated, "turn"),
        "compared": plural(check.compared, "turn"),
        "comparable": check.compared > 0,
        "differing": print_count(check.differing),
        "failures": failures,
    }


def _panel_judge(judge: PanelJudge, rubric: Rubric) -> dict[str, str]:
    return {
        "judge": clean(judge.judge),
        "effort": judge.effort or "not set",
        "run": clean(judge.run),
        "seal": judge.seal,
        "scored": print_count(judge.scored),
        "mean": print_score(judge.mean.value, rubric),
        "interval": print_interval(judge.mean, rubric),
        "units": print_units(judge.mean),
    }


def _probes(result: ProbeResult, rubric: Rubric) -> list[dict[str, str | None]]:
    """A line for the probe, or one for each metric."""
    if rubric.has_composite:
        return [_probe(result, "the score", result.estimate, result.flips)]
    return [_probe(result, rubric.dimension(item.dimension).name, item.estimate, item.flips) for item in result.metrics]


def _probe(result: ProbeResult, name: str, estimate: Estimate, flips: int | None) -> dict[str, str | None]:
    return {
        "what": _PROBES[result.kind].format(name=name),
        "value": print_signed(estimate.value, 2, _ENDS),
        "interval": print_signed_interval(estimate, 2, _ENDS),
        "n": print_count(estimate.n),
        "flips": NONE if flips is None else print_count(flips),
        "failed": plural(result.failed, "turn") if result.failed else None,
        "at": print_moment(result.asked_at),
    }


def _stored(figure: Figure) -> Fraction | None:
    return None if figure.value is None else stored(figure.value)


def _noise(noise: JudgeNoise, metric: str) -> dict[str, str | None]:
    """The judge's noise by one source, of the score or of a metric."""
    correlation, share = noise.correlation, noise.headline_share
    return {
        "source": f"{metric}: {_SOURCES[noise.source].lower()}" if metric else _SOURCES[noise.source],
        "turns": print_count(noise.turns),
        "readings": print_count(noise.readings),
        "changed": print_count(noise.changed),
        "deviation": print_points(noise.deviation),
        "repeatability": print_points(noise.repeatability),
        "flips": print_share(noise.flips.value),
        "flips_interval": print_share_interval(noise.flips),
        "correlation": correlation.undefined or print_signed(_stored(correlation), 2, _ENDS),
        "share": share.undefined or print_share(_stored(share)),
        "unseen": None if noise.unseen is None else print_share(stored(noise.unseen)),
    }
