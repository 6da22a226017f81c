"""The report of one metric alone: by a rubric without a composite each dimension has all that a score has."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.analysis.metrics import Metric
from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.run import MetricSummary
from reportgen.publishing.report import Report, TurnEntry
from reportgen.scoring.metrics import score_alone


def view_metrics(report: Report) -> list[tuple[Dimension, Report]]:
    """Each metric of the report, with a report in which its value, in percent of its scale, is the score of a turn."""
    summaries = report.findings.summary.metrics or ()
    pairs = zip(summaries, report.findings.metrics, strict=True)
    return [(report.run.rubric.dimension(item.dimension), _view(report, item, metric)) for item, metric in pairs]


def view_worst(report: Report) -> Report:
    """The report by the score, or by the metric whose lowest values make the worst turns."""
    by = report.run.rubric.worst_by
    return next((view for dimension, view in view_metrics(report) if dimension.id == by), report)


def _view(report: Report, item: MetricSummary, metric: Metric) -> Report:
    dimension = report.run.rubric.dimension(item.dimension)
    figures = {name: getattr(item, name) for name in ("scored", "unscored", "mean", "bound_low", "bound_high", "bands")}
    findings = replace(
        report.findings,
        summary=report.findings.summary.model_copy(update=figures),
        scores=metric.scores,
        distribution=metric.distribution,
        breakdowns=metric.breakdowns,
        trend=replace(report.findings.trend, days=metric.days, runs=metric.runs),
        worst=metric.worst,
        unscored=metric.unscored,
    )
    run = report.run.model_copy(update={"rubric": _rubric_of(dimension, report.run.rubric)})
    return replace(report, run=run, findings=findings, turns=lambda: _view_turns(report, dimension))


def _rubric_of(dimension: Dimension, rubric: Rubric) -> Rubric:
    """The rubric as if that dimension were all of it."""
    calls = tuple(call for call in rubric.calls if dimension.id in call.scores)
    whole = dimension.model_copy(update={"weight": 100})
    return rubric.model_copy(update={"composite": None, "quadrants": None, "dimensions": (whole,), "calls": calls})


def _view_turns(report: Report, dimension: Dimension) -> Iterator[TurnEntry]:
    """What the judge said of that dimension goes first."""
    asked = {call.id for call in report.run.rubric.calls if dimension.id in call.scores}
    for entry in report.turns():
        verdicts = tuple(sorted(entry.verdicts, key=lambda verdict: verdict.call not in asked))
        score = score_alone(entry.score, dimension, report.run.rubric)
        yield replace(entry, verdicts=verdicts, score=score, first_weak=None)
