"""Turns the verdicts that people write into `example-verdicts.jsonl`, which the judge `recorded` replays.

Both months share that file, so that one judge, by name and digest, speaks in both.
Each verdict is tied to the digest of the evidence that it is about: if a turn changes, its verdict no longer counts.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import yaml

from reportgen.capture.segments import split_segments
from reportgen.capture.turns import read_turns
from reportgen.judging.evidence import build_evidence
from reportgen.model.run import EvidenceLimits
from reportgen.record import canonical
from reportgen.rubrics import load_rubric

HERE = Path(__file__).parent
MONTHS = {"turns.jsonl": "verdicts.yaml", "turns-august.jsonl": "verdicts-august.yaml"}
"""The turns of each month, and the verdicts on them."""
NOTE = (
    "The verdicts of this example were written by hand, turn by turn, to show what the program does. They say nothing "
    "about any real assistant or judge."
)


def record(out: Path) -> None:
    """Writes the recorded verdicts into a folder, in the order of the turns."""
    header = canonical({"format": "reportgen/recorded/1", "note": NOTE})
    lines = [header, *(line for turns, verdicts in MONTHS.items() for line in read_month(turns, verdicts))]
    (out / "example-verdicts.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))


def read_month(turns: str, verdicts: str) -> Iterator[bytes]:
    """The verdicts of one month, each with the digest of its evidence.

    Raises:
        SystemExit: There are verdicts on turns that do not exist.
    """
    written = yaml.safe_load((HERE / verdicts).read_text("utf-8"))["verdicts"]
    by_turn = {entry.pop("turn"): entry for entry in written}
    call = load_rubric("sql-agent-1").calls[0]
    for captured in read_turns(HERE / turns):
        for turn in split_segments(captured):
            evidence = build_evidence(turn, call, EvidenceLimits()).digest
            yield canonical({"turn": turn.id, "call": call.id, "evidence": evidence, "reply": by_turn.pop(turn.id)})
    if by_turn:
        raise SystemExit(f"{verdicts} has verdicts on turns that do not exist: {', '.join(by_turn)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="the folder for the verdicts")
    record(parser.parse_args().out)
