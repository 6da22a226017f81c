"""Folders that hold the same run, as a copy or a symbolic link does: the run counts once."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from reportgen.archive.store import is_finished, list_folders, load_run


class Held(NamedTuple):
    """Which run a folder holds: its id, and its first seal, which stays through erasures."""

    folder: Path
    run_id: str
    first_seal: str


def choose_folders(found: Iterable[Held]) -> list[Path]:
    """For each run one folder, in their order by name: the one that bears its id, else the first."""
    chosen: dict[str, Path] = {}
    for held in sorted(found, key=lambda held: (held.folder.name != held.run_id, held.folder)):
        chosen.setdefault(held.first_seal, held.folder)
    return sorted(chosen.values())


def list_finished(runs: Path) -> list[Path]:
    """The folders of finished runs, of each run one.

    Raises:
        RunError: One cannot be read.
    """
    return choose_folders(look_at(folder) for folder in list_folders(runs) if is_finished(folder))


def look_at(folder: Path) -> Held:
    """Which run a folder holds.

    Raises:
        RunError: It cannot be read.
    """
    run = load_run(folder)
    return Held(folder, run.manifest.run_id, run.first_seal)
