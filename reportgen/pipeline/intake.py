"""Captured turns -> the `turns.jsonl` of a run: read, split into single questions, limited, counted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.archive.digests import file_digest
from reportgen.archive.store import TURNS, read_records, save_lines
from reportgen.capture.segments import split_segments
from reportgen.capture.turns import BadLine, read_turns, save_bad_lines
from reportgen.errors import CaptureError, TermsError
from reportgen.model.run import Capture, Source
from reportgen.model.turn import Drawn, Turn
from reportgen.pipeline.periods import Period

SET_ASIDE = "set-aside.jsonl"


@dataclass(slots=True)
class Intake:
    """Turns on their way in, with the counts that the report states. `bad` are the lines that were set aside."""

    source: Path
    skip_bad: bool = False
    limit: int | None = None
    produced: int | None = None
    captured: int = 0
    bundles: int = 0
    beyond_limit: int = 0
    turns: int = 0
    drawn: Counter[tuple[Drawn, tuple[str | None, ...]]] = field(default_factory=Counter)
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
            if turn.drawn:
                self.drawn[turn.drawn, tuple(turn.labels.get(name) for name in turn.drawn.strata)] += 1
            yield from self._within_limit(split_segments(turn))
        self._require_whole_sample()

    def _require_whole_sample(self) -> None:
        """Makes sure that a sample is whole, since the weights of its turns follow from how many were drawn.

        Raises:
            CaptureError: It is not, or holds turns that were not drawn.
        """
        if not self.drawn:
            return
        is_whole = all(drawn.drawn == count for (drawn, _), count in self.drawn.items())
        of_one = len({(drawn.strata, drawn.seed, drawn.source) for drawn, _ in self.drawn}) == 1
        if not is_whole or not of_one or self.beyond_limit or sum(self.drawn.values()) != self.captured:
            raise CaptureError(
                f"{self.source} is not the whole of a sample as it was drawn",
                "Judge the file that `reportgen sample` wrote, without --limit; draw a smaller one by --budget.",
            )

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
        """What became of the captured turns; complete once all have been read.

        Raises:
            CaptureError: More were captured than are said to have been produced.
        """
        drawn_from = sum(drawn.population for drawn, _ in self.drawn)
        lines = drawn_from or self.captured + len(self.bad)
        if self.produced is not None and self.produced < lines:
            raise CaptureError(
                f"{self.source} holds {lines:,} turns, more than the {self.produced:,} that were produced",
                "Correct --produced, which counts all turns of the assistant in that time.",
            )
        return Capture(
            captured=self.captured,
            set_aside=len(self.bad),
            beyond_limit=self.beyond_limit,
            bundles=self.bundles,
            turns=self.turns,
            produced=self.produced,
        )


def require_captured_in(source: Path, period: Period) -> set[str]:
    """Makes sure that a capture holds turns of a period and no others, before any of them is judged.

    Returns:
        The clients whose turns it holds.

    Raises:
        CaptureError: It cannot be read, or a turn was captured at another time.
    """
    clients: set[str] = set()
    for turn in read_turns(source):
        if "client" in turn.labels:
            clients.add(turn.labels["client"])
        if turn.captured_at not in period:
            raise CaptureError(
                f"{source}: {turn.id} was captured at {turn.captured_at.isoformat()}, outside of {period}",
                "Give a file with the turns of the period alone, or name another period.",
            )
    return clients


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
