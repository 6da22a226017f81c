"""The summary stands alone on one page of the PDF, whatever the run holds."""

import re
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pypdfium2
import pytest

from reportgen.analysis.caveats import Caveat
from reportgen.analysis.comparison.comparing import compare_runs
from reportgen.analysis.comparison.sides import build_side
from reportgen.analysis.trend.building import Trend
from reportgen.analysis.trend.days import DayPoint, Days
from reportgen.analysis.trend.runs import RunPoint
from reportgen.analysis.trend.series import Expectation
from reportgen.analysis.trend.slope import estimate_slope
from reportgen.model.revision import Baseline
from reportgen.model.run import Estimate, Parent
from reportgen.publishing.paper.documents import render_front
from reportgen.publishing.sections import summary
from tests.publishing.conftest import make_failure, make_report, make_turn, make_verdict
from tests.publishing.metric_cases import make_metric_cases, make_metric_report
from tests.publishing.pages import render_pdf

LONG = "A label with many letters "


def long_turn(number):
    labels = {"client": LONG * 7, "region": LONG * 7}
    return make_turn(number, id=f"{'long-id-' * 12}{number}", labels=labels)


def make_cases(kind):
    if kind == "no turn":
        return []
    if kind == "one turn":
        return [(make_turn(1), make_verdict(make_turn(1)))]
    if kind == "no score":
        return [(make_turn(number), make_failure(make_turn(number))) for number in range(1, 5)]
    turns = [long_turn(number) for number in range(1, 30)]
    outcomes = ("refused", "truncated", "invalid", "empty", "request_error", "gave_up")
    failed = [
        (turn, make_failure(turn).model_copy(update={"outcome": how}))
        for turn, how in zip(turns[:6], outcomes, strict=True)
    ]
    return failed + [(turn, make_verdict(turn, (9, 9 - n % 5, n % 10, n % 9))) for n, turn in enumerate(turns[6:])]


def make_crowded_report():
    """A report in which all that the summary may hold is there, and long."""
    report = crowd(make_report(make_cases("everything")))
    findings = replace(report.findings, trend=make_trend(), comparison=make_comparison(report))
    return replace(report, findings=findings)


def crowd(report):
    caveats = tuple(Caveat(f"c-{number}", LONG * 20) for number in range(12))
    parent = Parent(run="a-run", seal="0" * 64, relation="rejudged")
    capture = report.run.manifest.capture.model_copy(update={"set_aside": 12_345, "beyond_limit": 67_890})
    manifest = report.run.manifest.model_copy(update={"parent": parent, "capture": capture})
    run = report.run.model_copy(update={"manifest": manifest})
    return replace(report, run=run, findings=replace(report.findings, caveats=caveats))


def make_comparison(report):
    """Of runs with long names, in which everything differs."""
    rows = [entry.row for entry in report.turns()]
    side = build_side(rows, report.run.manifest)
    worse = [turn.model_copy(update={"score": turn.score and turn.score / 2}) for turn in side.turns]
    baseline = Baseline(
        run="a-run-" * 20, seal="0" * 64, instrument=side.instrument, agents=side.agents, turns=tuple(worse)
    )
    return compare_runs(baseline, side, report.run.rubric)


def make_trend():
    """Each of many days and runs fell."""
    fell = Expectation(expected=90, lowest=85, earlier=9, p_value=0, fell=True)
    mean = Estimate(value=Fraction(1), n=9)
    days = [DayPoint(date(2026, 7, day), 0, 9, 9, mean, None, 0, fell) for day in range(1, 20)]
    run = RunPoint("a-run-" * 20, None, None, 9, 9, mean, mean, (), fell)
    return Trend(Days(tuple(days), 0, None, estimate_slope([])), (run,) * 9)


def read_pages(report, names):
    document = pypdfium2.PdfDocument(render_pdf(render_front(report, names)))
    return [page.get_textpage().get_text_bounded() for page in document]


def make_metric_reports(kind):
    report = make_metric_report([] if kind == "metrics, no turn" else make_metric_cases())
    return crowd(report) if kind == "metrics, everything" else report


@pytest.mark.parametrize(
    "kind",
    ["no turn", "one turn", "no score", "everything", "metrics, no turn", "metrics, everything"],
)
def test_the_summary_takes_exactly_one_page(kind):
    if kind.startswith("metrics"):
        report = make_metric_reports(kind)
    else:
        report = make_crowded_report() if kind == "everything" else make_report(make_cases(kind))
    pages = read_pages(report, ["cover", "summary", "distribution"])
    summary = next(number for number, page in enumerate(pages) if "What was measured" in page)
    assert "with this run's own figures" in re.sub(r"\s+", " ", pages[summary])
    assert "Contents" in pages[summary + 1]


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("Context relevance", "Below the series: day 2026-07-01, Context relevance."),
        ("A metric whose name is long", "Below the series: day 2026-07-01, A metric whose name is…"),
    ],
)
def test_a_sentence_ends_once_also_where_it_ends_with_a_name_that_was_cut(metric, said):
    report, days = make_metric_report(), make_trend().days
    first, *others = report.findings.metrics
    first = replace(first, name=metric, days=replace(days, points=days.points[:1]))
    findings = replace(report.findings, metrics=(first, *others))
    assert summary.build(replace(report, findings=findings))["changes"] == said


def test_without_a_cover_the_summary_follows_the_title_on_the_same_page(report):
    first, *_ = read_pages(report, ["summary"])
    assert "Answer quality report: Harbour" in first
    assert "What was measured" in first
