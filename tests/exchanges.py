"""Exchanges that tests hand in, and how two runs are held against each other."""

import json
from datetime import UTC, datetime

NOW = datetime(2026, 7, 20, 9, tzinfo=UTC)


def make_exchange(number=1, **changed):
    """The fields of a turn."""
    return {
        "id": f"t-{number}",
        "captured_at": f"2026-07-20T08:{number % 60:02}:00Z",
        "question": f"How many sailings are there on line {number}?",
        "trajectory": [
            {"kind": "sql", "text": "SELECT 17 AS n", "status": "ok", "columns": ["n"], "rows": [[17]], "row_count": 1}
        ],
        "answer": {"text": "17 sailings."},
        "agent": {"name": "assistant"},
    } | changed


def essence_of(run):
    """What is in a run but for times, ids, and what the attempts cost."""
    content = json.loads((run / "run.json").read_text())
    for name in ("run_id", "started_at", "finished_at"):
        del content["manifest"][name]
    content["manifest"]["sources"] = [source["sha256"] for source in content["manifest"]["sources"]]
    del content["seal"], content["files"]["verdicts.jsonl"]
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").read_text().splitlines()]
    for verdict in verdicts:
        verdict.pop("attempts", None)
    return content, verdicts, (run / "turns.jsonl").read_bytes(), (run / "scores.jsonl").read_bytes()


def read_aside(path):
    """What was refused and kept, oldest first."""
    return list(map(json.loads, path.read_bytes().splitlines())) if path.exists() else []
