"""By a rubric without a composite each metric has a part of its own, and two of them say where turns go wrong."""

import itertools
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from reportgen.analysis.quadrants import Point, build_quadrants
from reportgen.analysis.summary import count_failed_calls
from reportgen.analysis.turn_caveats import NEAR_CONSTANT_FROM
from reportgen.model.derivation import Derivation
from reportgen.model.turn import Answer, Passage, Retrieval
from reportgen.publishing.browser.html import render_html
from reportgen.publishing.document import build_document
from reportgen.publishing.quadrant_chart import build_quadrant_chart
from reportgen.publishing.report import Report
from reportgen.publishing.sections import metrics, quadrants, summary
from tests.publishing.conftest import make_report_by
from tests.publishing.hostile import ALL, IMAGES, SCRIPT
from tests.publishing.metric_cases import RUBRIC, judge, make_metric_report, make_rag_turn
from tests.publishing.pages import Page, read_page

# Context relevance and faithfulness: the means over those with a value are 0.75 and 0.5.
KNOWN = [(1, 1), (0.7, 0.65), (0.3, 0.7), (1, 0), ("refused", 0.4), (0.75, "gave_up"), (0.75, 0.25)]


@pytest.fixture(scope="module")
def known() -> Report:
    turns = [make_rag_turn(number) for number in range(1, len(KNOWN) + 1)]
    return make_metric_report([(turn, judge(turn, *pair)) for turn, pair in zip(turns, KNOWN, strict=True)])


@pytest.fixture(scope="module")
def page() -> Page:
    return read_page(render_html(make_metric_report()))


def test_each_metric_has_its_own_figures_and_a_failed_call_takes_nothing_from_the_other(known):
    first, second = metrics.build(known)["parts"]
    assert (first["name"], first["headline"]["mean"]) == ("Context relevance", "75.0")
    assert (second["name"], second["headline"]["mean"]) == ("Faithfulness", "50.0")
    assert first["headline"]["scored"] == second["headline"]["scored"] == "6 of 7 judged turns"
    assert first["headline"]["why"] == ["the judge refused: 1"]
    assert second["headline"]["why"] == ["the judge could not be reached: 1"]
    # 4.5 of 6, of 7 with nothing, or with all, for the one that is missing
    assert first["headline"]["bounds"] == "mean over all between 64.3 and 78.6"
    assert [turn["id"] for turn in first["worst"]["turns"]][:2] == ["turn-3", "turn-2"]
    assert [turn["id"] for turn in second["worst"]["turns"]][:2] == ["turn-4", "turn-7"]
    assert [turn["id"] for turn in second["worst"]["unscored"]] == ["turn-6"]


def test_where_no_label_has_a_table_nothing_explains_one():
    turns = [make_rag_turn(number).model_copy(update={"labels": {}}) for number in (1, 2)]
    text = render_html(make_metric_report([(turn, judge(turn, 1, 1)) for turn in turns]))
    page = "".join(text)
    assert "No label divides the turns" in page
    assert "Each line is the turns that share one value of a label" not in page
    assert "The order is by number of turns" not in page


def test_no_dot_on_an_edge_of_the_quadrants_reaches_the_words_around_them():
    steps = RUBRIC.scale.steps
    points = tuple(Point(x, y, 99) for x in (0, steps) for y in (0, steps))
    table = replace(build_quadrants([], RUBRIC), points=points)
    chart = build_quadrant_chart(table, RUBRIC.quadrants, RUBRIC)
    highest = min(float(dot.y) - float(dot.radius) for dot in chart.dots)
    lowest = max(float(dot.y) + float(dot.radius) for dot in chart.dots)
    leftmost = min(float(dot.x) - float(dot.radius) for dot in chart.dots)
    above = [float(corner.y) for corner in chart.corners if float(corner.y) < float(chart.top)]
    letters = 9
    assert len(above) == 2
    assert max(above) < highest
    assert float(chart.below) - letters > lowest
    assert float(chart.beside) < leftmost


def test_turns_lie_in_corners_by_exact_values_and_the_edge_is_high(known):
    rows = {row["corner"]: row for row in quadrants.build(known)["rows"]}
    placed = {corner: [turn["id"] for turn in row["turns"]] for corner, row in rows.items()}
    assert placed == {
        "both_high": ["turn-1"],
        "second_low": ["turn-2", "turn-4", "turn-7"],
        "first_low": ["turn-3"],
        "both_low": [],
    }
    assert rows["second_low"]["share"] == "60.0\u00a0%"
    assert rows["first_low"]["where"] == "Context relevance low, Faithfulness high"
    assert [turn["id"] for turn in quadrants.build(known)["nowhere"]] == ["turn-5", "turn-6"]


def test_the_lowest_values_stand_with_passages_answer_and_both_explanations(known):
    lowest = metrics.build(known)["parts"][1]["worst"]["turns"][0]
    assert lowest["fetched"] == {
        "passages": ["The ferry runs until 20.04.", "A day ticket costs 9 euros."],
        "count": "2",
        "answer": "It runs until 20.04.",
    }
    assert [said["call"] for said in lowest["said"]] == ["faithfulness", "context-relevance"]


def test_nothing_speaks_of_a_score_of_the_turn_as_a_whole(page):
    text = re.sub(r"\s+", " ", page.all_text)
    for untrue in ("weighted mean", "raw score", "No turn was scored", "between – and –", "First weak dimension"):
        assert untrue not in text
    assert "Judge against arithmetic" not in text
    assert text.count("Quotes of the judge") >= 2
    assert "Of 27 figures in the answers, a program found 27 in the captured passages" in text


def test_the_page_of_metrics_is_well_formed(page):
    assert page.unbalanced == page.open_tags == []
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in page.values("href")} <= set(ids)
    assert set(" ".join(page.values("aria-labelledby")).split()) <= set(ids)
    assert {value[5:-1] for value in page.values("fill") if value.startswith("url(#")} <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_sections_of_a_composite_and_those_of_metrics_leave_each_other_out(known, report):
    named = [section.name for section in build_document(known)["sections"]]
    assert {"metrics", "quadrants"} <= set(named)
    assert not {"distribution", "dimensions", "strata", "trend", "caps", "worst"} & set(named)
    assert not {"metrics", "quadrants"} & {section.name for section in build_document(report)["sections"]}


def test_hostile_turns_and_names_are_inert_in_a_report_of_metrics():
    passages = (Passage(rank=1, id=SCRIPT, source=ALL, text=ALL),)
    turn = make_rag_turn(
        1,
        id=ALL[:190],
        question=ALL,
        labels={"collection": IMAGES, SCRIPT: ALL},
        answer=Answer(text=ALL),
        trajectory=(Retrieval(query=ALL, status="ok", passages=passages),),
    )
    cells = {
        name: RUBRIC.quadrants.cell(name).model_copy(update={"name": IMAGES, "do": SCRIPT, "means": ALL[:900]})
        for name in ("both_high", "first_low", "second_low", "both_low")
    }
    first, second = RUBRIC.dimensions
    dimensions = (first.model_copy(update={"name": SCRIPT}), second.model_copy(update={"name": IMAGES[:190]}))
    rubric = RUBRIC.model_copy(
        update={"dimensions": dimensions, "quadrants": RUBRIC.quadrants.model_copy(update=cells)}
    )
    other = make_rag_turn(2, labels={"collection": "b"})
    page = read_page(render_html(make_report_by(rubric, [(turn, judge(turn, 0.2, 0.1)), (other, judge(other, 1, 1))])))
    assert page.unbalanced == []
    assert all(href.startswith("#") for href in page.values("href"))
    assert not {"link", "img", "iframe", "object", "use"} & page.names()
    assert sum(tag == "script" for tag, _ in page.tags) == 2
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert "<script>alert(1)</script>" in page.all_text


def test_caveats_speak_of_metrics():
    turns = [make_rag_turn(number) for number in range(1, NEAR_CONSTANT_FROM + 2)]
    cases = [(turn, judge(turn, number % 2, 1)) for number, turn in enumerate(turns[:-1])]
    report = make_metric_report([*cases, (turns[-1], judge(turns[-1], "refused", "refused"))])
    said = " ".join(f"{caveat.slug}: {caveat.sentence}" for caveat in report.findings.caveats)
    assert "near-constant: 100.0 % of the scored turns have the same score of Faithfulness, 100.0" in said
    assert "wide-interval: The interval of the mean of Context relevance is" in said
    assert "unscored-turns: Judge calls that failed: 2, in 1 of 11 turns (refused: 2)." in said


def test_failed_calls_and_the_turns_that_they_hit_are_counted_apart():
    known = make_metric_report()
    assert known.findings.failed_calls == {"gave_up": 1, "refused": 2, "truncated": 1}
    said = next(caveat.sentence for caveat in known.findings.caveats if caveat.slug == "unscored-turns")
    assert said == "Judge calls that failed: 4, in 3 of 28 turns (gave_up: 1, refused: 2, truncated: 1)."
    text = read_page(render_html(known, ["cover", "summary"])).all_text
    assert "Why judge calls failed: the judge refused (2); " in " ".join(text.split())


def test_a_failed_call_that_gives_several_metrics_counts_once():
    """The same failures as in two calls, if both metrics came from one."""
    scores = [SimpleNamespace(score=entry.score) for entry in make_metric_report().turns()]
    one = RUBRIC.calls[0].model_copy(update={"scores": tuple(item.id for item in RUBRIC.dimensions)})
    assert count_failed_calls(scores, RUBRIC.model_copy(update={"calls": (one,)})) == {
        "gave_up": 1,
        "refused": 1,
        "truncated": 1,
    }


def test_one_metric_that_failed_throughout_is_not_a_run_without_a_score():
    turns = [make_rag_turn(number) for number in range(1, 4)]
    report = make_metric_report([(turn, judge(turn, "refused", 0.9)) for turn in turns])
    assert "nothing-scored" not in {caveat.slug for caveat in report.findings.caveats}
    text = read_page(render_html(report, ["cover", "summary", "metrics"])).all_text
    assert "No mean" in text
    assert "90.0" in text


def test_a_run_without_turns_says_so():
    report = make_metric_report([])
    assert quadrants.build(report)["any"] is False
    assert [part["headline"]["mean"] for part in metrics.build(report)["parts"]] == [None, None]


def test_readers_without_texts_are_shown_no_passages(known):
    run = known.run
    derived = Derivation(parent="0" * 64, commitments=(), stated={})
    manifest = run.manifest.model_copy(update={"derived": derived})
    public = replace(known, run=run.model_copy(update={"manifest": manifest}))
    worst = metrics.build(public)["parts"][0]["worst"]["turns"][0]
    assert (worst["question"], worst["fetched"], worst["said"]) == (None, None, [])


def test_summary_tiles_stand_for_the_metrics_and_composites_have_none(report):
    assert [tile["name"] for tile in summary.build(make_metric_report())["metrics"]] == [
        "Context relevance",
        "Faithfulness",
    ]
    assert summary.build(report)["metrics"] == []
    assert report.findings.metrics == ()
