"""The lines of a capture, as a stream: JSON Lines, the same under gzip, or the rows of a Parquet file."""

import gzip
import json
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from reportgen.errors import CaptureError

_BOM = b"\xef\xbb\xbf"
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_NESTED = {"labels", "trajectory", "answer", "agent", "latency", "segments", "notes"}
"""Fields that a Parquet file holds as JSON text, since their shape is not that of a column."""
_ROWS = 1_000
"""Rows of a Parquet file that are in memory at once."""
_LONGEST = 256 * 1024 * 1024
"""Bytes of a line; a few kilobytes under gzip may unpack to one that fills any memory."""


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line that is not blank, without line end and byte order mark.

    What kind of file it is, its first bytes say and not its name. A row of a Parquet file comes as the JSON line that
    stands for it, see `docs/formats.md`.

    Raises:
        CaptureError: The file cannot be read, or a library for it is missing.
    """
    try:
        with path.open("rb") as file:
            start = file.read(4)
            file.seek(0)
            yield from _read(file, start)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise CaptureError(f"{path} cannot be read: {why}", "Give the path of a file of turns.") from None


def _read(file: BinaryIO, start: bytes) -> Iterator[tuple[int, bytes]]:
    if start == _PARQUET:
        yield from enumerate(_read_parquet(file), start=1)
        return
    lines = gzip.GzipFile(fileobj=file) if start.startswith(_GZIP) else file
    for number, line in enumerate(iter(lambda: lines.readline(_LONGEST + 1), b""), start=1):
        if len(line) > _LONGEST:
            raise CaptureError(
                f"{file.name}, line {number} is longer than {_LONGEST:,} bytes", "Write one turn a line, or shorten it."
            )
        raw = line.removeprefix(_BOM) if number == 1 else line
        if raw.strip():
            yield number, raw.rstrip(b"\r\n")


def _read_parquet(file: BinaryIO) -> Iterator[bytes]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise CaptureError(
            f"{file.name} is a Parquet file, and the library that reads it is missing",
            'Install it: pip install "reportgen[parquet]".',
        ) from None
    try:
        for batch in ParquetFile(file).iter_batches(_ROWS):
            yield from map(_as_line, batch.to_pylist())
    # A cell may hold broken UTF-8, or a time that no calendar has: the library finds that when it is asked for it.
    except (ArrowException, ValueError, OverflowError) as error:
        raise CaptureError(f"{file.name} is a Parquet file that cannot be read: {error}", "Write it anew.") from None


def _as_line(row: dict[str, Any]) -> bytes:
    fields = {name: _as_field(name, value) for name, value in row.items() if value is not None}
    return json.dumps(fields, default=str).encode()


def _as_field(name: str, value: object) -> object:
    """A cell as the field of a turn: a time as text, and for a field that is no text the JSON in the cell."""
    if isinstance(value, datetime):
        return value.isoformat()
    if name in _NESTED and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
