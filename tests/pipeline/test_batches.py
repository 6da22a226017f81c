"""Whole runs in batches, with the real SDK against the judge on loopback: equal to live ones, whenever killed."""

import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.archive.store import load_run
from reportgen.errors import CostLimitError, InterruptionError, JudgeError, RunError
from reportgen.pipeline.plan import Extras
from reportgen.resources import resource
from tests.batch_run import QUICK, judge, make_order
from tests.judge_batches import Batches
from tests.judge_server import KEY, served

EXAMPLE = resource("examples") / "sql" / "turns.jsonl"
TURNS = 69


@pytest.fixture
def server(monkeypatch, own_folder):
    with served(monkeypatch) as running:
        yield running


def make_capture(**faults) -> Path:
    """The example turns; those with the given numbers get the mark of a fault in their question."""
    lines = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    for number, fault in faults.items():
        lines[int(number[1:]) - 1]["question"] += f" [fault {fault}]"
    path = Path("turns.jsonl")
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def scores_of(run_id: str) -> bytes:
    return Path("runs", run_id, "scores.jsonl").read_bytes()


def verdicts_of(run_id: str) -> list[dict]:
    """The verdicts without their attempts, which hold all that differs by nature."""
    return [{key: value for key, value in verdict.items() if key != "attempts"} for verdict in all_of(run_id)]


def all_of(run_id: str) -> list[dict]:
    return [json.loads(line) for line in Path("runs", run_id, "verdicts.jsonl").read_text().splitlines()]


def start(run_id: str, most_open: int = 3) -> subprocess.Popen:
    command = [sys.executable, "-m", "tests.batch_run", str(EXAMPLE), run_id, str(most_open)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def wait_until(process, is_true) -> None:
    deadline = time.monotonic() + 60
    while not is_true() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert process.poll() is None, process.communicate()[1]
    assert is_true()


def steps_of(run_id: str) -> list[str]:
    path = Path("runs", run_id, "batches.jsonl")
    return [json.loads(line)["step"] for line in path.read_text().splitlines()] if path.exists() else []


def test_a_run_in_batches_has_the_scores_and_verdicts_of_a_live_one_byte_by_byte(server):
    faults = {"t3": "once half", "t7": "half", "t11": "refusal", "t20": "window", "t40": "400", "t50": "score-11"}
    turns = make_capture(**faults, t30="once expired", t31="once 529", t65="once max-tokens")
    judge(make_order(turns, "batched"))
    assert server.batches.sizes[:3] == [25, 25, 18]
    assert sum(server.batches.sizes) == 68 + 6
    verdicts = {verdict["turn"]: verdict for verdict in all_of("batched")}
    judge(make_order(turns, "live", batch=None))
    assert scores_of("batched") == scores_of("live")
    assert verdicts_of("batched") == verdicts_of("live")
    assert sum(len(verdict["attempts"]) for verdict in verdicts.values()) == 1 + 68 + 6


def test_the_first_request_goes_alone_and_all_are_made_alike_but_for_the_life_of_the_cache(server):
    judge(make_order(EXAMPLE, "batched"))
    (alone,) = server.bodies
    params = server.batches.made["msgbatch_1"].requests[0]["params"]
    assert params["system"][0].pop("cache_control") == {"type": "ephemeral", "ttl": "1h"}
    assert alone["system"][0].pop("cache_control") == {"type": "ephemeral"}
    assert params | {"messages": None} == alone | {"messages": None}


def test_attempts_name_their_batch_and_tier_and_the_manifest_counts_the_batches(server, reportgen):
    judge(make_order(EXAMPLE, "batched"))
    attempts = [attempt for verdict in all_of("batched") for attempt in verdict["attempts"]]
    assert [attempt.get("batch") for attempt in attempts].count(None) == 1
    assert {attempt["usage"]["service_tier"] for attempt in attempts[1:]} == {"batch"}
    assert load_run(Path("runs/batched")).manifest.batches == 3
    assert reportgen("verify", "runs/batched").code == 0
    assert sorted(path.name for path in Path("runs/batched").iterdir()) == [
        "run.json",
        "scores.jsonl",
        "turns.jsonl",
        "verdicts.jsonl",
    ]


def test_a_manifest_that_counts_other_batches_is_found_out(server, reportgen):
    judge(make_order(EXAMPLE, "batched"))
    path = Path("runs/batched/run.json")
    path.write_text(path.read_text().replace('"batches": 3', '"batches": 4'))
    ended = reportgen("verify", "runs/batched")
    assert (ended.code, "manifest.batches: states 4, but 3" in ended.out) == (4, True)


@pytest.fixture
def whole(server):
    """An undisturbed run, and a server that has forgotten it."""
    judge(make_order(EXAMPLE, "whole"))
    server.batches, server.messages = Batches(server), 0
    return server


def resume_and_compare(server, creations: int = 3) -> None:
    judge(make_order(EXAMPLE, "broken", resume=True))
    assert scores_of("broken") == scores_of("whole")
    assert verdicts_of("broken") == verdicts_of("whole")
    assert (server.messages, len(server.batches.made)) == (1, creations)
    assert len(server.batches.ids) == len(set(server.batches.ids)) == TURNS - 1


def kill(process) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)


def test_killed_before_its_batch_arrived_a_run_sends_it_again(whole):
    whole.batches.creating.append("lost")
    process = start("broken")
    wait_until(process, lambda: whole.batches.arrived == 1)
    kill(process)
    assert steps_of("broken") == ["intent"]
    assert not whole.batches.made
    resume_and_compare(whole)


def test_killed_between_creation_and_its_answer_a_run_finds_the_batch_again(whole):
    whole.batches.creating.extend([None, "mute"])
    process = start("broken")
    wait_until(process, lambda: len(whole.batches.made) == 2)
    kill(process)
    assert steps_of("broken") == ["intent", "created", "intent"]
    resume_and_compare(whole)
    assert whole.batches.arrived == 3


def test_killed_while_it_waits_a_run_takes_the_batches_that_it_has_sent(whole):
    whole.batches.looks = 10_000
    process = start("broken")
    wait_until(process, lambda: steps_of("broken") == ["intent", "created"] * 3)
    kill(process)
    whole.batches.looks = 1
    resume_and_compare(whole)
    assert whole.batches.arrived == 3


@pytest.mark.parametrize(("lines", "kept"), [(0, 1), (12, 11)])
def test_killed_while_results_come_a_run_takes_the_rest_of_them(whole, lines, kept):
    whole.batches.downloading.append(("stall", lines))
    process = start("broken")
    path = Path("runs/broken/verdicts.jsonl")
    wait_until(process, lambda: not whole.batches.downloading and len(path.read_text().splitlines()) == kept)
    kill(process)
    resume_and_compare(whole)
    assert whole.batches.arrived == 3


def test_killed_with_all_results_taken_a_run_is_finished_without_asking(whole):
    judge(make_order(EXAMPLE, "broken"))
    Path("runs/broken/run.json").rename("run.json")
    manifest = json.loads(Path("run.json").read_text())["manifest"]
    for name in ("finished_at", "batches", "prices"):
        manifest.pop(name, None)
    Path("runs/broken/draft.json").write_text(json.dumps(manifest))
    Path("runs/broken/scores.jsonl").unlink()
    resume_and_compare(whole)


def test_ctrl_c_says_that_the_batches_go_on_and_how_to_go_on_or_cancel(whole, reportgen):
    whole.batches.looks = 10_000
    process = start("broken")
    wait_until(process, lambda: steps_of("broken") == ["intent", "created"] * 3)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == InterruptionError.exit_code
    assert "3 batches go on and are billed (68 requests: msgbatch_1, msgbatch_2, msgbatch_3)" in said
    assert "--resume --run-id broken" in said
    assert "reportgen batches cancel broken --runs runs" in said
    assert "Traceback" not in said
    whole.batches.looks = 1
    resume_and_compare(whole)


def test_a_cancelled_run_takes_what_was_answered_and_asks_for_the_rest_on_resume(whole, reportgen):
    whole.batches.looks = 10_000
    process = start("broken")
    wait_until(process, lambda: steps_of("broken") == ["intent", "created"] * 3)
    cancelled = reportgen("batches", "cancel", "broken")
    assert cancelled.code == 0
    assert cancelled.out.count("is being cancelled; --resume takes what was answered by then") == 3
    said = process.communicate(timeout=30)[1]
    assert process.returncode == JudgeError.exit_code
    # Which of the three it looks at first after they were cancelled is a matter of chance.
    assert re.search("was cancelled: (12|9) of its requests were not answered", said)
    whole.batches.looks = 1
    judge(make_order(EXAMPLE, "broken", resume=True))
    assert scores_of("broken") == scores_of("whole")
    assert verdicts_of("broken") == verdicts_of("whole")
    assert len(whole.batches.ids) == 68 + 12 + 12 + 9


def test_a_live_run_goes_on_with_the_batches_that_are_open(whole):
    # It sends no second batch while the first is open: one whose creation is cut off is looked for, for two minutes.
    whole.batches.looks = 10_000
    process = start("broken", most_open=1)
    wait_until(process, lambda: steps_of("broken") == ["intent", "created"])
    kill(process)
    whole.batches.looks = 1
    sent = len(whole.batches.ids)
    judge(make_order(EXAMPLE, "broken", resume=True, batch=None))
    assert scores_of("broken") == scores_of("whole")
    assert whole.messages == TURNS - sent


def test_a_batch_that_was_deleted_is_forgotten_by_cancelling_and_asked_again(whole, reportgen):
    whole.batches.looks = 10_000
    process = start("broken")
    wait_until(process, lambda: steps_of("broken") == ["intent", "created"] * 3)
    kill(process)
    whole.batches.looks = 1
    del whole.batches.made["msgbatch_2"]
    quick = replace(QUICK, missing=0.1)
    with pytest.raises(JudgeError, match="msgbatch_2: it is not found"):
        judge(make_order(EXAMPLE, "broken", resume=True, batch=quick))
    assert "msgbatch_2: is not known to the provider; forgotten" in reportgen("batches", "cancel", "broken").out
    judge(make_order(EXAMPLE, "broken", resume=True))
    assert scores_of("broken") == scores_of("whole")


def test_there_is_nothing_to_cancel_in_a_finished_run_or_one_without_batches(whole, reportgen):
    assert "is finished\n  Its batches have ended" in reportgen("batches", "cancel", "whole").err
    judge(make_order(EXAMPLE, "one-by-one", batch=None))
    assert "is finished\n  It used no batches" in reportgen("batches", "cancel", "one-by-one").err
    whole.script.extend([None, None, "401"])
    with pytest.raises(JudgeError):
        judge(make_order(EXAMPLE, "live", batch=None))
    assert "has no open batches" in reportgen("batches", "cancel", "live").err
    assert "no run absent" in reportgen("batches", "cancel", "absent").err


@pytest.mark.parametrize("fault", [("cut", 0), ("cut", 9), ("short", 9)])
def test_a_download_that_breaks_is_repeated(whole, fault):
    whole.batches.downloading.append(fault)
    judge(make_order(EXAMPLE, "broken"))
    assert verdicts_of("broken") == verdicts_of("whole")
    assert [len(verdict["attempts"]) for verdict in all_of("broken")] == [1] * TURNS


def test_a_batch_that_is_not_found_right_after_its_creation_is_not_sent_again(whole):
    whole.batches.missing = 3
    judge(make_order(EXAMPLE, "broken"))
    assert scores_of("broken") == scores_of("whole")
    assert (whole.batches.arrived, len(whole.batches.made)) == (3, 3)


@pytest.mark.parametrize(("fault", "arrived"), [("500-kept", 3), ("500-lost", 4), ("429-seconds", 4), ("529", 4)])
def test_trouble_at_the_creation_costs_no_request_twice(whole, fault, arrived):
    whole.batches.creating.append(fault)
    judge(make_order(EXAMPLE, "broken"))
    assert scores_of("broken") == scores_of("whole")
    assert len(whole.batches.ids) == len(set(whole.batches.ids))
    assert whole.batches.arrived == arrived


def test_a_key_that_is_refused_while_batches_are_open_leaves_them_to_be_taken_later(whole):
    whole.batches.creating.extend([None, "401"])
    with pytest.raises(JudgeError) as raised:
        judge(make_order(EXAMPLE, "broken"))
    assert "1 batch goes on and is billed (25 requests: msgbatch_1)" in raised.value.fix
    resume_and_compare(whole)


def test_the_key_is_in_no_file_and_no_message(whole):
    turns = make_capture(t9="echo-key")
    said = []
    judge(make_order(turns, "broken"), said.append)
    texts = [path.read_text() for path in Path("runs/broken").iterdir()] + said
    assert not any(KEY in text or "sk-ant-api03" in text for text in texts)
    assert any("[key]" in text for text in texts)


def test_a_first_request_that_is_rejected_again_and_again_stops_the_run_before_any_batch(server):
    server.script.extend(["400"] * 9)
    with pytest.raises(JudgeError, match="3 times in a row"):
        judge(make_order(EXAMPLE, "broken"))
    assert server.batches.arrived == 0


def test_a_recorded_judge_refuses_batches_and_leaves_nothing(reportgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recorded = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"
    ended = reportgen("judge", EXAMPLE, "--judge", recorded, "--batch", "--run-id", "r")
    assert ended.code == JudgeError.exit_code
    assert "recorded:example-verdicts cannot be asked in batches" in ended.err
    assert not Path("runs").exists()


def test_a_judge_without_batches_refuses_them_before_it_misses_a_key(reportgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = reportgen("judge", EXAMPLE, "--judge", "openai:gpt-5.2", "--batch")
    assert (ended.code, "openai:gpt-5.2 cannot be asked in batches" in ended.err) == (1, True)


def test_run_and_rejudge_ask_in_batches_too(server, reportgen):
    options = ["--judge", "anthropic:claude-opus-5-5", "--batch", "--no-canaries"]
    ended = reportgen("run", EXAMPLE, *options, "--run-id", "one", "--limit", "4", "--format", "html,json")
    assert ended.code == 0, ended.err
    assert "sent msgbatch_1: 1 batch with 3 requests to be awaited" in ended.err
    page = Path("reports/one/report.html").read_text()
    assert '<th scope="row">Batches in which the judge was asked</th><td>1</td>' in page
    assert reportgen("verify", "reports/one/report.json").code == 0
    assert reportgen("rejudge", "one", *options, "--run-id", "two").code == 0
    assert [load_run(Path("runs", name)).manifest.batches for name in ("one", "two")] == [1, 1]
    assert scores_of("one") == scores_of("two")
    assert not set(server.batches.made["msgbatch_1"].results) & set(server.batches.made["msgbatch_2"].results)


def test_a_limit_on_the_cost_holds_in_batches_and_a_resumed_run_is_whole(whole):
    limit = Fraction(1, 10)
    with pytest.raises(CostLimitError):
        judge(make_order(EXAMPLE, "broken", max_cost=limit))
    sent = len(whole.batches.ids)
    assert 0 < sent < TURNS - 1
    assert steps_of("broken")[-1] == "taken"
    judge(make_order(EXAMPLE, "broken", resume=True))
    assert scores_of("broken") == scores_of("whole")
    assert len(whole.batches.ids) == TURNS - 1


def test_repeats_and_canaries_go_in_batches_too(server, reportgen):
    judge(make_order(EXAMPLE, "all", extras=Extras(canaries=True, samples=3, repeat_turns=5)))
    assert len(server.batches.ids) > 68 + 10
    assert sum(name.endswith(("-s2", "-s3")) for name in server.batches.ids) == 10
    assert reportgen("verify", "runs/all").code == 0


def test_a_journal_of_batches_that_cannot_be_written_sends_nothing(server):
    server.script.extend([None, None, None, "401"])
    with pytest.raises(JudgeError):
        judge(make_order(EXAMPLE, "full", batch=None))
    Path("runs/full/batches.jsonl").mkdir()
    before = server.messages
    with pytest.raises(RunError, match=r"batches\.jsonl cannot be read"):
        judge(make_order(EXAMPLE, "full", resume=True))
    assert (server.messages, server.batches.arrived) == (before, 0)
