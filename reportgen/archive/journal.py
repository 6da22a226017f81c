"""The crash journal of an unfinished run: verdicts are appended and synced, and put into order at the end."""

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from reportgen.archive.files import remove_parts, sync_folder, write_whole
from reportgen.archive.lock import locked
from reportgen.archive.store import VERDICTS, parse
from reportgen.errors import RunError
from reportgen.model.verdict import Attempt, Outcome, Verdict
from reportgen.record import canonical

ASKED_AGAIN: frozenset[Outcome] = frozenset({"gave_up"})
"""Outcomes that a resumed run asks for anew; all others are final."""

_BLOCK = 65_536


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is known in memory of a verdict: its outcome, and where its lines begin, the latest last."""

    outcome: Outcome
    offsets: tuple[int, ...]


class Journal:
    """The verdicts of one unfinished run, to be used in a `with` block, by one process at a time.

    In memory is an index only. `healed` is how many bytes of a half-written last line were cut off on
    opening.

    Args:
        folder: The run's folder.
        way_on: How whoever writes to it goes on after a full disk.
    """

    def __init__(self, folder: Path, way_on: str = "go on with --resume") -> None:
        self._way_on = way_on
        self.healed = 0
        self._folder = folder
        self._path = folder / VERDICTS
        self._index: dict[tuple[str, str], _Entry] = {}
        self._size = 0
        self._written = 0
        self._synced = 0
        self._failure: RunError | None = None
        self._exit = contextlib.ExitStack()
        self._file: FileIO

    def __enter__(self) -> Self:
        """Locks the run, clears away what a killed process has left of files, heals the last line, reads the index.

        Raises:
            RunError: Another process writes to the run, the folder cannot be written, or a line is damaged.
        """
        with contextlib.ExitStack() as undo:
            undo.enter_context(locked(self._folder))
            remove_parts(self._folder)
            self._file = undo.enter_context(self._open())
            self.healed = self._heal()
            self._read_index()
            self._exit = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exit.close()

    def _open(self) -> FileIO:
        try:
            file = FileIO(self._path, "a+")
            sync_folder(self._folder)
        except OSError as error:
            raise RunError(
                f"{self._path} cannot be opened for writing: {error.strerror}", "Make the run's folder writable."
            ) from None
        return file

    def __len__(self) -> int:
        return len(self._index)

    @property
    def answered(self) -> int:
        """How many verdicts are final, so that they need not be asked for again."""
        return sum(entry.outcome not in ASKED_AGAIN for entry in self._index.values())

    def is_answered(self, turn: str, key: str) -> bool:
        """Whether there is a final verdict on the turn under this key, which need not be asked for again."""
        entry = self._index.get((turn, key))
        return entry is not None and entry.outcome not in ASKED_AGAIN

    def attempts(self, turn: str, key: str) -> tuple[Attempt, ...]:
        """All attempts so far on the way to the verdict on the turn under this key, the oldest first."""
        entry = self._index.get((turn, key))
        if entry is None:
            return ()
        with self._path.open("rb") as file:
            verdicts = [parse(Verdict, _read_line(file, offset), str(self._path)) for offset in entry.offsets]
        return tuple(attempt for verdict in verdicts for attempt in verdict.attempts)

    def read(self, turn: str, key: str) -> Verdict:
        """The verdict on the turn under this key, with all the attempts that it took.

        Raises:
            RunError: There is none.
        """
        with self._path.open("rb") as file:
            return parse(Verdict, self._line(file, self._entry(turn, key)), str(self._path))

    def append(self, verdicts: Sequence[Verdict]) -> Callable[[], None]:
        """Hands verdicts to the operating system and returns `sync`, after which they are safe.

        Raises:
            RunError: They cannot be stored, for instance because the disk is full. Nothing of
                them is left behind.
        """
        self._require_whole()
        lines = [canonical(verdict.to_data()) + b"\n" for verdict in verdicts]
        try:
            self._write(b"".join(lines))
        except OSError as error:
            # What is left is whole lines.
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
            raise self._give_up(error) from None
        for verdict, line in zip(verdicts, lines, strict=True):
            self._add(verdict, self._size)
            self._size += len(line)
        self._written += len(lines)
        return self.sync

    def sync(self) -> None:
        """Returns once everything that was appended is on the disk. May be called in a thread.

        Raises:
            RunError: The disk does not take it.
        """
        self._require_whole()
        written = self._written
        if written == self._synced:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._give_up(error) from None
        self._synced = written

    def finish(self, order: Iterable[tuple[str, str]]) -> None:
        """Puts the verdicts into order, at once or not at all, each with all the attempts that it took.

        What is not named in the order, such as verdicts of an earlier rubric, is left out.

        Args:
            order: The turn and the key of each verdict.

        Raises:
            RunError: A verdict is missing, or the file cannot be written.
        """
        entries = [self._entry(turn, key) for turn, key in order]
        with self._path.open("rb") as file:
            write_whole(self._path, (self._line(file, entry) for entry in entries))
        self._failure = RunError(f"The verdicts of {self._folder} are in order already", "Begin another run.")

    def _entry(self, turn: str, key: str) -> _Entry:
        entry = self._index.get((turn, key))
        if entry is None:
            raise RunError(f"{self._path}: there is no verdict on the turn {turn!r}", "Go on with --resume.")
        return entry

    def _line(self, file: BinaryIO, entry: _Entry) -> bytes:
        lines = [_read_line(file, offset) for offset in entry.offsets]
        if len(lines) == 1:
            return lines[0]
        verdicts = [parse(Verdict, line, str(self._path)) for line in lines]
        attempts = tuple(attempt for verdict in verdicts for attempt in verdict.attempts)
        return canonical(verdicts[-1].model_copy(update={"attempts": attempts}).to_data()) + b"\n"

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _require_whole(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _give_up(self, error: OSError) -> RunError:
        self._failure = RunError(
            f"{self._path}: verdicts could not be saved: {error.strerror}; the {self._synced} before are kept",
            f"Make room or make it writable, then {self._way_on}.",
        )
        return self._failure

    def _heal(self) -> int:
        """Ends the file with a whole line; returns how many bytes were cut off for it."""
        size = self._file.seek(0, os.SEEK_END)
        begin = self._find_last_line(size)
        self._file.seek(begin)
        tail = self._file.readall()
        if not tail:
            return 0
        try:
            parse(Verdict, tail, str(self._path))
        except RunError:
            self._file.truncate(begin)
            os.fsync(self._file.fileno())
            return len(tail)
        self._write(b"\n")
        os.fsync(self._file.fileno())
        return 0

    def _find_last_line(self, size: int) -> int:
        """Where the text after the last line feed begins."""
        while size > 0:
            begin = max(0, size - _BLOCK)
            self._file.seek(begin)
            found = self._file.read(size - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            size = begin
        return 0

    def _read_index(self) -> None:
        with self._path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                self._add(parse(Verdict, line, f"{self._path}:{number}"), self._size)
                self._size += len(line)
                self._written = self._synced = number

    def _add(self, verdict: Verdict, offset: int) -> None:
        place = (verdict.turn, verdict.key)
        before = self._index[place].offsets if place in self._index else ()
        self._index[place] = _Entry(verdict.outcome, (*before, offset))


def _read_line(file: BinaryIO, offset: int) -> bytes:
    file.seek(offset)
    return file.readline()
