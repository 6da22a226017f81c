"""What the server answers: the same as the commands, of the archive at that moment, and of internal runs only."""

import json
import os
import shutil
from pathlib import Path

import pytest

from reportgen.serving.desk import Desk
from tests.metric_runs import COUNT
from tests.serving.conftest import serve


def commanded(reportgen, *words):
    ended = reportgen(*words)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_statistics_are_those_of_the_command(server, served_runs, reportgen, zone):
    words = ("stats", "--collection", "handbook", "--runs", served_runs, "--timezone", zone)
    expected = commanded(reportgen, *words) | {"left_out_runs": []}
    assert server.json("/evals/handbook/stats", params={"timezone": zone}) == expected
    if zone == "UTC":
        assert server.json("/evals/handbook/stats") == expected


def test_pages_of_rows_together_are_all_turns_once_and_as_many_as_the_statistics_say(server, served_runs, reportgen):
    rows, offset = [], 0
    while offset is not None:
        page = server.json("/evals/handbook", params={"limit": 7, "offset": offset})
        assert (page["total"], page["scored"], page["count"]) == (2 * COUNT, 2 * COUNT - 2, len(page["records"]))
        rows += page["records"]
        offset = page["next_offset"]
    for number, run in enumerate(("before", "after")):
        expected = commanded(reportgen, "records", run, "--runs", served_runs)["records"]
        assert rows[number * COUNT : (number + 1) * COUNT] == [{"run": run, **row} for row in expected]
    beyond = server.json("/evals/handbook", params={"offset": 1_000_000_000})
    assert (beyond["count"], beyond["next_offset"], beyond["records"]) == (0, None, [])


def test_a_turn_that_several_runs_hold_is_the_latest_ones_and_counts_once(runs, metric_runs, reportgen, monkeypatch):
    monkeypatch.chdir(metric_runs.parent)
    few = runs.parent / "few.jsonl"
    few.write_text("".join(Path("before.jsonl").read_text().splitlines(keepends=True)[2:5]))
    words = ("--judge", f"recorded:{metric_runs.parent}/verdicts.jsonl", "--rubric", "rag-1", "--run-id", "again")
    assert reportgen("judge", few, *words, "--runs", runs).code == 0
    server = serve(runs)
    found = server.json("/evals/handbook", params={"limit": 500})
    assert (found["total"], found["runs"]) == (2 * COUNT, ["before", "after", "again"])
    assert [row["id"] for row in found["records"] if row["run"] == "again"] == ["q-002", "q-003", "q-004"]
    assert server.json("/evals/handbook/stats")["total_queries"] == found["total"]


def test_runs_by_another_instrument_are_left_out_and_named(runs, metric_runs, reportgen, monkeypatch):
    monkeypatch.chdir(metric_runs.parent)
    other = shutil.copy("verdicts.jsonl", runs.parent / "other.jsonl")
    words = ("--judge", f"recorded:{other}", "--rubric", "rag-1", "--run-id", "other", "--runs", runs)
    assert reportgen("judge", "before.jsonl", *words).code == 0
    found = serve(runs).json("/evals/handbook/stats")
    assert (found["runs"], found["left_out_runs"]) == (["other"], ["before", "after"])


def test_a_report_is_the_file_that_was_published(server, served_runs):
    listed = server.json("/reports", params={"offset": 1})
    assert (listed["total"], listed["count"], listed["next_offset"]) == (2, 1, None)
    (item,) = listed["reports"]
    assert (item["run"], item["state"], item["revision"]) == ("before", "current", 1)
    answer = server.get(item["path"])
    assert answer.content == (served_runs.parent / "reports" / "report.json").read_bytes()


def test_runs_for_clients_are_not_served_and_runs_without_a_report_have_none(server):
    for name in ("north", "after", "absent", "before.json", "annexes"):
        assert server.get(f"/reports/{name}").status_code == 404, name
    assert {row["run"] for row in server.json("/evals/handbook")["records"]} <= {"before", "after"}


def test_a_report_that_was_withdrawn_is_gone_and_listed_as_such(runs, reportgen):
    server = serve(runs)
    assert server.get("/reports/before").status_code == 200
    assert reportgen("withdraw", "before", "--reason", "Wrong turns.", "--runs", runs).code == 0
    gone = server.get("/reports/before")
    assert (gone.status_code, gone.json()["status"]) == (410, 410)
    assert [item["state"] for item in server.json("/reports")["reports"]] == ["current", "withdrawn"]


def test_statistics_and_rows_say_whose_report_was_withdrawn(runs, reportgen):
    server, paths = serve(runs), ("/evals/handbook", "/evals/handbook/stats")
    assert [server.json(path)["withdrawn_runs"] for path in paths] == [[], []]
    assert reportgen("withdraw", "before", "--reason", "Wrong turns.", "--runs", runs).code == 0
    assert [server.json(path)["withdrawn_runs"] for path in paths] == [["before"], ["before"]]
    words = ("stats", "--collection", "handbook", "--runs", runs)
    assert commanded(reportgen, *words)["withdrawn_runs"] == ["before"]
    for run in ("before", "after"):
        assert commanded(reportgen, "stats", run, "--runs", runs)["withdrawn_runs"] == ["before"] * (run == "before")
        assert commanded(reportgen, "records", run, "--runs", runs)["withdrawn"] is (run == "before")


def test_a_run_whose_folder_was_copied_or_linked_counts_once(runs, reportgen):
    shutil.copytree(runs / "before", runs / "a-copy", copy_function=shutil.copy2)
    (runs / "a-link").symlink_to(runs / "before", target_is_directory=True)
    (runs / "after").rename(runs / "renamed")
    server = serve(runs)
    for _ in range(2):
        found = server.json("/evals/handbook", params={"limit": 500})
        assert (found["total"], found["runs"]) == (2 * COUNT, ["before", "after"])
    assert server.json("/evals/handbook/stats")["runs"] == ["before", "after"]
    words = ("stats", "--collection", "handbook", "--runs", runs)
    assert commanded(reportgen, *words)["runs"] == ["before", "after"]
    assert [item["path"] for item in server.json("/reports")["reports"] if item["run"] == "before"] == [
        "/reports/before"
    ]
    assert server.get("/reports/a-copy").status_code == 404
    assert reportgen("erase", "before", "q-003", "--reason", "Request", "--runs", runs).code == 0
    for path in ("/evals/handbook?limit=500", "/evals/handbook/stats"):
        assert "What does rule 3 say?" not in server.get(path).text


def test_a_new_run_and_an_erasure_are_seen_at_once(runs, served_runs, reportgen):
    shutil.rmtree(runs / "after")
    server = serve(runs)
    assert server.json("/evals/handbook")["total"] == COUNT
    shutil.copytree(served_runs / "after", runs / "after")
    assert server.json("/evals/handbook")["total"] == 2 * COUNT
    assert "What does rule 3 say?" in server.get("/evals/handbook").text
    assert reportgen("erase", "before", "q-003", "--reason", "Request", "--runs", runs).code == 0
    for path in ("/evals/handbook?limit=500", "/evals/handbook/stats", "/reports/before"):
        answer = server.get(path)
        assert (answer.status_code, "What does rule 3 say?" in answer.text) == (200, False), path
    (runs / "before" / "erasing.json").write_text("{}")
    assert server.get("/evals/handbook").status_code == 503


def test_a_run_that_changes_while_it_is_read_is_read_again(runs, served_runs, monkeypatch):
    server, changes = serve(runs), ["once"]
    from reportgen.serving import desk

    original = desk.measure_collection

    def measure(*words):
        found = original(*words)
        if changes:
            changes.pop()
            (runs / "before" / "turns.jsonl").touch()
        return found

    monkeypatch.setattr(desk, "measure_collection", measure)
    assert server.json("/evals/handbook/stats")["total_queries"] == 2 * COUNT
    assert not changes


def test_a_run_that_was_changed_stops_all_collections_and_its_own_report_and_says_which_to_the_publisher_alone(runs):
    server = serve(runs)
    lines = (runs / "before" / "scores.jsonl").read_text()
    (runs / "before" / "scores.jsonl").write_text(lines.replace("0.2", "0.9"))
    for path in ("/evals/handbook", "/evals/handbook/stats", "/evals/none", "/reports", "/reports/before"):
        answer = server.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5"), path
        assert str(runs) not in answer.text
        assert "before" not in answer.text
    assert server.get("/health").json() == {"status": "ok"}
    assert len([line for line in server.told if "run before cannot be served" in line]) == 1
    (runs / "before" / "scores.jsonl").write_text(lines)
    assert server.json("/evals/handbook")["total"] == 2 * COUNT
    shutil.rmtree(runs)
    assert server.get("/evals/handbook").status_code == 503


@pytest.mark.parametrize("path", ["/evals/handbook", "/evals/handbook/stats", "/reports/before"])
def test_a_change_is_seen_where_size_and_time_of_the_file_were_set_back(runs, path):
    server, file = serve(runs), runs / "before" / "scores.jsonl"
    assert server.get(path).status_code == 200
    before = file.stat()
    with file.open("r+b") as opened:
        content = opened.read()
        opened.seek(content.index(b"0.2"))
        opened.write(b"0.9")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert server.get(path).status_code == 503


def test_a_failure_of_the_program_tells_nothing_of_this_machine(served_runs, monkeypatch):
    server = serve(served_runs)
    monkeypatch.setattr(Desk, "rows", lambda *_: 1 / 0)
    answer = server.get("/evals/handbook")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "division" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_report_is_worked_out_once_until_its_run_changes(runs, reportgen, monkeypatch, tmp_path):
    from reportgen.serving import desk

    done, asked = desk.render_current, []
    monkeypatch.setattr(desk, "render_current", lambda folder: asked.append(folder.name) or done(folder))
    server = serve(runs)
    first = server.get("/reports/before").content
    assert (server.get("/reports/before").content, asked) == (first, ["before"])
    options = ["--runs", runs, "--format", "json", "--out", tmp_path / "out", "--generated-at", LATER]
    assert reportgen("report", "before", *options).code == 0
    second = server.get("/reports/before").content
    assert (second != first, asked) == (True, ["before"] * 2)
    monkeypatch.setattr(desk, "_KEPT_REPORTS", 100)
    server = serve(runs)
    assert [server.get("/reports/before").content for _ in range(2)] == [second] * 2
    assert len(asked) == 4, "what is too large is not kept"


LATER = "2027-03-01T00:00:00Z"
