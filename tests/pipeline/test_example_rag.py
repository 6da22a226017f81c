"""The example with passages: exact quotes, a planted bad day, faults in their corners, metrics that fail alone."""

import json
import re
from collections import defaultdict
from fractions import Fraction

import pytest

from reportgen.analysis.addressing import find_addresses
from reportgen.analysis.quadrants import corner_of
from reportgen.cli.demo import EXAMPLES as NAMES
from reportgen.judging.evidence import build_evidence
from reportgen.judging.quotes import find_quotes
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.pipeline.demo import EXAMPLES
from reportgen.resources import resource
from reportgen.rubrics import load_rubric
from tests.example_runs import judge_example

EXAMPLE = resource("examples") / "rag"
PAGE = (EXAMPLE / "README.md").read_text("utf-8")
RUBRIC = load_rubric("rag-1")
RELEVANCE, FAITHFULNESS = "context-relevance", "faithfulness"
BAD_DAY = "2026-09-16"
FAILED = {
    ("r-0914-02", RELEVANCE): "invalid",
    ("r-0918-04", FAITHFULNESS): "gave_up",
    ("r-0919-04", FAITHFULNESS): "refused",
}
NOT_CAPTURED = "r-0912-05"
HOSTILE = "r-0914-04"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of the run."""
    return judge_example(tmp_path_factory.mktemp("rag"), EXAMPLES["rag"].moment, name="rag")


@pytest.fixture(scope="module")
def turns(run):
    return {turn.id: turn for turn in map(Turn.from_data, read(run / "turns.jsonl"))}


@pytest.fixture(scope="module")
def scores(run):
    return {score.turn: score for score in map(Score.from_data, read(run / "scores.jsonl"))}


@pytest.fixture(scope="module")
def verdicts(run):
    return read(run / "verdicts.jsonl")


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def value_of(score, metric):
    return next((item.used for item in score.subscores if item.dimension == metric), None)


def mean_of(scores, metric):
    values = [value for score in scores if (value := value_of(score, metric)) is not None]
    return sum(values, Fraction(0)) / len(values) * 100, len(values)


def planted(words):
    """The turns that the page on the example names in the row that has these words."""
    (row,) = (line for line in PAGE.splitlines() if line.startswith("|") and words in line)
    return set(re.findall(r"r-09\d\d-\d\d", row))


def is_exact(quote, turn):
    reached = [turn.question, turn.answer.text or turn.answer.not_captured]
    for search in turn.retrievals:
        reached += [search.error or "", *(passage.text for passage in search.passages or ())]
    return any(quote in text for text in reached)


def test_the_command_knows_each_example():
    assert set(NAMES) == EXAMPLES.keys()


def test_each_quote_is_copied_exactly_and_stands_in_what_its_call_sees(turns, verdicts):
    calls = {call.id: call for call in RUBRIC.calls}
    for verdict in verdicts:
        quotes, turn = verdict.get("reply", {}).get("quotes", []), turns[verdict["turn"]]
        assert all(find_quotes(quotes, build_evidence(turn, calls[verdict["call"]]).text)), turn.id
        assert all(is_exact(quote, turn) for quote in quotes), turn.id


def test_each_turn_has_a_verdict_of_each_call_and_all_but_the_intended_ones_are_replies(turns, verdicts):
    assert len(verdicts) == 2 * len(turns) == 118
    assert {(line["turn"], line["call"]): line["outcome"] for line in verdicts if line["outcome"] != "ok"} == FAILED
    assert planted("A judge call failed") == {turn for turn, _ in FAILED}


def test_a_call_that_failed_leaves_its_metric_without_a_value_and_the_other_stands(scores):
    for turn, failed in FAILED:
        other = FAITHFULNESS if failed == RELEVANCE else RELEVANCE
        assert value_of(scores[turn], failed) is None
        assert value_of(scores[turn], other) is not None
    assert value_of(scores[NOT_CAPTURED], FAITHFULNESS) is None
    assert value_of(scores[NOT_CAPTURED], RELEVANCE) == 1


def test_on_the_bad_day_relevance_is_far_below_that_of_each_other_day(turns, scores):
    days = defaultdict(list)
    for turn in turns.values():
        days[turn.captured_at.date().isoformat()].append(scores[turn.id])
    means = {day: mean_of(found, RELEVANCE)[0] for day, found in days.items()}
    assert means.pop(BAD_DAY) < 20
    assert len(means) == 12
    assert all(mean > 60 for mean in means.values()), means
    assert planted("The bad day") == {score.turn for score in days[BAD_DAY]}


def test_the_planted_turns_lie_in_their_corners_and_no_others_do(scores):
    corners = defaultdict(set)
    for score in scores.values():
        corners[corner_of(score, RUBRIC)].add(score.turn)
    assert corners["first_low"] == planted("and the answer says so")
    assert corners["second_low"] == planted("the answer drifts")
    assert corners["both_low"] == planted("and the answer invents")
    assert corners[None] == {NOT_CAPTURED, *(turn for turn, _ in FAILED)}
    assert planted("The bad day") <= corners["first_low"] | corners["both_low"]


def test_the_bad_day_is_searched_in_pages_that_break_off_and_finds_the_right_ones(turns):
    for turn in turns.values():
        cut = turn.captured_at.date().isoformat() == BAD_DAY
        for passage in (passage for search in turn.retrievals for passage in search.passages or ()):
            assert passage.text.endswith((".", "!", "?")) != cut, (turn.id, passage.id)
    assert turns["r-0916-01"].retrievals[0].passages[0].id == "repair-evenings-1"
    assert turns["r-0916-04"].retrievals[0].passages[0].id == "opening-hours-1"


def test_one_knob_is_turned_after_the_first_week(turns):
    for turn in turns.values():
        top_k = 3 if turn.captured_at.day < 14 else 5
        assert turn.labels["top-k"] == str(top_k)
        assert all(search.top_k == top_k >= len(search.passages or ()) for search in turn.retrievals)
    fixed = ("engine", "strategy", "chunking")
    assert all(len({turn.labels[name] for turn in turns.values()}) == 1 for name in fixed)


def test_more_passages_help_the_question_that_is_asked_twice(turns, scores):
    asked = defaultdict(list)
    for turn in turns.values():
        asked[turn.question].append(turn.id)
    ((before, after),) = (found for found in asked.values() if len(found) > 1)
    assert (before, after) == ("r-0907-05", "r-0914-01")
    assert value_of(scores[before], RELEVANCE) < value_of(scores[after], RELEVANCE)


def test_the_passage_that_addresses_a_grader_is_found_and_changes_no_score(turns, scores, verdicts):
    assert {turn.id for turn in turns.values() if find_addresses(turn)} == {HOSTILE} == planted("tells a grader")
    reported = [line["turn"] for line in verdicts if line.get("reply", {}).get("addressed_judge")]
    assert reported == [HOSTILE] * 2


def test_what_was_not_captured_not_searched_or_not_found_is_told_apart(turns):
    assert {turn.id for turn in turns.values() if turn.answer.text is None} == {NOT_CAPTURED}
    assert planted("not captured") == {NOT_CAPTURED}
    unsearched, late, nothing = (turns[name] for name in sorted(planted("No search at all")))
    assert unsearched.retrievals == ()
    assert unsearched.latency.retrieval_ms is None
    assert (late.retrievals[0].status, late.retrievals[0].passages) == ("timeout", None)
    assert (nothing.retrievals[0].status, nothing.retrievals[0].passages) == ("ok", ())


def test_durations_fit_together_and_are_longer_on_the_bad_day(turns):
    total = defaultdict(list)
    for turn in turns.values():
        latency = turn.latency
        assert latency.total_ms > (latency.retrieval_ms or 0) + latency.generation_ms
        total[turn.captured_at.date().isoformat() == BAD_DAY].append(latency.total_ms)
    assert min(total[True]) > max(total[False])


def test_the_means_that_the_page_on_the_example_prints_are_those_of_the_run(turns, scores):
    first = [scores[turn.id] for turn in turns.values() if turn.labels["top-k"] == "3"]
    second = [scores[turn.id] for turn in turns.values() if turn.labels["top-k"] == "5"]
    without = [score for score in second if score.turn not in planted("The bad day")]
    for words, part in (("first week, three", first), ("second week, five", second), ("second week without", without)):
        (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| {words}"))
        printed = [cell.strip() for cell in row.split("|")[2:6]]
        means = [
            (f"{float(mean):.1f}", str(count))
            for mean, count in (mean_of(part, RELEVANCE), mean_of(part, FAITHFULNESS))
        ]
        assert printed == [cell for pair in means for cell in pair]


def test_its_report_names_the_bad_day_and_no_other_and_shows_the_day_without_turns(reportgen, tmp_path):
    ended = reportgen("demo", "--example", "rag", "--out", tmp_path, "--format", "json", "--quiet")
    assert ended.code == 0, ended.err
    findings = json.loads((tmp_path / "report.json").read_text())["findings"]
    points = {
        metric["dimension"]: {point["day"]: point for point in metric["days"]["points"]}
        for metric in findings["metrics"]
    }
    below = {
        name: [day for day, point in days.items() if (point["expectation"] or {}).get("fell")]
        for name, days in points.items()
    }
    assert below == {RELEVANCE: [BAD_DAY], FAITHFULNESS: []}
    assert [day for day, point in points[RELEVANCE].items() if point["gap"]] == ["2026-09-14"]
    assert {corner["corner"]: len(corner["turns"]) for corner in findings["quadrants"]["corners"]} == {
        "both_high": 36,
        "second_low": 5,
        "first_low": 11,
        "both_low": 3,
    }


def test_a_run_with_failed_calls_is_derived_for_the_public_and_verifies(reportgen, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_text("5e" * 32)
    (tmp_path / "key").chmod(0o600)
    ended = reportgen("derive", run, "--public", "--key", "key", "--run-id", "public", "--runs", "runs")
    assert ended.code == 0, ended.err
    assert reportgen("verify", "runs/public").code == 0
    failed = [
        json.loads(line).get("unscored") for line in (tmp_path / "runs/public/scores.jsonl").read_text().splitlines()
    ]
    assert sorted(filter(None, failed)) == sorted(FAILED.values())


def test_a_turn_to_which_a_metric_does_not_apply_is_in_no_bound_of_its_mean(run):
    faithfulness = json.loads((run / "run.json").read_text())["summary"]["metrics"][1]
    applies = faithfulness["scored"] + sum(
        count for why, count in faithfulness["unscored"].items() if why != "not_applicable"
    )
    total = Fraction(faithfulness["mean"]["value"]) * faithfulness["scored"]
    low, high = (Fraction(faithfulness[name]) for name in ("bound_low", "bound_high"))
    assert (low, high) == (total / applies, (total + 100 * (applies - faithfulness["scored"])) / applies)


def test_without_clients_nothing_is_published_for_clients_alone(reportgen, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text("publish:\n  audiences: [client]\n")
    (tmp_path / "key").write_text("5e" * 32)
    (tmp_path / "key").chmod(0o600)
    ended = reportgen("publish", "--period", "2026-09", "--run", run, "--key", "key")
    assert (ended.code, "nobody to publish for" in ended.err) == (1, True), ended.err
    assert not (tmp_path / "publications").exists()
