"""Real captures of programs that retrieve: converted, judged over HTTP by the SDK, rendered, and verified."""

import json
from pathlib import Path

import pytest

from tests.judge_server import served

pytestmark = pytest.mark.real_data

CAPTURES = {
    "rag": "mtrag_samples/responses-10.jsonl",
    "openinference": "openinference/all-spans.json",
    "langfuse": "langfuse_traces/langgraph-python-2025-08-22.trace.json",
    "mlflow": "mlflow_traces/mlflow_demo_traces.json",
}


@pytest.mark.parametrize("form", CAPTURES)
def test_a_real_capture_is_converted_judged_rendered_and_verified(shared, reportgen, tmp_path, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    source = shared / "data" / CAPTURES[form]
    options = ("--out", "turns.jsonl", "--captured-at", "2026-07-01T09:00:00Z")
    converted = reportgen("convert", source, "--from", form, *options)
    assert converted.code == 0, converted.err
    with served(monkeypatch, manner="own-mind"):
        judge = ("--rubric", "rag-1", "--judge", "anthropic:claude-opus-5-5", "--run-id", "real", "--limit", 8, "-q")
        judged = reportgen("judge", "turns.jsonl", *judge)
    assert judged.code == 0, judged.err
    made = reportgen("report", "real", "--format", "html,json", "--out", "out", "-q")
    assert made.code == 0, made.err
    verified = reportgen("verify", "out/report.json")
    assert verified.code == 0, verified.out
    report = json.loads(Path("out/report.json").read_text("utf-8"))
    assert report["run"]["summary"]["scored"] == report["run"]["summary"]["turns"] > 0
    assert {metric["dimension"] for metric in report["findings"]["metrics"]} == {"context-relevance", "faithfulness"}
