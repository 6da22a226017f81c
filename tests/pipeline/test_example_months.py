"""The two months of the example: one judge, supported quotes, one client that really gets worse, texts to withhold."""

import json
import re
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from reportgen.judging.evidence import build_evidence
from reportgen.judging.quotes import find_quotes
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Turn
from reportgen.resources import resource
from reportgen.rubrics import load_rubric
from tests.example_runs import judge_example

MOMENT = datetime(2026, 9, 1, 6, 0, tzinfo=UTC)
EXAMPLES = resource("examples") / "sql"
WORSE = "Norrsund Ferries"
WITHOUT_NUMBER = "t-0831-03"


@pytest.fixture(scope="module")
def august(tmp_path_factory):
    """The folder of the run of August."""
    return judge_example(tmp_path_factory.mktemp("august"), MOMENT, turns="turns-august.jsonl")


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def read_turns(run):
    return {turn["id"]: turn for turn in read(run / "turns.jsonl")}


def scores_of(run):
    return {line["turn"]: Fraction(line["score"]) for line in read(run / "scores.jsonl") if "score" in line}


def mean_of(run, client):
    turns = read_turns(run)
    scores = [score for turn, score in scores_of(run).items() if turns[turn]["labels"]["client"] == client]
    return sum(scores) / len(scores)


def statements_of(turn):
    return [event["text"] for event in turn.get("trajectory", []) if event["kind"] == "sql"]


def touched():
    """The turns that the regression touches, as the page on the example names them."""
    page = (EXAMPLES / "README.md").read_text("utf-8")
    return set(re.findall(r"t-08\d\d-\d\d(?:#\d)?", page.split("## The regression in August")[1]))


def test_both_months_are_judged_by_one_judge(demo_run, august):
    july, later = (json.loads((run / "run.json").read_text())["manifest"] for run in (demo_run, august))
    assert july["judge"] == later["judge"]
    assert july["rubric_digest"] == later["rubric_digest"]


def test_each_turn_of_august_has_a_verdict_and_all_but_the_intended_one_a_score(august):
    assert {line["outcome"] for line in read(august / "verdicts.jsonl")} == {"ok"}
    assert read_turns(august).keys() - scores_of(august).keys() == {WITHOUT_NUMBER}


def test_each_quote_of_the_verdicts_on_august_stands_in_its_evidence(august):
    turns, call = read_turns(august), load_rubric("sql-agent-1").calls[0]
    for verdict in read(august / "verdicts.jsonl"):
        evidence = build_evidence(Turn.from_data(turns[verdict["turn"]]), call, EvidenceLimits()).text
        quotes = verdict["reply"]["quotes"]
        assert 1 <= len(quotes) <= 5
        assert all(find_quotes(quotes, evidence)), verdict["turn"]


def test_one_client_falls_clearly_and_the_others_stay(demo_run, august):
    clients = {turn["labels"]["client"] for turn in read_turns(august).values()}
    changes = {client: mean_of(august, client) - mean_of(demo_run, client) for client in clients}
    assert changes.pop(WORSE) < -20
    assert len(changes) == 2
    assert all(abs(change) < 5 for change in changes.values()), changes


def test_the_regression_is_that_the_statements_know_no_period(august):
    turns, scores = read_turns(august), scores_of(august)
    ours = {name: turn for name, turn in turns.items() if turn["labels"]["client"] == WORSE}
    assert touched() < ours.keys()
    for name in touched():
        assert statements_of(ours[name])
        assert not any(re.search(r"20\d\d", text) for text in statements_of(ours[name])), name
        assert scores[name] < 60, name
    untouched = [scores[name] for name in ours.keys() - touched()]
    assert sum(untouched) / len(untouched) > 85


def test_the_means_that_the_page_on_the_example_prints_are_those_of_the_runs(demo_run, august):
    page = (EXAMPLES / "README.md").read_text("utf-8")
    for client in {turn["labels"]["client"] for turn in read_turns(august).values()}:
        july, later = mean_of(demo_run, client), mean_of(august, client)
        printed = re.search(rf"\| {client} \| ([\d.]+) \| \d+ \| ([\d.]+) \| \d+ \| (\S+) \|", page)
        change = f"{float(later - july):+.1f}".replace("-", "\N{MINUS SIGN}")
        assert printed.groups() == (f"{float(july):.1f}", f"{float(later):.1f}", change)


def test_august_has_the_usual_faults_too(august):
    events = [event for turn in read_turns(august).values() for event in turn.get("trajectory", [])]
    assert {event["status"] for event in events if event["kind"] == "sql"} == {
        "ok",
        "error",
        "timeout",
        "blocked",
        "cancelled",
    }
    caps = json.loads((august / "run.json").read_text())["summary"]["caps"]
    assert all(caps.values()), caps
    assert any("part_of" in turn for turn in read_turns(august).values())


@pytest.mark.parametrize(
    ("client", "kinds"),
    [("Aktaia Seaways", {"email", "iban", "phone"}), ("Greyheron Lines", {"email"}), (WORSE, set())],
)
def test_what_is_to_be_withheld_from_a_client_is_found(reportgen, august, tmp_path, client, kinds):
    key = tmp_path / "key"
    key.write_text("5a" * 32)
    key.chmod(0o600)
    ended = reportgen(
        "derive", august, "--client", client, "--key", key, "--runs", tmp_path / "runs", "--run-id", "one"
    )
    assert ended.code == 0, ended.err
    text = "".join((tmp_path / "runs" / "one" / name).read_text("utf-8") for name in ("turns.jsonl", "verdicts.jsonl"))
    assert set(re.findall(r"\[(\w+) withheld\]", text)) == kinds
    assert not re.search(r"@\w+\.example|7946 0958|BUKB", text)
