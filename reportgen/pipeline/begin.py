"""The beginning of a run: its id, its folder, and the rule that a published rubric never changes."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reportgen.archive.lock import LOCK
from reportgen.archive.open_runs import OPEN
from reportgen.archive.store import (
    ANCHORS,
    DRAFT,
    RUN,
    TURNS,
    VERDICTS,
    create_folder,
    is_closed,
    is_finished,
    list_folders,
    load_draft,
    save_draft,
)
from reportgen.errors import RubricError, RunError, TermsError
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, Parent, Relation, RunFile
from reportgen.model.verdict import Judge
from reportgen.pipeline.intake import SET_ASIDE

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")


def choose_run_id(runs: Path, now: datetime, rubric: Rubric, judge: Judge) -> str:
    """A readable id that sorts by time, such as `2026-07-20T0900Z-sql-agent-1-opus-5-5`, not in use yet."""
    model = re.sub(r"[^a-z0-9]+", "-", judge.model.lower()).strip("-").removeprefix("claude-")[:40]
    stem = f"{now.astimezone(UTC):%Y-%m-%dT%H%MZ}-{rubric.id}-{rubric.version}-{model}"
    number, run_id = 1, stem
    while (runs / run_id).exists():
        number += 1
        run_id = f"{stem}-{number}"
    return run_id


def name_parent(run: RunFile, relation: Relation) -> Parent:
    """How a new run names the one that it was made from."""
    return Parent(run=run.manifest.run_id, seal=run.seal, relation=relation)


def require_texts(run: RunFile) -> None:
    """Makes sure that the turns of a run have their texts, so that a judge can be asked about them.

    Raises:
        RunError: Those of some were erased.
    """
    if erased := run.manifest.erased:
        raise RunError(
            f"The texts of {len(erased)} turns of the run {run.manifest.run_id} were erased; no judge can read them",
            "Judge a capture without these turns.",
        )


def find_unfinished(runs: Path, run_id: str | None, rubric: Rubric, judge: Judge) -> Path:
    """The unfinished run to go on with: the one of that id, or the latest by the same rubric and judge.

    Raises:
        RunError: There is none, or it is finished.
    """
    if run_id is not None:
        require_plain_id(run_id)
        folder = runs / run_id
        require_unclosed(folder)
        if not _has_begun(folder):
            raise RunError(f"There is no unfinished run {folder}", "Leave out --resume to begin one, by another id.")
        return folder
    for folder in reversed(list_folders(runs)):
        if not is_closed(folder) and _is_of(load_draft(folder), rubric, judge):
            return folder
    raise RunError(
        f"There is no unfinished run in {runs} by this rubric and judge", "Name it by --run-id, or begin a new one."
    )


_FIRST = {LOCK, VERDICTS, TURNS, SET_ASIDE}
"""What is in the folder of a run before its draft."""


def _has_begun(folder: Path) -> bool:
    """Whether there is a run in the folder, even one that was cut off before it had a draft."""
    if (folder / DRAFT).is_file():
        return True
    return folder.is_dir() and all(path.name in _FIRST or path.suffix == ".part" for path in folder.iterdir())


def require_unclosed(folder: Path) -> None:
    """Makes sure that there is something left to do for a run.

    Raises:
        RunError: It is finished.
    """
    if is_closed(folder):
        raise RunError(f"The run {folder} is finished", f"Publish it: `reportgen report {folder.name}`.")


_TERMS = ("judge", "rubric_digest", "evidence", "seed", "repeats", "parent")
"""What must be the same when a run goes on, so that no verdict that was paid for is dropped unseen."""


def require_same_terms(draft: Manifest, manifest: Manifest) -> None:
    """Makes sure that a run goes on as it began.

    Raises:
        TermsError: It began on other terms; the message names each with both values.
    """
    one, other = draft.to_data(), manifest.to_data()
    changed = [
        f"{name} was {one.get(name)}, is {other.get(name)}" for name in _TERMS if one.get(name) != other.get(name)
    ]
    if changed:
        raise TermsError(
            f"The run {draft.run_id} began on other terms: {'; '.join(changed)}",
            "Resume it with the options that it began with, or begin a new run.",
        )


def _is_of(draft: Manifest, rubric: Rubric, judge: Judge) -> bool:
    return draft.rubric_digest == rubric.digest and draft.judge == judge


def require_plain_id(run_id: str) -> None:
    """Makes sure that a run id is a plain name of a folder, and not that of a room of the archive.

    Raises:
        RunError: It is not.
    """
    if run_id == ANCHORS:
        raise RunError(f"{run_id} cannot be the id of a run: frozen anchors are kept there", "Choose another --run-id.")
    if run_id == OPEN:
        raise RunError(f"{run_id} cannot be the id of a run: open runs are kept there", "Choose another --run-id.")
    if not _ID.fullmatch(run_id):
        raise RunError(f"{run_id!r} cannot be the id of a run", "Use letters, digits, dots, dashes and underscores.")


@contextmanager
def begin_folder(runs: Path, manifest: Manifest) -> Iterator[Path]:
    """A new run folder with its draft; it goes again where the work in the block fails, so nothing stays half-done."""
    require_plain_id(manifest.run_id)
    folder = create_folder(runs, manifest.run_id)
    try:
        save_draft(folder, manifest)
        yield folder
    except BaseException:
        if not is_finished(folder):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def require_unchanged_rubric(runs: Path, rubric: Rubric) -> None:
    """Makes sure that no run in the archive was judged by another rubric of the same id and version.

    Raises:
        RubricError: There is one; the rubric was changed without changing its version.
    """
    for folder in list_folders(runs):
        if not is_finished(folder):
            continue
        manifest = _read_manifest(folder)
        known = (manifest.get("rubric"), manifest.get("rubric_version"))
        if known == (rubric.id, rubric.version) and manifest.get("rubric_digest") != rubric.digest:
            raise RubricError(
                f"The rubric {rubric.id} version {rubric.version} is another one than that of the run {folder.name}",
                "Give the changed rubric another version.",
            )


def _read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a finished run as plain values; empty where it is damaged, which is not this run's concern."""
    try:
        content = json.loads((folder / RUN).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    manifest = content.get("manifest") if isinstance(content, dict) else None
    return manifest if isinstance(manifest, dict) else {}
