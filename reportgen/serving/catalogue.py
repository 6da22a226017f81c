"""What the archive holds at this moment; read anew where it has changed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from reportgen.archive.annexes import REVISIONS, WITHDRAWALS
from reportgen.archive.copies import Held, choose_folders
from reportgen.archive.records import open_records, require_intact
from reportgen.archive.store import ERASING, RUN, SCORES, TURNS, VERDICTS, is_finished, list_folders, load_run
from reportgen.errors import ReportgenError, RunError
from reportgen.model.audience import audience_of
from reportgen.pipeline.current_report import CurrentReport, find_report
from reportgen.pipeline.statistics import is_original
from reportgen.pipeline.turn_index import TurnIndex, index_turns

_FILES = tuple(map(Path, (RUN, TURNS, VERDICTS, SCORES, ERASING)))
_ANNEXES = (REVISIONS, WITHDRAWALS)

_Mark = tuple[int, int, int, int] | None
Marks = tuple[_Mark, ...]
"""Which files stand in a folder: inode, size, time of content and time of change of each, None where there is none.

The time of content can be set back by whoever changes a file, the time of change cannot.
"""


@dataclass(frozen=True, slots=True)
class Shelved:
    """A finished run as far as it is served.

    `index` is of runs that judged turns of their own, `report` of those with one; runs for other readers have neither.
    `held` says which run it is, where it can be read. `trouble` is why it cannot be served at all.
    """

    folder: Path
    files: Marks
    annexes: Marks = ()
    held: Held | None = None
    index: TurnIndex | None = None
    report: CurrentReport | None = None
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Archive:
    """All finished runs at one moment, by the names of their folders."""

    shelf: Mapping[str, Shelved]

    @property
    def troubles(self) -> dict[str, str]:
        """Why runs cannot be served, by the names of their folders."""
        return {name: item.trouble for name, item in self.shelf.items() if item.trouble}

    def originals(self) -> list[TurnIndex]:
        """The runs that judged turns of their own, in the order in which they began."""
        found = (item.index for item in self.shelf.values() if item.index is not None)
        return sorted(found, key=lambda index: (index.started_at, index.run_id))

    def reports(self) -> list[Shelved]:
        """The runs that have a report."""
        return [item for item in self.shelf.values() if item.report is not None]

    def is_unchanged(self, folders: Iterable[Path]) -> bool:
        """Whether the files of these runs are still those that were read."""
        return all(self._is_unchanged(folder) for folder in folders)

    def _is_unchanged(self, folder: Path) -> bool:
        item = self.shelf[folder.name]
        return (item.files, item.annexes) == (_mark(folder, _FILES), _mark(folder, _ANNEXES))


class Catalogue:
    """Knows the archive; looks at its files each time, and reads those that have changed.

    Args:
        runs: The folder of runs.
        tell: Takes a line for the one who runs the server, where a run cannot be served.
    """

    def __init__(self, runs: Path, tell: Callable[[str], None]) -> None:
        self._runs, self._tell = runs, tell
        self._archive, self._lock = Archive({}), Lock()
        self._known: dict[str, Shelved] = {}

    def look(self) -> Archive:
        """The archive now; the same object as before where nothing has changed.

        Raises:
            RunError: The folder of runs is gone.
        """
        with self._lock:
            shelf = self._read_all()
            if shelf != self._archive.shelf:
                told = self._archive.troubles
                self._archive = Archive(shelf)
                for name, trouble in self._archive.troubles.items():
                    if told.get(name) != trouble:
                        self._tell(f"The run {name} cannot be served: {trouble}")
            return self._archive

    def _read_all(self) -> dict[str, Shelved]:
        """What is kept of each folder by its name; of folders with the same run, one is served."""
        found = {folder: _read(folder, self._known.get(folder.name)) for folder in self._list()}
        self._known = {folder.name: item for folder, item in found.items()}
        served = set(choose_folders(item.held for item in found.values() if item.held))
        return {folder.name: item for folder, item in found.items() if item.held is None or folder in served}

    def _list(self) -> list[Path]:
        if not self._runs.is_dir():
            raise RunError(f"There is no folder {self._runs}", "Bring the archive back.")
        return list(filter(is_finished, list_folders(self._runs)))


def _read(folder: Path, before: Shelved | None) -> Shelved:
    """A run, of which only what has changed is read; the marks are taken first, so that no change is missed."""
    fresh = Shelved(folder, _mark(folder, _FILES), _mark(folder, _ANNEXES))
    if before is not None and (before.files, before.annexes) == (fresh.files, fresh.annexes):
        return before
    known = before if before is not None and before.files == fresh.files and not before.trouble else None
    try:
        return _open(fresh, known)
    except ReportgenError as error:
        return replace(fresh, trouble=error.what)
    except ValueError:
        return replace(fresh, trouble=f"the files in {folder} do not fit together")
    except OSError as error:
        # The file may be readable again without having changed, so it is tried again each time.
        return Shelved(folder, (), trouble=f"{folder} cannot be read: {error.strerror}")


def _open(fresh: Shelved, known: Shelved | None) -> Shelved:
    """Reads the run, and its turns unless they are known."""
    run = load_run(fresh.folder)
    fresh = replace(fresh, held=Held(fresh.folder, run.manifest.run_id, run.first_seal))
    if audience_of(run.manifest).kind != "internal":
        return fresh
    if known is not None:
        index = known.index
    else:
        require_intact(fresh.folder)
        index = index_turns(open_records(fresh.folder)) if is_original(run.manifest) else None
    return replace(fresh, index=index, report=find_report(fresh.folder, run))


def _mark(folder: Path, names: Iterable[Path]) -> Marks:
    return tuple(_mark_file(folder / name) for name in names)


def _mark_file(path: Path) -> _Mark:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
