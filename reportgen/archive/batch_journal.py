"""The journal of an unfinished run's batches: each step is on disk before the next one is taken."""

import os
from datetime import datetime
from pathlib import Path

from reportgen.archive.files import sync_folder
from reportgen.archive.store import BATCHES, parse
from reportgen.errors import RunError
from reportgen.model.batch import BatchLine, SentBatch, open_batches
from reportgen.record import canonical


class BatchJournal:
    """The batches of one run; to be written by whoever holds the run's verdict journal.

    The file appears with the first step. A last line that a crash left half-written is dropped: what it was to say
    had not happened yet, or is found out again.

    Args:
        folder: The run's folder.

    Raises:
        RunError: It cannot be read, or a line is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / BATCHES
        self._lines, self._size = _read(self._path)

    @property
    def open(self) -> tuple[SentBatch, ...]:
        """The batches whose results are still to come, oldest first."""
        return open_batches(self._lines)

    @property
    def known(self) -> frozenset[str]:
        """The provider's ids of all batches of the run."""
        return frozenset(line.batch for line in self._lines if line.batch is not None)

    def intend(self, count: int, ids: str, at: datetime) -> SentBatch:
        """A batch of so many requests, with this digest of their custom ids, is about to be sent.

        Raises:
            RunError: This cannot be written; the batch must not be sent.
        """
        number = max((line.number for line in self._lines), default=0) + 1
        self._append(BatchLine(number=number, step="intent", at=at, count=count, ids=ids))
        return SentBatch(number, count, ids, at)

    def created(self, sent: SentBatch, batch: str, at: datetime) -> SentBatch:
        """It was created under this id.

        Raises:
            RunError: This cannot be written; a resumed run finds the batch again.
        """
        self._append(BatchLine(number=sent.number, step="created", at=at, batch=batch))
        return SentBatch(sent.number, sent.count, sent.ids, sent.at, batch)

    def taken(self, sent: SentBatch, at: datetime) -> None:
        """All its results are among the verdicts.

        Raises:
            RunError: This cannot be written; a resumed run takes them again, which changes nothing.
        """
        self._append(BatchLine(number=sent.number, step="taken", at=at))

    def void(self, sent: SentBatch, reason: str, at: datetime) -> None:
        """Nothing will come of it: it was not created, or its results are gone.

        Raises:
            RunError: This cannot be written.
        """
        self._append(BatchLine(number=sent.number, step="void", at=at, reason=reason))

    def _append(self, line: BatchLine) -> None:
        data = canonical(line.to_data()) + b"\n"
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                # Also takes back what a crash or a full disk left of a line.
                os.ftruncate(handle, self._size)
                _write_at(handle, data, self._size)
                os.fsync(handle)
            finally:
                os.close(handle)
            if self._size == 0:
                sync_folder(self._path.parent)
        except OSError as error:
            raise RunError(
                f"{self._path} cannot be written: {error.strerror}", "Make room or make it writable, then --resume."
            ) from None
        self._lines.append(line)
        self._size += len(data)


def _write_at(handle: int, data: bytes, offset: int) -> None:
    rest = memoryview(data)
    while rest:
        written = os.pwrite(handle, rest, offset)
        rest, offset = rest[written:], offset + written


def _read(path: Path) -> tuple[list[BatchLine], int]:
    """The whole lines of the file, and their length in bytes together."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}", "Make the run's folder readable.") from None
    whole = data[: data.rfind(b"\n") + 1]
    texts = whole.split(b"\n")[:-1]
    return [parse(BatchLine, text, f"{path}:{number}") for number, text in enumerate(texts, start=1)], len(whole)
