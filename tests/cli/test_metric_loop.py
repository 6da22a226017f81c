"""The loop over runs without a composite: compare, baseline, trend, gates, summary, site; each metric is named."""

import json
import shutil
from pathlib import Path

import pytest

from reportgen.archive.records import open_records
from reportgen.pipeline.comparing import build_baseline
from reportgen.pipeline.lineage import find_earlier

NAMES = ("Context relevance", "Faithfulness")


@pytest.fixture(autouse=True)
def _beside_a_copy(metric_runs, tmp_path, monkeypatch):
    shutil.copytree(metric_runs, tmp_path / "runs")
    monkeypatch.chdir(tmp_path)


def test_compare_has_the_metrics_as_its_headline_and_says_what_to_keep(reportgen):
    ended = reportgen("compare", "before", "after")
    assert ended.code == 0, ended.err
    assert "Keep the change of strategy: Context relevance rose by 35.0 points" in ended.out
    assert "Differs between the runs: strategy: dense before, mmr now" in ended.out
    for name in NAMES:
        assert f"{name}, in percent of its scale\nThe mean went from " in ended.out
    assert "mean –" not in ended.out
    assert "cannot be compared" not in ended.out
    assert "A: context-relevance: Explained of q-" in ended.out
    found = json.loads(reportgen("compare", "before", "after", "--format", "json").out)
    assert [metric["outcome"] for metric in found["comparison"]["metrics"]] == ["better", "no-difference-found"]
    assert found["comparison"]["knobs"] == [
        {"name": "strategy", "before": {"dense": 24}, "after": {"mmr": 24}, "turned": True}
    ]
    moved = {mover["turn"] for metric in found["comparison"]["metrics"] for mover in metric["movers"]}
    assert moved == set(found["explanations"]["after"])


def test_a_report_with_a_baseline_shows_the_same_and_can_be_recomputed(reportgen):
    assert reportgen("report", "after", "--baseline", "before", "--format", "html,json").code == 0
    page = Path("reports/after/report.html").read_text()
    assert "Keep the change of strategy" in page
    assert 'id="moved-most-context-relevance"' in page
    assert "+35.0 points" in page
    verified = reportgen("verify", "reports/after/report.json")
    assert verified.code == 0, verified.out
    baseline = build_baseline(open_records(Path("runs/before")), open_records(Path("runs/after")))
    assert baseline.turns[0].knobs == {"engine": "shelf", "strategy": "dense", "top_k": "4", "model": "writer-1"}


def test_earlier_runs_give_each_metric_a_series_of_its_own(reportgen, metric_runs):
    lines = [json.loads(line) for line in (Path("runs/after/turns.jsonl")).read_text().splitlines()]
    later = [line | {"captured_at": line["captured_at"].replace("2026-07", "2026-08")} for line in lines]
    Path("later.jsonl").write_text("".join(json.dumps(line) + "\n" for line in later))
    verdicts = [json.loads(line) for line in (metric_runs.parent / "verdicts.jsonl").read_text().splitlines()]
    of_any_evidence = [{key: value for key, value in line.items() if key != "evidence"} for line in verdicts]
    Path("any.jsonl").write_text("".join(json.dumps(line) + "\n" for line in of_any_evidence))
    judge = "recorded:any.jsonl"
    assert reportgen("judge", "later.jsonl", "--judge", judge, "--rubric", "rag-1", "--run-id", "later").code == 0
    earlier = find_earlier(open_records(Path("runs/later")), Path("runs"))
    assert [run.run for run in earlier] == ["after", "before"]
    assert [item.dimension for item in earlier[0].metrics] == ["context-relevance", "faithfulness"]
    assert reportgen("report", "later", "--trend", "--format", "html,json").code == 0
    found = json.loads(Path("reports/later/report.json").read_text())["findings"]["metrics"]
    for metric in found:
        assert [point["run"] for point in metric["runs"]] == ["after", "before", "later"]
        assert all(point["mean"]["value"] for point in metric["runs"])
        assert [bool(point["breaks"]) for point in metric["runs"]] == [False, False, True]
    assert Path("reports/later/report.html").read_text().count("Beside earlier runs") == 2
    assert reportgen("verify", "reports/later/report.json").code == 0


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ("metrics_at_least: {faithfulness: 70}", "passed     mean of faithfulness at least 70: 78.5"),
        ("metrics_at_least: {context-relevance: 70}", "failed     mean of context-relevance at least 70: 40.0"),
        ("metrics_at_least: {other: 70}", "undecided  mean of other at least 70: the rubric has no such metric"),
        ("mean_at_least: 70", "undecided  mean score at least 70: the rubric has no composite"),
        ("poor_share_at_most: 1", "undecided  share of the band poor at most 100 %: the rubric has no composite"),
        ("unscored_share_at_most: 0.1", "passed     share of turns without a score at most 10 %: 4.2 %"),
        (
            "strata: [{label: client, value: North, metric: faithfulness, mean_at_least: 70}]",
            "passed     mean of faithfulness for client North at least 70: 76.3",
        ),
        (
            "strata: [{label: client, value: North, mean_at_least: 70}]",
            "undecided  mean score for client North at least 70: the rubric has no composite",
        ),
    ],
)
def test_a_gate_holds_a_metric_or_says_why_it_cannot(reportgen, gates, said):
    Path("config.yaml").write_text(f"gates:\n  {gates}\n")
    ended = reportgen("gate", "before")
    assert ended.out.startswith(said)
    assert ended.code == (0 if said.startswith("passed") else 4)


def test_a_rubric_with_a_composite_has_no_metric_for_a_gate(reportgen, demo_run):
    Path("config.yaml").write_text("gates:\n  metrics_at_least: {sql-quality: 50}\n")
    assert "has a composite, and so no metrics" in reportgen("gate", demo_run).out


def test_the_site_of_one_run_without_a_composite_speaks_of_no_score(reportgen):
    shutil.rmtree("runs/after")
    assert reportgen("report", "before", "--format", "json").code == 0
    assert reportgen("site", "runs", "--format", "json").code == 0
    page = Path("site/index.html").read_text()
    assert "<h2>Means by run</h2>" in page
    assert "it takes two reports that stand and have a mean of the same kind." in page
    assert "Mean score" not in page


def test_lists_summaries_and_the_site_name_the_metrics(reportgen):
    listed = reportgen("runs", "list").out
    assert "Context relevance 40.0, Faithfulness 78.5" in listed
    assert reportgen("export", "before", "--format", "md").code == 0
    summary = Path("reports/before/summary.md").read_text()
    assert summary.startswith("### Answer quality: Context relevance 40.0, Faithfulness 78.5\n")
    assert "**Lowest turns by Faithfulness:**" in summary
    for run in ("before", "after"):
        assert reportgen("report", run, "--format", "json").code == 0
    assert reportgen("site", "runs", "--format", "json").code == 0
    page = Path("site/index.html").read_text()
    for name in NAMES:
        assert f"<h2>{name} by run</h2>" in page
        assert f'<p class="run-figure">{name} <strong>' in page
    assert "<p>Lowest by Faithfulness:</p>" in page
    assert "Faithfulness 78.5 (72.4 to 83.5)" in Path("site/feed.xml").read_text()
    for text in (listed, summary, page):
        assert not any(nothing in text for nothing in ("mean –", "No mean", "no mean", "no score"))
