"""Captured turns -> the `turns.jsonl` of a run: read, split into single questions, limited, counted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.archive.digests import file_digest
from reportgen.archive.store import TURNS, read_records, save_lines
from reportgen.capture.segments import split_segments
from reportgen.capture.turns import BadLine, read_turns, save_bad_lines
from reportgen.errors import CaptureError, TermsError
from reportgen.model.run import Capture, Source
from reportgen.model.turn import Turn

SET_ASIDE = "set-aside.jsonl"


@dataclass(slots=True)
class Intake:
    """Turns on their way in, with the counts that the report states. `bad` are the lines that were set aside."""

    source: Path
    skip_bad: bool = False
    limit: int | None = None
    captured: int = 0
    bundles: int = 0
    beyond_limit: int = 0
    turns: int = 0
    bad: list[BadLine] = field(default_factory=list)

    def read(self) -> Iterator[Turn]:
        """The single turns, one at a time; bundles are split, and turns beyond the limit counted and left out.

        The file is read more than once, so a pipe will not do.

        Raises:
            CaptureError: A line is bad and is not to be skipped, or there are no turns.
        """
        if self.source.exists() and not self.source.is_file():
            raise CaptureError(f"{self.source} is not a plain file", "Write the turns to a file first.")
        for turn in read_turns(self.source, self.bad.append if self.skip_bad else None):
            self.captured += 1
            self.bundles += bool(turn.segments)
            yield from self._within_limit(split_segments(turn))

    def _within_limit(self, turns: Iterable[Turn]) -> Iterator[Turn]:
        for turn in turns:
            if self.limit is not None and self.turns >= self.limit:
                self.beyond_limit += 1
                continue
            self.turns += 1
            yield turn

    def origin(self) -> Source:
        """The file that the turns come from."""
        return Source(name=self.source.name, sha256=file_digest(self.source))

    def counts(self) -> Capture:
        """What became of the captured turns; complete once all have been read."""
        return Capture(
            captured=self.captured,
            set_aside=len(self.bad),
            beyond_limit=self.beyond_limit,
            bundles=self.bundles,
            turns=self.turns,
        )


def take_in(folder: Path, intake: Intake) -> None:
    """Fills the `turns.jsonl` of a run, and keeps the lines that were set aside beside it.

    Where the run is unfinished and has its turns already, they must be the very same.

    Raises:
        CaptureError: The capture is wrong.
        TermsError: It has changed since the run began.
    """
    if (folder / TURNS).exists():
        _require_same_turns(folder, intake)
    else:
        save_lines(folder / TURNS, intake.read())
    if intake.bad:
        save_bad_lines(folder / SET_ASIDE, intake.bad)


def _require_same_turns(folder: Path, intake: Intake) -> None:
    """Makes sure that an unfinished run holds the very turns that it is to go on with.

    Raises:
        TermsError: The capture has changed since the run began.
    """
    kept = read_records(Turn, folder / TURNS)
    for turn in intake.read():
        if next(kept, None) != turn:
            raise _changed(folder, turn)
    if (missing := next(kept, None)) is not None:
        raise _changed(folder, missing)


def _changed(folder: Path, turn: Turn) -> TermsError:
    return TermsError(
        f"The capture differs from that of the unfinished run {folder} at the turn {turn.id}",
        "Resume with the file and options that the run began with, or begin a new run.",
    )
