"""Digests of files, and the seal over a whole run."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reportgen.record import digest


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def lines_digest(lines: Iterable[bytes]) -> str:
    """SHA-256 of the file that these lines make, each ended by a line feed."""
    total = hashlib.sha256()
    for line in lines:
        total.update(line + b"\n")
    return total.hexdigest()


def seal_of(run: Mapping[str, Any]) -> str:
    """The seal: SHA-256 over the canonical form of the content of `run.json` without its `seal`."""
    return digest({key: value for key, value in run.items() if key != "seal"})
