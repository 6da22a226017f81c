"""Two periods of one assistant: runs on disk in which one client got worse, and rows of turns for the analysis."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportgen.judging.evidence import build_evidence
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Turn
from reportgen.rubrics import load_rubric

CLIENTS = ("Northgate", "Eastmoor", "Southwick", "Westlea", "Lowfield", "Highcroft")
DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")


def make_turn(number: int, month: int, **changes: Any) -> dict[str, Any]:
    """A turn of June or July: the same question, another answer."""
    return {
        "format": "reportgen/turn/1",
        "id": f"t-{number:03}",
        "captured_at": f"2026-0{month}-{1 + number % 10:02}T09:00:00Z",
        "question": f"How many parcels left depot {number}?",
        "labels": {"client": CLIENTS[number % len(CLIENTS)], "surface": ("web", "mail")[number // 6 % 2]},
        "trajectory": [],
        "answer": {"text": f"{number} parcels left in month {month}."},
        "agent": {"name": "helper", "version": "1.0"},
    } | changes


def score_turn(number: int, month: int) -> list[int]:
    """Subscores that vary a little; in July those of one client fall."""
    base = [10, 10 - number % 4, 9 - (number * number + number // 7 + month) % 3, 9]
    if month == 7 and CLIENTS[number % len(CLIENTS)] == "Eastmoor":
        return [base[0], base[1] - 4, base[2] - 5, base[3] - number % 5]
    return base


def write_captures(
    folder: Path, count: int = 90, change: Callable[[dict[str, Any]], dict[str, Any]] = lambda turn: turn
) -> str:
    """Writes `june.jsonl` and `july.jsonl`, and gives the judge that has verdicts on both; `change` alters July."""
    lines: list[dict[str, Any]] = [{"format": "reportgen/recorded/1", "note": "Made up for a test."}]
    for month, name in ((6, "june"), (7, "july")):
        turns = [make_turn(number, month) for number in range(count)]
        turns = [change(turn) for turn in turns] if month == 7 else turns
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
        lines += [_record(turn, score_turn(number, month), month) for number, turn in enumerate(turns)]
    (folder / "verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"recorded:{folder / 'verdicts.jsonl'}"


def _record(turn: dict[str, Any], scores: list[int], month: int) -> dict[str, Any]:
    (call,) = load_rubric("sql-agent-1").calls
    reply = {
        "quotes": [],
        "explanation": f"Explained of {turn['id']} in month {month}.",
        "scores": dict(zip(DIMENSIONS, scores, strict=True)),
        "verdict": "good",
        "addressed_judge": False,
    }
    evidence = build_evidence(Turn.from_data(turn), call, EvidenceLimits()).digest
    return {"turn": turn["id"], "call": call.id, "evidence": evidence, "reply": reply}
