"""The last run of the same rubric in an archive, with whose judge that of a new run is compared."""

from collections.abc import Iterator
from pathlib import Path

from reportgen.analysis.spending import RECORDED
from reportgen.archive.store import is_finished, list_folders, load_run
from reportgen.errors import RunError
from reportgen.model.anchor_check import asked_of
from reportgen.model.asked import PANEL, Predecessor
from reportgen.model.run import RunFile
from reportgen.model.verdict import Judge


def find_predecessor(runs: Path, rubric: str, judge: Judge) -> Predecessor | None:
    """The run of that rubric, of whichever version, that was finished last; None where there is none.

    Only runs count that asked a judge about turns of their own: not those that were derived, rescored or rejudged, nor
    replays of recorded verdicts, which themselves have no run before them. A panel comes after the last panel, or where
    there is none after the last single judge; a single judge never after a panel.

    Args:
        runs: The archive.
        rubric: The id of the rubric.
        judge: Who is asked in the new run.
    """
    if judge.provider == RECORDED:
        return None
    is_panel = judge.provider == PANEL
    found = [run for run in _list_plain(runs, rubric) if is_panel or run.manifest.panel is None]
    if not found:
        return None
    last = max(found, key=lambda run: ((run.manifest.panel is not None) == is_panel, _when(run)))
    return Predecessor(run=last.manifest.run_id, seal=last.seal, asked=asked_of(last.manifest))


def _list_plain(runs: Path, rubric: str) -> Iterator[RunFile]:
    """The finished runs of that rubric in which a judge was asked; a damaged one is not this run's concern."""
    for folder in list_folders(runs):
        if not is_finished(folder):
            continue
        try:
            run = load_run(folder)
        except RunError:
            continue
        manifest = run.manifest
        is_plain = manifest.derived is None and manifest.parent is None and manifest.judge.provider != RECORDED
        if manifest.rubric == rubric and is_plain:
            yield run


def _when(run: RunFile) -> tuple[float, str]:
    manifest = run.manifest
    return (manifest.finished_at or manifest.started_at).timestamp(), manifest.run_id
