"""Turn the verdicts that people write into `example-verdicts.jsonl`, which the judge `recorded` replays.

Each verdict is tied to the digest of the evidence that it is about: if a turn changes, its verdict no longer counts. A
quote that does not stand in that evidence is refused.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from reportgen.capture.turns import read_turns
from reportgen.judging.evidence import Evidence, build_evidence
from reportgen.judging.quotes import find_quotes
from reportgen.model.rubric import JudgeCall
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Verdict
from reportgen.record import canonical
from reportgen.rubrics import load_rubric

HERE = Path(__file__).resolve().parent
RUBRIC = "rag-1"
NOTE = (
    "The verdicts of this example were written by hand, turn by turn, to show what the program does. They say nothing "
    "about any real assistant or judge. The three calls that failed are made up too."
)


def main() -> None:
    """Write the recorded verdicts into a folder, in the order of turns and calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="the folder for the verdicts")
    header = canonical({"format": "reportgen/recorded/1", "note": NOTE})
    lines = [header, *(canonical(line) for line in record_all())]
    (parser.parse_args().out / "example-verdicts.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))


def record_all() -> Iterator[dict[str, Any]]:
    """The verdicts on all turns.

    Raises:
        SystemExit: There are verdicts on turns that do not exist.
    """
    written = yaml.safe_load((HERE / "verdicts.yaml").read_text("utf-8"))["verdicts"]
    by_turn = {entry["turn"]: entry for entry in written}
    for turn in read_turns(HERE / "turns.jsonl"):
        entry = by_turn.pop(turn.id)
        yield from (record(turn, call, entry[call.id]) for call in load_rubric(RUBRIC).calls)
    if by_turn:
        raise SystemExit(f"verdicts.yaml has verdicts on turns that do not exist: {', '.join(by_turn)}")


def record(turn: Turn, call: JudgeCall, written: dict[str, Any]) -> dict[str, Any]:
    """One verdict with the digest of its evidence: a reply, or a failure with its reason."""
    evidence = build_evidence(turn, call)
    if "outcome" in written:
        return fail(turn, call, evidence, written)
    require_quotes(turn, call, evidence, written["quotes"])
    reply = {
        "quotes": written["quotes"],
        "explanation": written["explanation"],
        "scores": dict.fromkeys(call.scores, written["score"]),
        "verdict": written["verdict"],
        "addressed_judge": written.get("addressed_judge", False),
    }
    return {"turn": turn.id, "call": call.id, "evidence": evidence.digest, "reply": reply}


def fail(turn: Turn, call: JudgeCall, evidence: Evidence, written: dict[str, Any]) -> dict[str, Any]:
    """A call that failed, in the form in which a run keeps it."""
    return Verdict(
        key=evidence.digest,
        turn=turn.id,
        call=call.id,
        judge=Judge(provider="recorded", model="example-verdicts"),
        rubric=RUBRIC,
        evidence=evidence.digest,
        outcome=written["outcome"],
        reason=written["reason"],
        text=written.get("text"),
    ).to_data()


def require_quotes(turn: Turn, call: JudgeCall, evidence: Evidence, quotes: list[str]) -> None:
    """Hold each quote against the evidence.

    Raises:
        SystemExit: One does not stand there.
    """
    for quote, stands in zip(quotes, find_quotes(quotes, evidence.text), strict=True):
        if not stands:
            raise SystemExit(f"{turn.id}, {call.id}: not in the evidence: {quote}")


if __name__ == "__main__":
    main()
