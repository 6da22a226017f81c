"""The journal of an unfinished run: nothing that was kept is lost, whatever stops the program."""

import errno
import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from reportgen.archive.journal import Journal
from reportgen.archive.lock import LOCK
from reportgen.errors import RunError
from reportgen.model.verdict import Attempt, Judge, Reply, Verdict

JUDGE = Judge(provider="fake", model="judge-1")
REPLY = Reply(quotes=("212",), explanation="So é it is.", scores={"a": 8}, verdict="good", addressed_judge=False)


def verdict(turn="t1", key="k1", outcome="ok", tokens=1, **fields):
    attempt = Attempt(
        outcome=outcome, asked_at=datetime(2026, 7, 1, tzinfo=UTC), seconds=1.0, usage={"output_tokens": tokens}
    )
    reply = REPLY if outcome == "ok" else None
    data = {"call": "turn", "judge": JUDGE, "rubric": "r", "evidence": "e", "reply": reply, "attempts": (attempt,)}
    return Verdict(turn=turn, key=key, outcome=outcome, **(data | fields))


def keep(folder, *verdicts):
    with Journal(folder) as journal:
        journal.append(verdicts)()


def lines(folder):
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]


def test_what_was_kept_is_there_when_the_run_goes_on(tmp_path):
    keep(tmp_path, verdict("t1"), verdict("t2"))
    with Journal(tmp_path) as journal:
        assert len(journal) == 2
        assert journal.is_answered("t1", "k1")
        assert not journal.is_answered("t3", "k1")
        assert not journal.is_answered("t1", "another key")
    assert [Verdict.from_data(line) for line in lines(tmp_path)] == [verdict("t1"), verdict("t2")]


@pytest.mark.parametrize(
    ("outcome", "answered"),
    [
        ("ok", True),
        ("refused", True),
        ("truncated", True),
        ("invalid", True),
        ("empty", True),
        ("request_error", True),
        ("gave_up", False),
    ],
)
def test_only_what_was_given_up_is_asked_for_again(tmp_path, outcome, answered):
    keep(tmp_path, verdict(outcome=outcome))
    with Journal(tmp_path) as journal:
        assert journal.is_answered("t1", "k1") is answered


def test_the_latest_verdict_counts_and_keeps_the_cost_of_those_before_it(tmp_path):
    keep(tmp_path, verdict(outcome="gave_up", tokens=5))
    keep(tmp_path, verdict(tokens=7))
    with Journal(tmp_path) as journal:
        assert journal.is_answered("t1", "k1")
        journal.finish([("t1", "k1")])
    [line] = lines(tmp_path)
    assert line["outcome"] == "ok"
    assert [attempt["usage"]["output_tokens"] for attempt in line["attempts"]] == [5, 7]


def test_the_finished_file_is_in_the_given_order_and_holds_nothing_else(tmp_path):
    keep(tmp_path, verdict("t3"), verdict("t1"), verdict("t1", "old key"), verdict("t2"))
    with Journal(tmp_path) as journal:
        journal.finish((f"t{number}", "k1") for number in (1, 2, 3))
    assert [(line["turn"], line["key"]) for line in lines(tmp_path)] == [("t1", "k1"), ("t2", "k1"), ("t3", "k1")]


def test_a_run_that_is_not_whole_cannot_be_finished_and_stays_as_it_was(tmp_path):
    keep(tmp_path, verdict("t2"))
    before = (tmp_path / "verdicts.jsonl").read_bytes()
    with Journal(tmp_path) as journal, pytest.raises(RunError, match="no verdict on the turn 't1'"):
        journal.finish([("t2", "k1"), ("t1", "k1")])
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts.jsonl"]
    assert (tmp_path / "verdicts.jsonl").read_bytes() == before


def test_nothing_can_be_added_to_a_finished_file(tmp_path):
    with Journal(tmp_path) as journal:
        journal.append([verdict()])()
        journal.finish([("t1", "k1")])
        with pytest.raises(RunError, match="in order already"):
            journal.append([verdict("t2")])


def test_a_half_written_last_line_is_cut_off_wherever_it_was_torn(tmp_path):
    keep(tmp_path, verdict("t1"), verdict("t2"))
    path = tmp_path / "verdicts.jsonl"
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for torn in range(first, len(whole) - 1, 7):
        path.write_bytes(whole[:torn])
        with Journal(tmp_path) as journal:
            assert journal.healed == torn - first
            assert len(journal) == 1
            journal.append([verdict("t2")])()
        assert path.read_bytes() == whole


def test_a_whole_last_line_without_its_line_feed_is_kept(tmp_path):
    keep(tmp_path, verdict("t1"), verdict("t2"))
    path = tmp_path / "verdicts.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with Journal(tmp_path) as journal:
        assert (journal.healed, len(journal)) == (0, 2)
    assert path.read_bytes() == whole


def test_blocks_of_zeros_after_a_power_cut_are_cut_off(tmp_path):
    keep(tmp_path, verdict("t1"))
    path = tmp_path / "verdicts.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(200_000))
    with Journal(tmp_path) as journal:
        assert (journal.healed, len(journal)) == (200_000, 1)
    assert path.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_named_and_not_passed_over(tmp_path):
    keep(tmp_path, verdict("t1"), verdict("t2"))
    path = tmp_path / "verdicts.jsonl"
    path.write_bytes(b"{broken\n" + path.read_bytes())
    with pytest.raises(RunError, match=r"verdicts\.jsonl:1"), Journal(tmp_path):
        pass
    assert not (tmp_path / LOCK).exists()


def test_a_journal_of_a_newer_program_is_refused_by_name(tmp_path):
    newer = json.dumps(verdict().to_data() | {"format": "reportgen/verdict/2"}) + "\n"
    (tmp_path / "verdicts.jsonl").write_text(newer)
    with pytest.raises(RunError, match="reportgen/verdict/2 is newer than this program"), Journal(tmp_path):
        pass
    assert (tmp_path / "verdicts.jsonl").read_text() == newer


def test_a_second_process_on_the_same_run_is_refused(tmp_path):
    with Journal(tmp_path):
        other = subprocess.run([sys.executable, "-c", OPEN, tmp_path], check=False, **OUTPUT)
    assert "RunError" in other.stderr
    assert f"The run {tmp_path} is in use by another process" in other.stderr
    keep(tmp_path, verdict())


def test_a_process_that_was_killed_holds_no_lock_and_loses_nothing_that_was_synced(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE, env=ENVIRONMENT)
    assert process.stdout.readline() == b"kept\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with Journal(tmp_path) as journal:
        assert journal.is_answered("t1", "k1")


def test_no_lock_is_left_behind(tmp_path):
    keep(tmp_path, verdict())
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts.jsonl"]


@pytest.mark.parametrize("at", ["write", "sync"])
def test_a_full_disk_stops_with_what_was_kept_and_leaves_no_half_line(tmp_path, monkeypatch, at):
    with Journal(tmp_path) as journal:
        journal.append([verdict("t1")])()
        before = (tmp_path / "verdicts.jsonl").read_bytes()
        _fill_disk(journal, monkeypatch, at)
        with pytest.raises(RunError, match="No space left on device; the 1 before are kept") as caught:
            journal.append([verdict("t2")])()
        assert "--resume" in caught.value.fix
        with pytest.raises(RunError, match="No space left"):
            journal.append([verdict("t3")])
    after = (tmp_path / "verdicts.jsonl").read_bytes()
    assert after.startswith(before)
    assert after.endswith(b"\n")
    assert len(after.splitlines()) == {"write": 1, "sync": 2}[at]


def _fill_disk(journal, monkeypatch, at):
    """A disk that takes half of a line, or that takes all and fails to sync it."""
    file = journal._file

    class FullDisk:
        def write(self, data):
            if at == "sync":
                return file.write(data)
            file.write(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def __getattr__(self, name):
            return getattr(file, name)

    def fail(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    journal._file = FullDisk()
    if at == "sync":
        monkeypatch.setattr("reportgen.archive.journal.os.fsync", fail)


def test_a_folder_that_is_not_there_or_cannot_be_written_is_named(tmp_path):
    with pytest.raises(RunError, match="nowhere cannot be written to: No such file"), Journal(tmp_path / "nowhere"):
        pass
    (tmp_path / "verdicts.jsonl").mkdir()
    with pytest.raises(RunError, match=r"verdicts\.jsonl cannot be opened for writing"), Journal(tmp_path):
        pass
    assert not (tmp_path / LOCK).exists()


ENVIRONMENT = {"PYTHONPATH": ":".join(sys.path)}
OUTPUT = {"capture_output": True, "text": True, "env": ENVIRONMENT}
OPEN = """
import pathlib, sys
from reportgen.archive.journal import Journal
Journal(pathlib.Path(sys.argv[1])).__enter__()
"""
HOLD = """
import pathlib, sys, time
from tests.archive.test_journal import verdict
from reportgen.archive.journal import Journal
with Journal(pathlib.Path(sys.argv[1])) as journal:
    journal.append([verdict()])()
    print("kept", flush=True)
    time.sleep(60)
"""
