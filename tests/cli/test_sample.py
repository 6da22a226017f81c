"""`reportgen sample`, and judging what it drew."""

import hashlib
import json
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.resources import resource

TURNS = resource("examples") / "sql" / "turns.jsonl"
RECORDED = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"


@pytest.fixture
def sample(reportgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert reportgen("sample", TURNS, "--budget", "20", "--out", "sample.jsonl").code == 0
    return Path("sample.jsonl")


def test_the_draw_is_told_by_stratum_and_is_the_same_each_time(reportgen, sample):
    ended = reportgen("sample", TURNS, "--budget", "20", "--out", "again.jsonl")
    assert (ended.code, ended.out) == (0, "turns: again.jsonl\n")
    assert "drawn  6 of 22  client Norrsund Ferries, surface web-chat" in ended.err
    assert "in all  20 of 66 turns" in ended.err
    assert Path("again.jsonl").read_bytes() == sample.read_bytes()


def test_a_file_that_is_there_is_not_overwritten(reportgen, sample):
    before = sample.read_bytes()
    ended = reportgen("sample", TURNS, "--budget", "5", "--out", sample)
    assert (ended.code, "is there already" in ended.err) == (1, True)
    assert sample.read_bytes() == before


def test_a_sample_is_judged_whole_or_not_at_all(reportgen, sample):
    ended = reportgen("judge", sample, "--judge", RECORDED, "--limit", "3")
    assert (ended.code, "not the whole of a sample" in ended.err) == (1, True)
    lines = sample.read_text().splitlines(keepends=True)
    Path("part.jsonl").write_text("".join(lines[1:]))
    assert reportgen("judge", "part.jsonl", "--judge", RECORDED).code == 1
    undrawn = json.loads(lines[0]) | {"id": "more"}
    del undrawn["drawn"]
    Path("more.jsonl").write_text("".join(lines) + json.dumps(undrawn) + "\n")
    assert reportgen("judge", "more.jsonl", "--judge", RECORDED).code == 1
    assert reportgen("judge", sample, "--judge", RECORDED, "--run-id", "drawn").code == 0


def test_a_capture_that_is_absent_or_a_pipe_is_refused(reportgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "cannot be read" in reportgen("sample", "none.jsonl", "--budget", "5", "--out", "s.jsonl").err
    assert "not a plain file" in reportgen("sample", "/dev/null", "--budget", "5", "--out", "s.jsonl").err


def derive_for_a_client(reportgen, strata):
    Path("key").write_text("5a" * 32)
    assert reportgen("sample", TURNS, "--budget", "30", "--strata", strata, "--out", "drawn.jsonl").code == 0
    assert reportgen("judge", "drawn.jsonl", "--judge", RECORDED, "--run-id", "drawn").code == 0
    return reportgen("derive", "drawn", "--client", "Aktaia Seaways", "--key", "key", "--run-id", "ours")


def test_a_run_for_a_client_holds_no_digest_of_the_capture_that_it_was_drawn_from(reportgen, sample):
    ended = derive_for_a_client(reportgen, "client")
    assert ended.code == 0, ended.err
    digest = hashlib.sha256(TURNS.read_bytes()).hexdigest()
    assert digest in Path("runs/drawn/turns.jsonl").read_text()
    assert [path for path in Path("runs/ours").rglob("*.json*") if digest in path.read_text()] == []
    assert reportgen("verify", "runs/ours").code == 0


def test_turns_that_stand_for_those_of_other_clients_are_derived_for_none(reportgen, sample):
    ended = derive_for_a_client(reportgen, "surface")
    assert (ended.code, "drawn from those of all clients" in ended.err) == (1, True)
    assert not Path("runs/ours").exists()


def test_shares_of_a_sample_are_by_the_weights_of_the_draw_in_report_and_export(reportgen, sample):
    assert reportgen("judge", sample, "--judge", RECORDED, "--run-id", "drawn").code == 0
    bands = json.loads(Path("runs/drawn/run.json").read_text())["summary"]["bands"]
    good = bands[0]
    assert good["count"] * Fraction(1, 20) != Fraction(good["share"]["value"])
    printed = f"{float(100 * Fraction(good['share']['value'])):.1f}"
    reportgen("report", "drawn", "--out", "out", "--format", "html")
    reportgen("export", "drawn", "--out", "out", "--format", "md")
    page = Path("out/report.html").read_text()
    summary = page.partition("by the weights of the draw, rounded")[2].partition("</table>")[0]
    assert printed in summary
    assert printed in Path("out/summary.md").read_text()
