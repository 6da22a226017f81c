"""What was handed in and could not be taken, kept for inspection with the reason."""

import fcntl
import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

KEPT = 100_000
"""Bytes of an exchange that are kept; more of one that is too large would fill the disk."""
LARGEST = 256 * 1024 * 1024
"""Bytes of the file; a caller that does nothing but wrong would fill the disk."""


def keep_aside(path: Path, raw: bytes, reason: str, now: datetime) -> bool:
    """Adds what was refused to a file; whether it could be written.

    Any number of processes may do so at once.
    """
    entry = {
        "refused_at": now.isoformat(),
        "reason": reason,
        "bytes": len(raw),
        "raw": raw[:KEPT].decode(errors="backslashreplace"),
    }
    line = json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            return _append(handle, line)
        finally:
            os.close(handle)
    return False


def _append(handle: int, line: bytes) -> bool:
    """A whole line, or nothing of it; after half a line, which a process that was killed has left, it is a line too."""
    size = os.fstat(handle).st_size
    if size + len(line) > LARGEST:
        return False
    if size and os.pread(handle, 1, size - 1) != b"\n":
        line = b"\n" + line
    try:
        written = os.write(handle, line)
        if written == len(line):
            os.fsync(handle)
            return True
    except OSError:
        pass
    os.ftruncate(handle, size)
    return False


def count_kept(path: Path) -> int:
    """How many refused exchanges a file holds."""
    with path.open("rb") as file:
        return sum(1 for _ in file)


def read_entry(line: bytes) -> dict[str, Any]:
    """What a line says: `raw` is the exchange. Of a line that is half there all of it is."""
    try:
        entry: dict[str, Any] = json.loads(line)
    except ValueError:
        return {"raw": line.decode(errors="replace")}
    return entry
