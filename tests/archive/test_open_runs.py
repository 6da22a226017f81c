"""Open runs on disk: a turn is stored once or not at all, by however many hands, and a full disk loses nothing."""

import errno
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from reportgen.archive import aside as aside_file
from reportgen.archive import open_turns
from reportgen.archive.aside import count_kept, keep_aside
from reportgen.archive.open_erasing import count_refused, forbid_turn, forget_refused, remove_turn
from reportgen.archive.open_marks import name_of
from reportgen.archive.open_runs import create_open, find_open, list_open, name_closing
from reportgen.archive.open_turns import accept_turn, freeze_turns, list_turns, read_stored, thaw_turns
from reportgen.archive.open_verdicts import Added, Answered, merge_journals
from reportgen.errors import StreamingError
from reportgen.model.opening import Closing, Opening
from tests.exchanges import read_aside

NOW = datetime(2026, 7, 20, 9, tzinfo=UTC)
LINE = b'{"id":"t-1"}\n'


@pytest.fixture
def run(tmp_path):
    return create_open(tmp_path / "runs", Opening(collection="desk", period="2026-07", timezone="UTC", opened_at=NOW))


def names(run):
    return [path.name for path in list_turns(run)]


def test_a_turn_that_many_hand_in_at_once_is_stored_once_and_the_others_are_told(run):
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: accept_turn(run, "t-1", LINE), range(64)))
    assert sorted(told) == ["known"] * 63 + ["new"]
    assert names(run) == [name_of("t-1")]
    assert [path.name for path in (run.folder / "turns").iterdir()] == [name_of("t-1")]


def test_the_first_of_two_contents_under_one_id_stays(run):
    assert [accept_turn(run, "t-1", line) for line in (LINE, b"other\n", LINE)] == ["new", "other", "known"]
    assert read_stored(next(list_turns(run))) == LINE


def test_from_the_moment_of_closing_no_turn_is_accepted_until_it_is_thawed(run):
    accept_turn(run, "t-1", LINE)
    freeze_turns(run)
    assert accept_turn(run, "t-2", LINE) == "closed"
    assert names(run) == [name_of("t-1")]
    thaw_turns(run)
    assert accept_turn(run, "t-2", LINE) == "new"


def test_closing_between_writing_and_linking_refuses_the_turn(run, monkeypatch):
    link = os.link
    monkeypatch.setattr(os, "link", lambda *paths: freeze_turns(run) or link(*paths))
    assert accept_turn(run, "t-1", LINE) == "closed"
    assert names(run) == []


@pytest.mark.parametrize("happens", [freeze_turns, lambda run: remove_turn(run, "t-1")])
def test_what_was_stored_before_and_goes_away_this_very_moment_refuses_the_turn(run, monkeypatch, happens):
    accept_turn(run, "t-1", LINE)
    monkeypatch.setattr(open_turns, "read_stored", lambda path: happens(run) or LINE)
    assert accept_turn(run, "t-1", LINE) == "closed"


def test_an_erasure_between_finding_a_turn_and_confirming_it_is_said(run, monkeypatch):
    accept_turn(run, "t-1", LINE)

    def erase(_path):
        forbid_turn(run, "t-1", NOW, "x")
        remove_turn(run, "t-1")
        return LINE

    monkeypatch.setattr(open_turns, "read_stored", erase)
    assert accept_turn(run, "t-1", LINE) == "erased"
    assert names(run) == []


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_full_disk_stores_nothing_and_says_so_and_the_turn_can_be_handed_in_again(run, monkeypatch, call):
    def fail(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, call, fail)
        with pytest.raises(OSError, match="No space left"):
            accept_turn(run, "t-1", LINE)
    assert list((run.folder / "turns").iterdir()) == []
    assert accept_turn(run, "t-1", LINE) == "new"


@pytest.mark.parametrize("torn", [b"", b'{"id":'])
def test_half_a_turn_that_a_power_cut_left_was_never_accepted_and_gives_way(run, torn):
    (run.folder / "turns" / name_of("t-1")).write_bytes(torn)
    assert read_stored(next(list_turns(run))) is None
    assert accept_turn(run, "t-1", LINE) == "new"
    assert read_stored(next(list_turns(run))) == LINE


def test_a_run_that_is_opened_twice_is_opened_once(run, tmp_path):
    later = run.opening.model_copy(update={"opened_at": datetime(2026, 7, 21, tzinfo=UTC)})
    assert create_open(tmp_path / "runs", later).opening == run.opening
    assert [found.opening for found in list_open(tmp_path / "runs")] == [run.opening]
    assert find_open(tmp_path / "runs", "desk", "2026-08") is None


def test_a_run_that_is_not_whole_yet_is_not_listed(run, tmp_path):
    shutil.copytree(run.folder, run.folder.with_name(".2026-07.4711-0.part"))
    assert [found.folder for found in list_open(tmp_path / "runs")] == [run.folder]


def test_an_archive_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(StreamingError, match="cannot be written"):
        create_open(tmp_path / "runs", Opening(collection="desk", period="2026-07", timezone="UTC", opened_at=NOW))


def test_what_an_open_run_becomes_is_named_once(run):
    assert name_closing(run, Closing(run="one")).run == name_closing(run, Closing(run="two")).run == "one"


def verdict(turn, asked_at, outcome="ok", call="turn"):
    attempt = {"asked_at": f"2026-07-20T09:00:{asked_at:02}Z", "outcome": outcome, "seconds": 1.0}
    return {"turn": turn, "key": f"key of {turn}", "call": call, "outcome": outcome, "attempts": [attempt]}


def write_journal(run, worker, *verdicts, rest=b""):
    (run.workers / worker).mkdir()
    lines = [json.dumps(item).encode() + b"\n" for item in verdicts]
    (run.workers / worker / "verdicts.jsonl").write_bytes(b"".join(lines) + rest)


def test_of_verdicts_that_were_given_twice_the_one_that_was_asked_for_first_is_merged(run, tmp_path):
    write_journal(run, "a", verdict("t-1", 5), verdict("t-2", 1, "gave_up"), verdict("t-3", 9, "gave_up"))
    write_journal(run, "b", verdict("t-1", 3), verdict("t-2", 2), verdict("t-3", 1), rest=b'{"turn": "half')
    assert merge_journals(run, tmp_path / "merged") == 1
    merged = [json.loads(line) for line in (tmp_path / "merged").read_text().splitlines()]
    told = [(item["turn"], item["outcome"], item["attempts"][0]["asked_at"][-3:-1]) for item in merged]
    assert sorted(told) == [("t-1", "ok", "03"), ("t-2", "gave_up", "01"), ("t-2", "ok", "02"), ("t-3", "ok", "01")]


def test_the_index_of_answers_grows_with_the_journals_and_leaves_half_a_line_for_later(run):
    answered = Answered(run)
    answered.refresh()
    line = json.dumps(verdict("t-2", 2)).encode()
    write_journal(run, "a", verdict("t-1", 1, "gave_up"), rest=line[:20])
    answered.refresh()
    assert not answered.has("t-2", "key of t-2")
    with (run.workers / "a" / "verdicts.jsonl").open("ab") as file:
        file.write(line[20:] + b"\n")
    answered.refresh()
    assert answered.has("t-2", "key of t-2")
    assert not answered.has("t-1", "key of t-1")
    assert answered.has("t-1", "key of t-1", final=False)


def test_journals_that_closing_removes_while_they_are_read_are_passed_over(run):
    for worker in ("a", "b"):
        write_journal(run, worker, verdict(worker, 1))
    lines = Added(run).read()
    next(lines)
    shutil.rmtree(run.workers)
    assert list(lines) == []


def test_what_is_refused_is_kept_with_the_reason_as_far_as_it_is_not_too_long(tmp_path, monkeypatch):
    path = tmp_path / "desk" / "aside.jsonl"
    assert keep_aside(path, b"\xff" + b"x" * 200_000, "why", NOW)
    monkeypatch.setattr(aside_file, "LARGEST", path.stat().st_size + 10)
    assert not keep_aside(path, b"more", "why", NOW)
    (entry,) = read_aside(path)
    assert (entry["reason"], entry["bytes"], len(entry["raw"])) == ("why", 200_001, 99_999 + len(r"\xff"))


def test_half_an_entry_is_not_left_where_the_disk_is_full(tmp_path, monkeypatch):
    path = tmp_path / "aside.jsonl"
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:5]))
    assert not keep_aside(path, b"raw", "why", NOW)
    assert path.read_bytes() == b""


def test_half_an_entry_that_a_killed_process_has_left_stands_in_the_way_of_nothing(tmp_path):
    path = tmp_path / "aside.jsonl"
    path.write_bytes(b'{"refused_at": "2026-07-20", "raw": "t-1, of which half')
    assert keep_aside(path, b"raw", "why", NOW)
    assert count_kept(path) == 2
    assert count_refused(path, {"t-1"}) == forget_refused(path, {"t-1"}) == 1
    assert [entry["raw"] for entry in read_aside(path)] == ["", "raw"]


@pytest.mark.parametrize("name", ["m\u00fcller-1", 'with "quotes"', "\U0001f600"])
def test_a_refused_exchange_is_found_however_the_letters_of_its_id_are_written(tmp_path, name):
    path = tmp_path / "aside.jsonl"
    for is_ascii in (True, False):
        keep_aside(path, json.dumps({"id": name}, ensure_ascii=is_ascii).encode(), "why", NOW)
    assert count_refused(path, {"another"}) == 0
    assert forget_refused(path, {name}) == 2
    assert [entry["raw"] for entry in read_aside(path)] == ["", ""]
