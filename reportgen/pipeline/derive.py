"""New runs from old ones: the same verdicts under another rubric."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from reportgen import __version__
from reportgen.archive.files import write_whole
from reportgen.archive.records import open_records
from reportgen.archive.store import TURNS, VERDICTS, read_lines
from reportgen.errors import RubricError
from reportgen.judging.canaries import check_canary
from reportgen.judging.prompts import build_system
from reportgen.model.canary import Canary
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, RunFile
from reportgen.pipeline.begin import begin_folder, choose_run_id, name_parent, require_unchanged_rubric
from reportgen.pipeline.finish import finish_run
from reportgen.rubrics import load_rubric


def rescore_run(parent: Path, rubric_name: str, runs: Path, run_id: str | None, clock: Callable[[], datetime]) -> Path:
    """Scores the verdicts of a finished run by another rubric, as a new run that names its parent.

    Raises:
        RubricError: The verdicts hold no subscore for a dimension of the rubric.
        RunError: The new run cannot be written.
    """
    rubric = load_rubric(rubric_name)
    old = open_records(parent).run
    _require_same_dimensions(old.rubric, rubric)
    require_unchanged_rubric(runs, rubric)
    now = clock()
    manifest = _child_manifest(old, rubric, run_id or choose_run_id(runs, now, rubric, old.manifest.judge), now)
    with begin_folder(runs, manifest) as folder:
        for name in (TURNS, VERDICTS):
            write_whole(folder / name, (line + b"\n" for line in read_lines(parent / name)))
        finish_run(folder, manifest, rubric, old.system_prompts, clock(), _check_again(old, rubric))
    return folder


def _require_same_dimensions(old: Rubric, new: Rubric) -> None:
    """The verdicts must answer what the new rubric asks: the same calls, evidence and prompts, on the same scale."""
    if old.scale != new.scale:
        raise RubricError(f"{new.id}-{new.version} has another scale than the run", "Ask the judge anew: rejudge.")
    if [(call.id, call.sees, build_system(old, call)) for call in old.calls] != [
        (call.id, call.sees, build_system(new, call)) for call in new.calls
    ]:
        what = f"{new.id}-{new.version} asks something else of the judge than the rubric of the run"
        raise RubricError(
            what, "Only weights, caps, bands and the words around them may differ; else ask anew: rejudge."
        )
    asked = {call.id: set(call.scores) for call in old.calls}
    for call in new.calls:
        if missing := sorted(set(call.scores) - asked.get(call.id, set())):
            raise RubricError(
                f"The verdicts of the run hold no subscore for {', '.join(missing)}", "Ask the judge anew: rejudge."
            )


def _check_again(old: RunFile, rubric: Rubric) -> list[Canary] | None:
    """The canaries of the run, held against the arithmetic of the other rubric."""
    if old.canaries is None:
        return None
    return [check_canary(canary, canary.verdicts, rubric, old.manifest.judge.name) for canary in old.canaries]


def _child_manifest(old: RunFile, rubric: Rubric, run_id: str, now: datetime) -> Manifest:
    changed = {
        "run_id": run_id,
        "program": f"reportgen {__version__}",
        "rubric": rubric.id,
        "rubric_version": rubric.version,
        "rubric_digest": rubric.digest,
        "started_at": now,
        "finished_at": None,
        "parent": name_parent(old, "rescored"),
        "erasures": old.manifest.inherited_erasures,
    }
    return old.manifest.model_copy(update=changed)
