"""Whole runs with the real SDK against the judge on loopback: crashes, interruptions, captures of real agents."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reportgen.resources import resource
from tests.judge_server import KEY, served

TURNS = resource("examples") / "sql" / "turns.jsonl"
JUDGE = "anthropic:claude-opus-5-5"
IN_FLIGHT = 4


@pytest.fixture
def server(monkeypatch, own_folder):
    with served(monkeypatch, latency=0.03) as running:
        yield running


def command(run_id: str, *more: str) -> list[str]:
    options = ["--judge", JUDGE, "--concurrency", str(IN_FLIGHT), "--run-id", run_id]
    return [sys.executable, "-m", "reportgen", "judge", str(TURNS), *options, *more]


def stop_after(server, messages: int, process, sign: int) -> str:
    """Sends a signal once the judge has got so many messages; returns what the program printed to standard error.

    What it asks beyond them is not answered, so that it is at work whenever the signal comes.
    """
    server.script.extend([None] * messages + ["hang"] * IN_FLIGHT)
    deadline = time.monotonic() + 60
    while server.messages < messages and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(sign)
    said = process.communicate(timeout=60)[1]
    server.script.clear()
    return said


def start(run_id: str, *more: str) -> subprocess.Popen:
    return subprocess.Popen(command(run_id, *more), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def scores_of(run_id: str) -> bytes:
    return Path("runs", run_id, "scores.jsonl").read_bytes()


def verdicts_of(run_id: str) -> list[dict]:
    """The verdicts without what differs by nature: request ids, times and usage, all of which stand in the attempts."""
    lines = Path("runs", run_id, "verdicts.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "attempts"} for line in lines]


@pytest.mark.parametrize("messages", [1, 50])
def test_a_run_that_was_killed_goes_on_with_the_same_scores_and_repeats_only_what_was_in_flight(server, messages):
    subprocess.run(command("whole"), check=True, capture_output=True)
    needed, server.messages = server.messages, 0
    stop_after(server, messages, start("broken"), signal.SIGKILL)
    assert not Path("runs/broken/run.json").exists()
    subprocess.run(command("broken", "--resume"), check=True, capture_output=True)
    assert scores_of("broken") == scores_of("whole")
    assert verdicts_of("broken") == verdicts_of("whole")
    assert server.messages <= needed + IN_FLIGHT


def test_a_killed_run_heals_a_half_written_last_line(server):
    stop_after(server, 20, start("broken"), signal.SIGKILL)
    journal = Path("runs/broken/verdicts.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"attempts":[{"asked_at":"2026')
    subprocess.run(command("broken", "--resume"), check=True, capture_output=True)
    assert len(journal.read_text().splitlines()) == len(scores_of("broken").splitlines())


def test_ctrl_c_keeps_what_was_judged_and_says_how_to_go_on(server):
    process = start("stopped")
    said = stop_after(server, 20, process, signal.SIGINT)
    assert process.returncode == 130
    assert "--resume --run-id stopped" in said
    assert "Traceback" not in said
    kept = len(Path("runs/stopped/verdicts.jsonl").read_text().splitlines())
    assert 10 <= kept < 69 + 11
    before = server.messages
    assert subprocess.run(command("stopped", "--resume"), capture_output=True, check=False).returncode == 0
    assert server.messages - before == 69 + 11 - kept, "69 turns and 11 canaries"


def test_two_processes_on_one_run_are_refused(server):
    server.latency = 1
    first = start("shared")
    while not Path("runs/shared/verdicts.jsonl").exists() and first.poll() is None:
        time.sleep(0.01)
    second = subprocess.run(command("shared", "--resume"), capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "in use by another process" in second.stderr
    server.latency = 0
    first.communicate(timeout=60)
    assert first.returncode == 0


def test_a_refused_key_leaves_no_run_behind_and_no_key_in_the_message(server, reportgen, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-wrong-wrong-wrong")
    ended = reportgen("judge", TURNS, "--judge", JUDGE)
    assert ended.code == 1
    assert "wrong-wrong" not in ended.err
    assert not list(Path().rglob("*.json*"))


def test_an_unknown_model_is_said_before_anything_is_written(server, reportgen):
    ended = reportgen("judge", TURNS, "--judge", "anthropic:claude-unknown-1")
    assert (ended.code, "claude-unknown-1" in ended.err) == (1, True)
    assert not list(Path().rglob("*.json*"))


def test_a_key_that_is_refused_in_the_middle_stops_the_run_and_keeps_what_was_paid_for(server, reportgen):
    server.script.extend([None] * 20 + ["401"])
    ended = reportgen("judge", TURNS, "--judge", JUDGE, "--run-id", "cut", "--concurrency", "2")
    assert ended.code == 1
    assert "--resume --run-id cut" in ended.err
    assert len(Path("runs/cut/verdicts.jsonl").read_text().splitlines()) >= 20
    assert reportgen("judge", TURNS, "--judge", JUDGE, "--run-id", "cut", "--resume").code == 0
    assert KEY not in "".join(path.read_text() for path in Path("runs/cut").iterdir() if path.is_file())


def test_a_socket_that_stays_silent_is_given_up_after_the_time_that_the_user_allows(server, reportgen):
    server.script.extend([None, "hang"])
    options = ["--run-id", "silent", "--limit", "3", "--no-canaries", "--timeout", "1"]
    ended = reportgen("judge", TURNS, "--judge", JUDGE, *options)
    assert ended.code == 0, ended.err
    attempts = [attempt for line in lines_of("silent") for attempt in line["attempts"]]
    # On a busy machine others may have been too slow, too.
    silent = [attempt for attempt in attempts if attempt["outcome"] == "gave_up"]
    assert silent
    assert all(0.9 < attempt["seconds"] < 60 for attempt in silent)
    assert {attempt["reason"] for attempt in silent} <= {"no answer within 1 seconds", "the connection timed out"}


def lines_of(run_id: str) -> list[dict]:
    return [json.loads(line) for line in Path("runs", run_id, "verdicts.jsonl").read_text().splitlines()]


def test_a_capture_that_was_altered_is_not_to_be_gone_on_with_by_the_same_command(server, reportgen):
    server.script.extend([None] * 5 + ["401"])
    capture = Path("turns.jsonl")
    capture.write_text(TURNS.read_text())
    options = ["judge", capture, "--judge", JUDGE, "--run-id", "altered", "--concurrency", "1"]
    assert "go on with the same command" in reportgen(*options).err
    kept = len(lines_of("altered"))
    capture.write_text(TURNS.read_text().replace("ferry", "bus"))
    refused = reportgen(*options, "--resume")
    assert refused.err.startswith("error[run]: The capture differs from that of the unfinished run")
    assert "Resume with the file and options that the run began with" in refused.err
    assert f"{kept} verdicts kept\n" in refused.err
    assert "the same command" not in refused.err
    capture.write_text(TURNS.read_text() + "{\n")
    assert "the same command" not in reportgen(*options, "--resume").err


def test_options_that_contradict_one_another_are_refused_before_anything_is_asked(server, reportgen):
    options = ["judge", TURNS, "--judge", JUDGE]
    alone = reportgen(*options, "--repeat-turns", "5")
    assert (alone.code, "--repeat-turns has no meaning without --repeats" in alone.err) == (2, True)
    untested = reportgen(*options, "--strict", "--no-canaries")
    assert (untested.code, "--strict needs canaries" in untested.err) == (2, True)
    Path("config.yaml").write_text("canaries: false\n")
    assert reportgen(*options, "--strict").code == 2
    assert server.asked == 0


def test_strict_says_that_a_replay_tests_no_judge(reportgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recorded = f"recorded:{TURNS.with_name('example-verdicts.jsonl')}"
    ended = reportgen("judge", TURNS, "--judge", recorded, "--strict", "--limit", "3")
    assert ended.code == 0
    assert (
        "recorded:example-verdicts can be trusted was not tested: its verdicts were replayed from a file" in ended.err
    )


def test_each_stored_line_names_the_judge(server, reportgen):
    reportgen("judge", TURNS, "--judge", JUDGE, "--run-id", "named", "--limit", "3", "--effort", "low")
    for line in Path("runs/named/verdicts.jsonl").read_text().splitlines():
        verdict = json.loads(line)
        assert (verdict["judge"]["provider"], verdict["judge"]["model"], verdict["judge"]["effort"]) == (
            "anthropic",
            "claude-opus-5-5",
            "low",
        )
        assert verdict["attempts"][-1]["usage"]["output_tokens"] > 0
    for line in Path("runs/named/scores.jsonl").read_text().splitlines():
        assert json.loads(line)["judge"] == JUDGE


@pytest.mark.real_data
def test_the_capture_of_a_real_agent_becomes_a_report_of_its_ten_runs(server, reportgen, shared):
    capture = shared / "data" / "bird_interact_adk" / "a_interact_samples.json"
    options = ["--from", "adk", "--sql-tool", "execute_sql", "--drop-tool", "submit_sql"]
    converted = reportgen("convert", capture, *options, "--captured-at", "2026-03-29T00:00:00Z", "--out", "turns.jsonl")
    assert converted.code == 0, converted.err
    ended = reportgen("run", "turns.jsonl", "--judge", JUDGE, "--run-id", "adk", "--format", "html,json")
    assert ended.code == 0, ended.err
    report = json.loads(Path("reports/adk/report.json").read_text())
    assert len(report["turns"]) == len(report["scores"]) == 10
    page = Path("reports/adk/report.html").read_text()
    statements = [event for turn in report["turns"] for event in turn["trajectory"] if event["kind"] == "sql"]
    assert len(statements) == 55
    assert page.count('class="event event-sql"') == 55
    assert "bird-coin" not in page
    assert "SYSTEM NOTE" not in page
    sent = json.dumps(list(server.bodies))
    assert "bird-coin" not in sent
    assert "SYSTEM NOTE" not in sent
    assert "submit_sql" not in sent
    assert os.environ["ANTHROPIC_API_KEY"] not in page
