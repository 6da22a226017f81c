"""Two runs of one assistant that retrieves passages, before and after one knob was turned, on disk."""

import json
from pathlib import Path
from typing import Any

from reportgen.judging.evidence import build_evidence
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Turn
from reportgen.rubrics import load_rubric

COUNT = 24
SILENT = 7
"""The turn of which the judge gives no faithfulness."""


def make_turn(number: int, **changes: Any) -> dict[str, Any]:
    """A turn of a handbook assistant; every third one states no latency, two days have no turn at all."""
    latency = {"total_ms": 2000.5 + number, "retrieval_ms": 100 + number, "generation_ms": 1500.0}
    turn = {
        "format": "reportgen/turn/1",
        "id": f"q-{number:03}",
        "captured_at": f"2026-07-{1 + number % 6 + (2 if number % 6 > 3 else 0):02}T22:30:00Z",
        "question": f"What does rule {number} say?",
        "labels": {"collection": "handbook", "strategy": "dense", "client": ("North", "South")[number % 2]},
        "trajectory": [
            {
                "kind": "retrieval",
                "query": f"rule {number}",
                "strategy": "dense",
                "engine": "shelf",
                "top_k": 4,
                "status": "ok",
                "duration_ms": 90,
                "passages": [
                    {
                        "rank": 1,
                        "id": f"p-{number}",
                        "source": "rules.md",
                        "score": 0.5,
                        "text": f"Rule {number}: walk.",
                    }
                ],
            }
        ],
        "answer": {"text": f"Rule {number} says that one walks."},
        "agent": {"name": "handbook-helper", "version": "1.0"},
        "model": "writer-1",
    }
    return turn | ({} if number % 3 == 2 else {"latency": latency}) | changes


def score_turn(number: int, *, better: bool) -> dict[str, float]:
    """Relevance and faithfulness that vary a little; relevance rises where the knob was turned."""
    relevance = (4 + (number * 7) % 9) / 20 + (0.3 + number % 3 / 20 if better else 0)
    return {"context-relevance": round(relevance, 2), "faithfulness": (12 + (number * 5) % 9) / 20}


def write_captures(folder: Path, count: int = COUNT) -> str:
    """Writes `before.jsonl` and `after.jsonl`, and gives the judge that has verdicts on both."""
    rubric = load_rubric("rag-1")
    lines: list[dict[str, Any]] = [{"format": "reportgen/recorded/1", "note": "Made up for a test."}]
    for name, better in (("before", False), ("after", True)):
        turns = [make_turn(number) for number in range(count)]
        if better:
            turns = [turn | {"labels": turn["labels"] | {"strategy": "mmr"}} for turn in turns]
            turns = [turn | {"answer": {"text": turn["answer"]["text"] + " So it is."}} for turn in turns]
            turns = [turn | {"trajectory": [turn["trajectory"][0] | {"strategy": "mmr"}]} for turn in turns]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
        for number, turn in enumerate(turns):
            scores = score_turn(number, better=better)
            lines += [
                _record(turn, call, scores[call.scores[0]])
                for call in rubric.calls
                if not (number == SILENT and call.id == "faithfulness")
            ]
    (folder / "verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"recorded:{folder / 'verdicts.jsonl'}"


def _record(turn: dict[str, Any], call: Any, value: float) -> dict[str, Any]:
    reply = {
        "quotes": [],
        "explanation": f"Explained of {turn['id']} by {call.id}.",
        "scores": {call.scores[0]: value},
        "verdict": "good" if value >= 0.8 else "partial" if value >= 0.5 else "poor",
        "addressed_judge": False,
    }
    evidence = build_evidence(Turn.from_data(turn), call, EvidenceLimits()).digest
    return {"turn": turn["id"], "call": call.id, "evidence": evidence, "reply": reply}
