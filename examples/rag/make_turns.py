"""Write the turns: search the documents for each scripted question and capture what is found.

What was asked and answered, and how long it took, comes from `script/*.yaml`. The passages, their ranks and their
scores are what the search really gave back. Two runs give the same bytes.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from search import Index, cut, read_documents

from reportgen.model.turn import Agent, Answer, Latency, Retrieval, Turn
from reportgen.record import canonical

HERE = Path(__file__).resolve().parent
AGENT = Agent(name="tarnbridge-desk", version="1.8")
MODEL = "lantern-small-1"
KEPT_OF_A_CUT_DOCUMENT = 200
"""How many bytes of each document were in the bad batch; its first paragraph is longer."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The documents that an index was made of, on the evening before its first day."""

    name: str
    first_day: date
    keep_bytes: int | None = None


BATCHES = (
    Batch("2026-09-06", date(2026, 9, 7)),
    Batch("2026-09-13", date(2026, 9, 14)),
    Batch("2026-09-15", date(2026, 9, 16), KEPT_OF_A_CUT_DOCUMENT),
    Batch("2026-09-16", date(2026, 9, 17)),
)


def main() -> None:
    """Play all scripts and write what was captured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="the folder for the turns")
    lines = [canonical(turn.to_data()) + b"\n" for turn in capture_turns()]
    (parser.parse_args().out / "turns.jsonl").write_bytes(b"".join(lines))


def capture_turns() -> Iterator[Turn]:
    """The turns of both weeks in the order of time."""
    for path in sorted((HERE / "script").glob("*.yaml")):
        week = yaml.safe_load(path.read_text(encoding="utf-8"))
        for script in week["turns"]:
            yield capture_turn(script, week["labels"], week["top_k"])


def capture_turn(script: dict[str, Any], labels: dict[str, str], top_k: int) -> Turn:
    """Search for one scripted question, with the index of its day, and join what was found with what was answered."""
    at = datetime.fromisoformat(script["at"])
    batch = [batch for batch in BATCHES if batch.first_day <= at.date()][-1]
    total, retrieval, generation = script["ms"]
    searched = script.get("search") != "none"
    own = {"collection": script["collection"], "surface": script["surface"], "index": batch.name, "top-k": str(top_k)}
    return Turn(
        id=script["id"],
        conversation=script.get("conversation"),
        captured_at=at,
        question=script["question"],
        labels=labels | own,
        trajectory=(retrieve(script, batch, labels, top_k),) if searched else (),
        answer=Answer(text=script.get("answer"), not_captured=script.get("not_captured")),
        agent=AGENT,
        model=MODEL,
        latency=Latency(total_ms=total, retrieval_ms=retrieval if searched else None, generation_ms=generation),
    )


def retrieve(script: dict[str, Any], batch: Batch, labels: dict[str, str], top_k: int) -> Retrieval:
    """The search for one question; a follow-up is searched for in the words that the script gives."""
    query, late = script.get("query", script["question"]), script.get("search") == "timeout"
    return Retrieval(
        query=query,
        strategy=labels["strategy"],
        engine=labels["engine"],
        top_k=top_k,
        status="timeout" if late else "ok",
        error="no answer within 2000 ms" if late else None,
        duration_ms=script["ms"][1],
        passages=None if late else build_index(script["collection"], batch).search(query, top_k),
    )


@cache
def build_index(collection: str, batch: Batch) -> Index:
    """The index of a collection, made of the documents as they came in a batch."""
    documents = read_documents(HERE / "documents" / collection, batch.keep_bytes)
    return Index(list(cut(documents, collection)))


if __name__ == "__main__":
    main()
