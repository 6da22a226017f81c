"""The summary of a run in Markdown, for a pull request or a chat."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, BinaryIO

from jinja2 import Environment, TemplateError

from reportgen.analysis.findings import Findings
from reportgen.analysis.gates import GateResult
from reportgen.errors import RenderError
from reportgen.model.rubric import Rubric
from reportgen.model.run import BandShare, Estimate, MetricSummary, RunFile
from reportgen.model.score import Score
from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.inert_markdown import as_code, escape_markdown
from reportgen.publishing.exports.table import Pair
from reportgen.publishing.gates import say_demand, say_finding
from reportgen.publishing.look.overrides import Overrides, place
from reportgen.publishing.printing import (
    plural,
    print_count,
    print_interval,
    print_percents,
    print_period,
    print_score,
)
from reportgen.publishing.templating import build_environment
from reportgen.scoring.metrics import score_alone

_TEMPLATE = "exports/summary.md"


def write_summary(export: Export, file: BinaryIO) -> None:
    """Writes the summary.

    Raises:
        RenderError: A template of the user's own in its place is wrong.
    """
    findings, gates = export.conclude()
    context = {
        **_describe_run(export.run),
        **_describe_figures(findings, export.run),
        "metrics": [_describe_metric(item, export.run.rubric) for item in findings.summary.metrics or ()],
        "gates": [_describe_gate(result, export.run.rubric) for result in gates],
        "caveats": [(caveat.slug, caveat.sentence) for caveat in findings.caveats],
        "worst": _find_worst(export, findings),
        "worst_by": _name_worst(export.run.rubric),
    }
    try:
        text = _environment(export.overrides).get_template(_TEMPLATE).render(context)
    except (TemplateError, TypeError, ValueError, AttributeError, LookupError) as error:
        message = f"{place(export.overrides, _TEMPLATE)} cannot be rendered: {error}"
        raise RenderError(message, "Correct the template, or take it out.") from error
    file.write(f"{text}\n".encode())


@cache
def _environment(overrides: Overrides) -> Environment:
    environment = build_environment(overrides, autoescape=False, show=escape_markdown)
    environment.filters["code"] = as_code
    return environment


def _describe_run(run: RunFile) -> dict[str, Any]:
    manifest = run.manifest
    return {
        "run": manifest.run_id,
        "seal": run.seal,
        "judge": manifest.judge.name,
        "effort": manifest.judge.effort,
        "rubric": f"{manifest.rubric}-{manifest.rubric_version}",
        "rubric_digest": f"sha256:{manifest.rubric_digest[:16]}",
    }


def _describe_figures(findings: Findings, run: RunFile) -> dict[str, Any]:
    summary, rubric = findings.summary, run.rubric
    return {
        **_describe_mean(summary.mean, rubric),
        "bands": _describe_bands(summary.bands) if summary.scored and rubric.has_composite else [],
        "period": print_period(findings.first, findings.last, run.manifest.timezone),
        **_describe_coverage(findings),
    }


def _describe_metric(item: MetricSummary, rubric: Rubric) -> dict[str, Any]:
    return {
        "name": rubric.dimension(item.dimension).name,
        **_describe_mean(item.mean, rubric),
        "bands": _describe_bands(item.bands) if item.scored else [],
        "scored": print_count(item.scored),
        "unscored": [(reason, print_count(count)) for reason, count in item.unscored.items()],
    }


def _describe_mean(mean: Estimate, rubric: Rubric) -> dict[str, Any]:
    return {
        "mean": None if mean.value is None else print_score(mean.value, rubric),
        "interval": None if mean.low is None else print_interval(mean, rubric),
        "undefined": mean.undefined,
    }


def _describe_bands(bands: Sequence[BandShare]) -> list[tuple[str, str, str]]:
    percents = print_percents([share.share.value or Fraction(0) for share in bands])
    pairs = zip(bands, percents, strict=True)
    return [(share.band, percent, plural(share.count, "turn")) for share, percent in pairs]


def _describe_coverage(findings: Findings) -> dict[str, Any]:
    """How many turns were scored; why others were not, or by a rubric without a composite why judge calls failed."""
    summary = findings.summary
    unscored = summary.unscored if summary.metrics is None else findings.failed_calls
    return {
        "turns": plural(summary.turns, "turn"),
        "scored": print_count(summary.scored),
        "unscored": [(reason, print_count(count)) for reason, count in unscored.items()],
    }


def _describe_gate(result: GateResult, rubric: Rubric) -> tuple[str, str, str]:
    return result.state, say_demand(result), say_finding(result, rubric)


def _find_worst(export: Export, findings: Findings) -> list[tuple[str, str, str, list[str]]]:
    """The lowest turns in order: id, score, band, and the caps that lowered it.

    By a rubric without a composite they are the lowest by the metric that orders the worst, with its value and band.
    """
    rubric, worst = export.run.rubric, findings.worst
    if rubric.worst_by is not None:
        worst = next(item.worst for item in findings.metrics if item.dimension == rubric.worst_by)
    scores = {pair.turn.id: _score_of(pair, rubric) for pair in export.pairs() if pair.turn.id in worst}
    return [
        (
            turn,
            print_score(scores[turn].score, export.run.rubric),
            scores[turn].band or "",
            [cap.id for cap in scores[turn].caps if cap.lowered],
        )
        for turn in worst
    ]


def _name_worst(rubric: Rubric) -> str | None:
    return rubric.dimension(rubric.worst_by).name if rubric.worst_by else None


def _score_of(pair: Pair, rubric: Rubric) -> Score:
    if rubric.worst_by is None:
        return pair.score
    return score_alone(pair.score, rubric.dimension(rubric.worst_by), rubric)
