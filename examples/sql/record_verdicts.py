"""Turns `verdicts.yaml`, which people write, into `example-verdicts.jsonl`, which the judge `recorded` replays.

Each verdict is tied to the digest of the evidence that it is about: if a turn changes, its verdict no longer counts.
"""

import argparse
from pathlib import Path

import yaml

from reportgen.capture.segments import split_segments
from reportgen.capture.turns import read_turns
from reportgen.judging.evidence import build_evidence
from reportgen.model.run import EvidenceLimits
from reportgen.record import canonical
from reportgen.rubrics import load_rubric

HERE = Path(__file__).parent
NOTE = (
    "The verdicts of this example were written by hand, turn by turn, to show what the program does. They say nothing "
    "about any real assistant or judge."
)


def record(out: Path) -> None:
    """Writes the recorded verdicts to a file, in the order of the turns."""
    written = yaml.safe_load((HERE / "verdicts.yaml").read_text("utf-8"))["verdicts"]
    by_turn = {entry.pop("turn"): entry for entry in written}
    call = load_rubric("sql-agent-1").calls[0]
    lines = [canonical({"format": "reportgen/recorded/1", "note": NOTE})]
    for captured in read_turns(HERE / "turns.jsonl"):
        for turn in split_segments(captured):
            evidence = build_evidence(turn, call, EvidenceLimits()).digest
            reply = by_turn.pop(turn.id)
            lines.append(canonical({"turn": turn.id, "call": call.id, "evidence": evidence, "reply": reply}))
    if by_turn:
        raise SystemExit(f"verdicts.yaml has verdicts on turns that do not exist: {', '.join(by_turn)}")
    out.write_bytes(b"".join(line + b"\n" for line in lines))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "example-verdicts.jsonl")
    record(parser.parse_args().out)
