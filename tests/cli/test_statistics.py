"""Statistics and raw rows as JSON: the names that dashboards ask for, nulls for what is not known, and no row lost."""

import json
import shutil
from pathlib import Path

import pytest

from reportgen.archive.digests import file_digest
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.publishing.plain_json import write_plain_json
from reportgen.publishing.raw_rows import build_raw_row
from reportgen.rubrics import load_rubric
from tests.metric_runs import COUNT, SILENT, make_turn, score_turn

RUBRIC = load_rubric("rag-1")
AVERAGES = {"avg_faithfulness", "avg_context_relevance"}
LATENCIES = {"avg_total_latency_ms", "avg_retrieval_latency_ms", "avg_generation_latency_ms"}
BESIDES = {"unscored_queries", "counts", "undated_queries", "timezone", "runs", "withdrawn_runs"}


@pytest.fixture(autouse=True)
def _beside_the_runs(metric_runs, monkeypatch):
    monkeypatch.chdir(metric_runs.parent)


def stats(reportgen, *words):
    ended = reportgen("stats", *words)
    assert ended.code == 0, ended.err
    return json.loads(ended.out, parse_constant=pytest.fail)


def test_statistics_have_exactly_the_names_of_the_dashboard_and_those_that_are_documented(reportgen):
    found = stats(reportgen, "before")
    assert set(found) == {
        *("total_queries", "scored_queries", "trend", "worst_queries"),
        *AVERAGES,
        *LATENCIES,
        *BESIDES,
    }
    assert set(found["trend"][0]) == {"date", "count", *AVERAGES}
    named = {"id", "question", "faithfulness_score", "context_relevance_score", "total_latency_ms", "engine"}
    assert set(found["worst_queries"][0]) == {*named, "created_at"}
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    assert all(f"`{name}`" in text for name in {*found, *found["worst_queries"][0], "scorer_error"})


def test_each_average_is_over_its_own_values_on_the_scale_of_the_rubric(reportgen):
    found = stats(reportgen, "before")
    scores = [score_turn(number, better=False) for number in range(COUNT)]
    kept = [item["faithfulness"] for number, item in enumerate(scores) if number != SILENT]
    assert found["avg_faithfulness"] == pytest.approx(sum(kept) / len(kept), abs=1e-6)
    relevance = [item["context-relevance"] for item in scores]
    assert found["avg_context_relevance"] == pytest.approx(sum(relevance) / COUNT, abs=1e-6)
    assert (found["total_queries"], found["scored_queries"]) == (COUNT, COUNT - 1)
    timed = [turn["latency"]["total_ms"] for number in range(COUNT) if "latency" in (turn := make_turn(number))]
    assert found["avg_total_latency_ms"] == pytest.approx(sum(timed) / len(timed), abs=1e-6)
    assert found["counts"] == {
        "faithfulness": COUNT - 1,
        "context_relevance": COUNT,
        **{name.removeprefix("avg_"): len(timed) for name in LATENCIES},
    }


def test_the_worst_are_ten_in_a_stable_order_and_the_unscored_stand_apart(reportgen):
    found = stats(reportgen, "before")
    order = sorted(
        (score_turn(number, better=False)["faithfulness"], number) for number in range(COUNT) if number != SILENT
    )
    assert [item["id"] for item in found["worst_queries"]] == [f"q-{number:03}" for _, number in order[:10]]
    assert [item["faithfulness_score"] for item in found["worst_queries"]] == [value for value, _ in order[:10]]
    (unscored,) = found["unscored_queries"]
    assert (unscored["id"], unscored["faithfulness_score"]) == (f"q-{SILENT:03}", None)
    assert unscored["context_relevance_score"] is not None
    assert "no verdict on this turn is recorded" in unscored["scorer_error"]


@pytest.mark.parametrize(("zone", "first", "empty"), [("UTC", 1, {5, 6}), ("Asia/Tokyo", 2, {6, 7})])
def test_days_are_those_of_the_time_zone_and_days_without_queries_are_gaps(reportgen, zone, first, empty):
    found = stats(reportgen, "before", "--timezone", zone)
    assert [day["date"] for day in found["trend"]] == [f"2026-07-{first + place:02}" for place in range(8)]
    for day in found["trend"]:
        is_empty = int(day["date"][-2:]) in empty
        assert day["count"] == (0 if is_empty else 4)
        assert (day["avg_faithfulness"] is None) is is_empty
    assert found["timezone"] == zone


def test_a_collection_is_over_all_runs_of_the_instrument_of_the_latest_and_counts_no_turn_twice(
    reportgen, metric_runs, tmp_path, monkeypatch
):
    shutil.copytree(metric_runs, tmp_path / "runs")
    for name in ("before.jsonl", "verdicts.jsonl"):
        shutil.copy(metric_runs.parent / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    lines = Path("before.jsonl").read_text().splitlines(keepends=True)
    Path("few.jsonl").write_text("".join(lines[:3]))
    shutil.copy("verdicts.jsonl", "other.jsonl")
    words = ("--rubric", "rag-1", "--judge")
    assert reportgen("judge", "few.jsonl", *words, f"recorded:{metric_runs.parent}/verdicts.jsonl").code == 0
    found = stats(reportgen, "--collection", "handbook")
    assert (found["total_queries"], len(found["runs"])) == (2 * COUNT, 3)
    assert stats(reportgen, "before", "--collection", "handbook")["total_queries"] == COUNT
    assert reportgen("judge", "few.jsonl", *words, "recorded:other.jsonl", "--run-id", "other").code == 0
    ended = reportgen("stats", "--collection", "handbook")
    assert json.loads(ended.out)["runs"] == ["other"]
    assert "another instrument: before, after" in ended.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "Name a run"),
        (("--collection", "none"), 1, "error[run]: No turn in"),
        (("before", "--collection", "none"), 1, "error[run]: No turn in"),
        (("before", "--timezone", "Mars/Base"), 1, "There is no time zone"),
        (("absent",), 1, "error[run]: There is no run"),
    ],
)
def test_what_cannot_be_counted_is_refused(reportgen, words, code, said):
    ended = reportgen("stats", *words)
    assert ended.code == code
    assert said in ended.err


def test_pages_of_records_together_are_all_turns_once(reportgen):
    rows, offset = [], 0
    while offset is not None:
        ended = reportgen("records", "before", "--limit", "7", "--offset", offset)
        assert ended.code == 0, ended.err
        page = json.loads(ended.out)
        assert (page["total"], page["scored"], page["count"]) == (COUNT, COUNT - 1, len(page["records"]))
        rows += page["records"]
        offset = page["next_offset"]
    assert [row["id"] for row in rows] == [f"q-{number:03}" for number in range(COUNT)]
    first, silent = rows[0], rows[SILENT]
    assert (first["engine"], first["retrieval_strategy"], first["top_k"]) == ("shelf", "dense", 4)
    assert first["passages"] == [{"rank": 1, "id": "p-0", "source": "rules.md", "score": 0.5, "text": "Rule 0: walk."}]
    assert (first["model"], first["collection"], first["created_at"]) == (
        "writer-1",
        "handbook",
        "2026-07-01T22:30:00Z",
    )
    assert (first["scorer_error"], first["total_latency_ms"], rows[2]["total_latency_ms"]) == (None, 2000.5, None)
    assert (silent["unscored"], silent["faithfulness_score"]) == ("request_error", None)
    assert silent["scorer_error"]
    beyond = json.loads(reportgen("records", "before", "--offset", COUNT).out)
    assert (beyond["count"], beyond["next_offset"], beyond["records"]) == (0, None, [])


@pytest.mark.parametrize(
    ("labels", "stated", "top_k"),
    [
        ({"top-k": "5"}, None, 5),
        ({"Top_K": "5"}, None, 5),
        ({"top-k": "5"}, 3, 3),
        ({"top-k": "five"}, None, None),
        ({"top-k": "5", "top_k": "7"}, None, 7),
    ],
)
def test_the_label_fills_what_retrievals_do_not_state_however_it_is_spelled(labels, stated, top_k):
    event = {"kind": "retrieval", "status": "ok"} | ({} if stated is None else {"top_k": stated})
    turn = Turn.from_data(make_turn(0, labels=labels, trajectory=[event]))
    score = Score(turn=turn.id, judge="j", rubric=RUBRIC.digest)
    row = build_raw_row(turn, score, RUBRIC)
    assert (row["top_k"], row["labels"]) == (top_k, labels)


def test_a_run_with_a_composite_has_its_score_and_band_beside_the_dimensions(reportgen, demo_run):
    row = json.loads(reportgen("records", demo_run, "--limit", "1").out)["records"][0]
    assert row["band"] in {"good", "partial", "poor"}
    assert 0 <= row["score"] <= 100
    assert (row["passages"], row["engine"]) == (None, None)
    found = stats(reportgen, demo_run)
    scores = [query["score"] for query in found["worst_queries"]]
    assert scores == sorted(scores)
    assert found["avg_total_latency_ms"] is None
    assert {"avg_score", "avg_sql_quality"} <= set(found)


def test_a_report_gives_the_same_as_its_run(reportgen, tmp_path):
    assert reportgen("report", "before", "--format", "json", "--out", tmp_path).code == 0
    for words in (("stats",), ("records",)):
        assert reportgen(*words, tmp_path / "report.json").out == reportgen(*words, "before").out


def test_nothing_in_it_acts_on_a_terminal_and_it_is_the_same_text_for_a_program():
    text = 'a\x1b[2J"\u202e\x9b é 東 \U000e0041'
    written = write_plain_json({"question": text})
    assert written.isprintable()
    assert "é 東" in written
    assert json.loads(written) == {"question": text}


def test_a_site_has_both_as_files_that_it_lists_and_replaces(reportgen, tmp_path, monkeypatch):
    shutil.copytree("runs", tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    assert reportgen("report", "before", "--format", "json").code == 0
    for _ in range(2):
        ended = reportgen("site", "runs", "--format", "json")
        assert ended.code == 0, ended.err
    (listed,) = json.loads(Path("site/site.json").read_text())["runs"]
    assert list(listed["data"]) == ["reports/before/records-0001.json", "reports/before/stats.json"]
    for name, digest in listed["data"].items():
        assert file_digest(Path("site", name)) == digest
        assert f'href="{name}"' in Path("site/index.html").read_text()
    assert json.loads(Path("site/reports/before/stats.json").read_text()) == stats(reportgen, "before")
    assert len(json.loads(Path("site/reports/before/records-0001.json").read_text())["records"]) == COUNT
    Path("site/reports/before/stats.json").write_text("mine")
    assert reportgen("site", "runs", "--format", "json").code == 1
