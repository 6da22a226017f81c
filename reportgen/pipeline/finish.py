"""Turns and verdicts -> scores, summary and seal: the free and repeatable half of a run."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from reportgen.analysis.rows import TurnRow
from reportgen.analysis.summary import build_summary
from reportgen.archive.store import SCORES, TURNS, VERDICTS, read_records, save_lines, seal_run
from reportgen.assembly import VerdictGroups, build_entry
from reportgen.model.canary import Canary
from reportgen.model.rubric import Rubric
from reportgen.model.run import FORMAT, Manifest, RunFile
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.scoring.composite import score_turn


def finish_run(  # noqa: PLR0917 - all that a run file is made of
    folder: Path,
    manifest: Manifest,
    rubric: Rubric,
    system_prompts: dict[str, str],
    now: datetime,
    canaries: Sequence[Canary] | None = None,
) -> RunFile:
    """Scores each turn, sums up, and seals the run; its `verdicts.jsonl` is complete and in the order of the turns."""
    rows: list[TurnRow] = []
    save_lines(folder / SCORES, _score_all(folder, manifest, rubric, rows))
    content: dict[str, Any] = {
        "format": FORMAT,
        "manifest": manifest.model_copy(update={"finished_at": now}).to_data(),
        "rubric": rubric.to_data(),
        "system_prompts": system_prompts,
        "summary": build_summary(rows, rubric).to_data(),
    }
    if canaries is not None:
        content["canaries"] = [canary.to_data() for canary in canaries]
    return seal_run(folder, content)


def _score_all(folder: Path, manifest: Manifest, rubric: Rubric, rows: list[TurnRow]) -> Iterator[Score]:
    """The scores one by one; what the summary needs of each turn is gathered on the way."""
    groups = VerdictGroups(read_records(Verdict, folder / VERDICTS))
    limits = manifest.evidence
    for number, turn in enumerate(read_records(Turn, folder / TURNS), start=1):
        verdicts = groups.take(turn.id)
        score = score_turn(turn, verdicts, rubric, manifest.judge.name)
        rows.append(build_entry(number, turn, verdicts, score, rubric, limits).row)
        yield score
