"""A finished run -> the report of it that stands: what to say of it in a list, and its content as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.records import open_records, require_intact
from reportgen.archive.store import load_run
from reportgen.assembly import assemble_report
from reportgen.errors import RevisionError
from reportgen.model.run import RunFile
from reportgen.model.standing import Standing
from reportgen.pipeline.revising import read_history
from reportgen.publishing.data import render_json
from reportgen.publishing.look.look import PLAIN


@dataclass(frozen=True, slots=True)
class CurrentReport:
    """The latest revision of the report of a run; `standing` is None where it stands."""

    run_id: str
    seal: str
    rubric: str
    judge: str
    turns: int
    scored: int
    revision: int
    generated_at: datetime
    standing: Standing | None


def find_report(folder: Path, run: RunFile) -> CurrentReport | None:
    """The latest revision of the report of a run; None where there is no report yet.

    Raises:
        RunError: The annexes are damaged, or of another run.
    """
    history, manifest = read_history(folder, run), run.manifest
    if history.latest is None:
        return None
    return CurrentReport(
        run_id=manifest.run_id,
        seal=run.seal,
        rubric=f"{manifest.rubric}-{manifest.rubric_version}",
        judge=manifest.judge.name,
        turns=run.summary.turns,
        scored=run.summary.scored,
        revision=history.latest.number,
        generated_at=history.latest.generated_at,
        standing=history.standing(history.latest),
    )


def render_current(folder: Path) -> Iterator[bytes]:
    """The content of the `report.json` of the latest revision, piece by piece; nothing is recorded.

    Raises:
        RevisionError: There is no report yet, or it no longer stands.
        RunError: The run or its annexes are damaged.
    """
    require_intact(folder)
    history = read_history(folder, load_run(folder))
    if history.latest is None or history.is_withdrawn:
        raise RevisionError(f"{folder} has no report that stands", "`reportgen revisions RUN` lists what there is.")
    return render_json(assemble_report(open_records(folder), history.latest, "", PLAIN))
