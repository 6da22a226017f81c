"""Erasing what was handed in from an open run, while workers go on.

That a turn is to go is noted first, so that nobody takes it in or asks about it again. Lines of journals and of refused
exchanges are written over in their place and keep their length, since other processes know them by where they begin.
"""

import fcntl
import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from reportgen.archive.aside import read_entry
from reportgen.archive.files import write_whole
from reportgen.archive.open_marks import mark_of, name_of, whole_of
from reportgen.archive.open_runs import OpenRun
from reportgen.archive.open_turns import list_turns
from reportgen.archive.open_verdicts import list_journals
from reportgen.errors import RunError
from reportgen.record import canonical

_ESCAPED = re.compile(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]')
_SAID = ("reply", "text", "reason", "evidence", "key")
"""What of a verdict tells of the texts, by their words or their digests."""


def forbid_turn(run: OpenRun, turn: str, at: datetime, reason: str) -> None:
    """From here on the turn is not taken in any more, nobody asks about it, and what is said of it is not kept.

    Raises:
        RunError: This cannot be noted.
    """
    mark = mark_of(run, turn)
    if not mark.exists():
        mark.parent.mkdir(exist_ok=True)
        write_whole(mark, [canonical({"at": at.isoformat(), "reason": reason}) + b"\n"])


def remove_turn(run: OpenRun, turn: str) -> None:
    """Removes what was said of a turn and then the turn, so that an interrupted erasure finds it again."""
    for path in list_journals(run):
        forget_verdicts(path, turn)
    name = name_of(turn)
    for folder in {path.parent for path in list_turns(run)}:
        for half in folder.glob(f".*.{name[:16]}.part"):
            half.unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)


def has_verdicts(run: OpenRun, turn: str) -> bool:
    """Whether a journal holds a verdict on the turn."""
    return any(_is_about(json.loads(line), turn) for path in list_journals(run) for line in _read_lines(path))


def forget_verdicts(path: Path, turn: str) -> None:
    """Takes out of a journal what was said of a turn; what it cost stays."""

    def change(line: bytes) -> bytes | None:
        verdict = json.loads(line)
        if not _is_about(verdict, turn) or not verdict["key"]:
            return None
        for attempt in verdict.get("attempts", ()):
            attempt.pop("reason", None)
        rest = {name: value for name, value in verdict.items() if name not in _SAID}
        return canonical({**rest, "evidence": "", "key": ""})

    _write_over(path, change)


def forget_refused(path: Path, names: Collection[str]) -> int:
    """Takes out of a file of refused exchanges those that name one of these turns; says how many there were."""
    found = 0

    def change(line: bytes) -> bytes | None:
        nonlocal found
        entry = read_entry(line)
        if not _names_one(entry["raw"], names):
            return None
        found += 1
        return json.dumps({**entry, "raw": "", "reason": "erased"}, ensure_ascii=False).encode()

    if path.exists():
        _write_over(path, change)
    return found


def count_refused(path: Path, names: Collection[str]) -> int:
    """How many refused exchanges in a file name one of these turns."""
    lines = _read_lines(path) if path.exists() else ()
    return sum(_names_one(read_entry(line)["raw"], names) for line in lines)


def _names_one(raw: str, names: Collection[str]) -> bool:
    r"""Whether a refused exchange, which may be no JSON, names one of these turns, however its letters are written.

    >>> _names_one(r'{"id": "m\u00fcller-1"', {"müller-1"})
    True
    """
    plain = _ESCAPED.sub(lambda found: str(json.loads(f'"{found[0]}"')), raw)
    return any(name in raw or name in plain for name in names)


def _is_about(verdict: dict[str, str], turn: str) -> bool:
    return whole_of(verdict["turn"]) == turn


def _read_lines(path: Path) -> Iterator[bytes]:
    """The whole lines, without their ends; half a line is being written, or was cut off."""
    with path.open("rb") as file:
        yield from (line[:-1] for line in file if line.endswith(b"\n"))


def _write_over(path: Path, change: Callable[[bytes], bytes | None]) -> None:
    """Writes over the lines for which there is something else, filled up with spaces to the same length."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror}", "Make it writable, then erase again.") from None
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        offset = 0
        for line in _read_lines(path):
            new = change(line)
            if new is not None:
                os.pwrite(handle, _fill_up(new, len(line), path), offset)
            offset += len(line) + 1
        os.fsync(handle)
    finally:
        os.close(handle)


def _fill_up(new: bytes, length: int, path: Path) -> bytes:
    if len(new) > length:
        raise RunError(f"{path} has a line that reportgen did not write", "Restore it from a backup, then erase again.")
    return new.ljust(length)
