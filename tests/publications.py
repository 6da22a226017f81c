"""A small archive of published runs."""

import shutil
from pathlib import Path

import pytest

from reportgen.cli import end_of, reportgen
from reportgen.resources import resource

HOSTILE = "<script>alert(1)</script> & ]]> \u202e 東京"
_TURNS = resource("examples") / "sql" / "turns.jsonl"
_RECORDED = resource("examples") / "sql" / "example-verdicts.jsonl"


def make_archive(folder: Path) -> Path:
    """Four runs in `runs`, of four turns each.

    May is corrected with hostile words, july has another judge than may and june, and one was never published.
    """
    lines = _TURNS.read_text().splitlines(keepends=True)
    shutil.copy(_RECORDED, folder / "other.jsonl")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for number, (name, judge) in enumerate(
            [("may", _RECORDED), ("june", _RECORDED), ("july", "other.jsonl"), ("unpublished", "other.jsonl")]
        ):
            Path("turns.jsonl").write_text("".join(lines[4 * number : 4 * number + 4]))
            _call("judge", "turns.jsonl", "--judge", f"recorded:{judge}", "--run-id", name, "--no-canaries")
        for name in ("may", "june", "july"):
            _call("report", name, "--format", "json", "--generated-at", "2027-02-01T00:00:00Z")
        correction = ("--corrects", "1", "--changed", f"Changed {HOSTILE}", "--reason", f"Reason {HOSTILE}")
        _call("report", "may", "--format", "json", "--generated-at", "2027-03-01T00:00:00Z", *correction)
    return folder


def _call(*arguments: object) -> None:
    code = end_of(lambda: reportgen.main([*map(str, arguments)], "reportgen", standalone_mode=False))
    assert code == 0, arguments
