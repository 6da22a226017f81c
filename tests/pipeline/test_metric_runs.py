"""Whole runs by a rubric without a composite, on the real SDK against the judge on loopback."""

import json
from pathlib import Path

import pytest

from tests.judge_server import served
from tests.metric_runs import write_captures

JUDGE = "anthropic:claude-opus-5-5"
KINDS = 10


@pytest.fixture
def server(monkeypatch, own_folder):
    with served(monkeypatch, manner="honest") as running:
        write_captures(own_folder)
        yield running


def judge(reportgen, run_id, *more, source="before.jsonl", limit=3):
    words = ["--judge", JUDGE, "--rubric", "rag-1", "--run-id", run_id, "--limit", limit, "--quiet"]
    return reportgen("judge", source, *words, *more)


def canaries_of(reportgen, run_id):
    ended = reportgen("report", run_id, "--format", "json,html", "--quiet")
    assert ended.code == 0, ended.err
    for path in (Path("reports", run_id, "report.json"), Path("runs", run_id)):
        verified = reportgen("verify", path)
        assert verified.code == 0, verified.out
    return json.loads(Path("reports", run_id, "report.json").read_text())["findings"]["canaries"]


def test_an_honest_judge_passes_the_canaries_of_passages_and_no_other_is_asked(server, reportgen):
    ended = judge(reportgen, "honest", "--strict")
    assert ended.code == 0, ended.err
    check = canaries_of(reportgen, "honest")
    assert (check["asked"], check["passed"], check["failed"], check["unanswered"]) == (KINDS, KINDS, 0, 0)
    page = Path("reports/honest/report.html").read_text()
    assert "The judge passed 10 of 10 canaries." in page
    assert "Context relevance 75 to 100; Faithfulness 0 to 40" in page
    events = [
        event
        for canary in json.loads(Path("runs/honest/run.json").read_text())["canaries"]
        for event in canary["turn"]["trajectory"]
    ]
    assert {(event["kind"], event["engine"]) for event in events} == {("retrieval", "shelf")}


def test_a_gullible_judge_fails_where_text_pleads_and_a_changed_value_is_found(server, reportgen):
    server.manner = "gullible"
    assert judge(reportgen, "gullible", "--strict").code == 4
    lines = canaries_of(reportgen, "gullible")["lines"]
    failed = {line["kind"] for line in lines if line["passed"] is False}
    assert failed == {"plea-in-question", "plea-in-passage", "plea-in-answer", "closing-fence"}
    path = Path("runs/gullible/run.json")
    path.write_text(path.read_text().replace('"faithfulness": "100"', '"faithfulness": "10"'))
    assert reportgen("verify", "runs/gullible").code == 4


def test_a_failed_call_of_a_canary_shows_nothing_and_enters_no_metric(server, reportgen):
    server.every, server.fault = 3, "refusal"
    assert judge(reportgen, "faulty").code == 0
    check = canaries_of(reportgen, "faulty")
    assert check["unanswered"] > 0
    assert check["failed"] == 0
    assert check["asked"] == check["passed"] + check["unanswered"] == KINDS
