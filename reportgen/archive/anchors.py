"""The room of the archive that holds frozen anchors, the runs in which they were judged again, and all checks."""

from pathlib import Path
from typing import Final

from reportgen.analysis.judge_change import choose_checks
from reportgen.archive.annexes import append_record, read_appended
from reportgen.archive.files import sync_folder
from reportgen.archive.lock import locked
from reportgen.archive.records import Records
from reportgen.archive.store import ANCHORS
from reportgen.model.anchor_check import AnchorCheck

CHECKS: Final = "checks.jsonl"


def anchors_of(runs: Path) -> Path:
    """Where the anchors of an archive are kept."""
    return runs / ANCHORS


def read_checks(runs: Path) -> tuple[AnchorCheck, ...]:
    """All checks that were made in an archive, oldest first.

    Raises:
        RunError: A line is damaged, or of a newer format.
    """
    return tuple(read_appended(AnchorCheck, anchors_of(runs) / CHECKS))


def record_check(runs: Path, check: AnchorCheck) -> None:
    """Adds a check to those of an archive.

    Raises:
        RunError: They cannot be written, or another process is writing.
    """
    folder = anchors_of(runs)
    with locked(folder):
        append_record(folder / CHECKS, check)
        sync_folder(folder)


def checks_of(records: Records) -> tuple[AnchorCheck, ...]:
    """The checks of the judge of a run, from the archive that it lies in; of a report those that it states.

    Raises:
        RunError: The record of checks is damaged.
    """
    if records.folder is None:
        return (records.revision and records.revision.checks) or ()
    return choose_checks(records.run.manifest, read_checks(records.folder.resolve().parent))
