"""Runs in their folders: `turns.jsonl`, `verdicts.jsonl`, `scores.jsonl`, `run.json`, and annexes."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from reportgen.archive.digests import file_digest, seal_of
from reportgen.archive.files import write_whole
from reportgen.errors import RunError
from reportgen.model.run import Manifest, RunFile
from reportgen.reading import find_problem
from reportgen.record import Record, canonical

TURNS, VERDICTS, SCORES, RUN = "turns.jsonl", "verdicts.jsonl", "scores.jsonl", "run.json"
DRAFT = "draft.json"
"""The manifest of an unfinished run; gone soon after `run.json` is there."""
ERASING = "erasing.json"
"""What is being erased from a finished run; gone when that is done."""
BATCHES = "batches.jsonl"
"""The journal of the batches of an unfinished run; their ids stay with the attempts."""
SETTLED = "canaries.jsonl"
"""The canaries with their verdicts, kept from the moment at which the journal is put into order to the seal."""
ANCHORS = "anchors"
"""A folder among those of the runs, and itself laid out as a folder of runs, so that none of them is taken for one."""

LONGEST_LINE = 256 * 1024**2
"""Bytes of a line; a captured turn may have as many."""

_RESTORE = "Restore the run folder from its archive."
_Kind = TypeVar("_Kind", bound=Record)


def create_folder(runs: Path, run_id: str) -> Path:
    """A new, empty run folder.

    Raises:
        RunError: There is one of that id already, or it cannot be made.
    """
    folder = runs / run_id
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise RunError(
            f"The run {folder} exists already", "Choose another --run-id, or go on with an unfinished run by --resume."
        ) from None
    except OSError as error:
        raise RunError(f"{folder} cannot be made: {error.strerror}", "Choose another folder.") from None
    return folder


def is_finished(folder: Path) -> bool:
    """Whether the run is finished, so that its files never change again."""
    return (folder / RUN).exists()


def is_closed(folder: Path) -> bool:
    """Whether a finished run is rid of all that only an unfinished one needs."""
    return is_finished(folder) and not (folder / DRAFT).exists()


def close_run(folder: Path) -> None:
    """Removes what only an unfinished run needs; its draft last, since that says that there is something left to do."""
    for name in (BATCHES, SETTLED, DRAFT):
        (folder / name).unlink(missing_ok=True)


def find_run(name: str, runs: Path) -> Path:
    """The folder of a finished run, given by its id or as a path.

    Raises:
        RunError: There is none, or it is unfinished.
    """
    folder = find_folder(name, runs)
    if not is_finished(folder):
        way_on = f"Go on with it: `reportgen judge TURNS --resume --run-id {folder.name}`."
        raise RunError(f"The run {folder} is unfinished", way_on)
    return folder


def find_folder(name: str, runs: Path) -> Path:
    """The folder of a run, finished or not, given by its id or as a path.

    Raises:
        RunError: There is none.
    """
    folder = next((place for place in (Path(name), runs / name) if _is_run(place)), None)
    if folder is None:
        raise RunError(f"There is no run {name}", f"`reportgen runs list --runs {runs}` shows those there are.")
    return folder.resolve() if folder.name in ("", "..") else folder


def find_archive(name: str | None, given: Path | None, configured: str) -> Path:
    """The archive of a run: the one that is given, else that in which a run named by its path lies.

    A frozen set, and a run in which one was judged again, lie in the room for anchors of their archive.

    Args:
        name: The id of the run, or its path; None where no run is named.
        given: The archive that the user names; None where nobody named any.
        configured: Where runs are kept that are named by their id.
    """
    if given is not None or name is None or not _is_run(Path(name)):
        return given or Path(configured)
    around = find_folder(name, Path(configured)).parent
    return around.parent if around.name == ANCHORS else around


def _is_run(folder: Path) -> bool:
    """Whether a folder holds a run, finished or not."""
    return (folder / RUN).exists() or (folder / DRAFT).exists()


def list_folders(runs: Path) -> list[Path]:
    """The run folders, finished or not, in order of their ids and so of time."""
    if not runs.is_dir():
        return []
    return sorted(filter(_is_run, runs.iterdir()))


def save_lines(path: Path, records: Iterable[Record]) -> None:
    """Writes records as canonical JSON Lines, whole or not at all."""
    write_whole(path, (canonical(record.to_data()) + b"\n" for record in records))


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, without their line feeds.

    Raises:
        RunError: It cannot be read, is a device or a pipe that may never end, or has a line that no program wrote.
    """
    require_plain_file(path)
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise RunError(f"{path} has a line of more than {LONGEST_LINE // 1024**2} MiB", _RESTORE)
                yield line.rstrip(b"\n")
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}", _RESTORE) from None


def require_plain_file(path: Path) -> None:
    """Makes sure that a file which is there is no device or pipe: reading one may never end.

    Raises:
        RunError: It is.
    """
    if path.exists() and not path.is_file():
        raise RunError(f"{path} is not a plain file", _RESTORE)


def parse(kind: type[_Kind], data: bytes, where: str) -> _Kind:
    """A stored record from its JSON.

    Raises:
        RunError: It is not of that kind, or of a newer format than this program knows.
    """
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        _refuse_newer(kind, data, where)
        raise RunError(f"{where}: {find_problem(error)}", _RESTORE) from None
    except (ArithmeticError, RecursionError) as error:
        raise RunError(f"{where}: {error}", _RESTORE) from None


def read_records(kind: type[_Kind], path: Path) -> Iterator[_Kind]:
    """The records of a JSON Lines file, one at a time."""
    for number, line in enumerate(read_lines(path), start=1):
        yield parse(kind, line, f"{path}:{number}")


def save_draft(folder: Path, manifest: Manifest) -> None:
    """Keeps the manifest of a run that has begun."""
    write_whole(folder / DRAFT, [_pretty(manifest.to_data())])


def load_draft(folder: Path) -> Manifest:
    """The manifest of an unfinished run.

    Raises:
        RunError: It is absent or damaged.
    """
    return parse(Manifest, b"".join(read_lines(folder / DRAFT)), str(folder / DRAFT))


def seal_run(folder: Path, content: dict[str, Any]) -> RunFile:
    """Finishes a run: adds the digests of its files and the seal, and writes `run.json` last.

    Args:
        folder: The run folder, with its three other files in place.
        content: The content of `run.json` without `files` and `seal`.
    """
    content["files"] = {name: file_digest(folder / name) for name in (TURNS, VERDICTS, SCORES)}
    content["seal"] = seal_of(content)
    run = write_run(folder, content)
    close_run(folder)
    return run


def write_run(folder: Path, content: dict[str, Any]) -> RunFile:
    """Writes `run.json` with its seal, whole or not at all."""
    run = RunFile.from_data(content)
    write_whole(folder / RUN, [_pretty(content)])
    return run


def load_run(folder: Path) -> RunFile:
    """The content of `run.json`.

    Raises:
        RunError: It cannot be read, or is of a newer format.
    """
    return parse(RunFile, b"\n".join(read_lines(folder / RUN)), str(folder / RUN))


def _pretty(data: object) -> bytes:
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _refuse_newer(kind: type[Record], data: bytes, where: str) -> None:
    """Raises a plain error where the record says that it is of a later version than this program knows."""
    known = kind.model_fields["format"].default if "format" in kind.model_fields else None
    found = re.search(rb'"format"\s*:\s*"(reportgen/[a-z-]+/)(\d{1,9})"', data)
    if not known or not found or found[0].decode().find(known.rpartition("/")[0]) < 0:
        return
    if int(found[2]) > int(known.rpartition("/")[2]):
        name = (found[1] + found[2]).decode()
        raise RunError(f"{where}: {name} is newer than this program, which knows {known}", "Update reportgen.")
