"""A finished run -> where each of its turns stands, so that any of them can be read without those before it."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from reportgen.archive.records import Records
from reportgen.archive.store import SCORES, TURNS, parse
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.opening import LABEL
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.pipeline.statistics import identify

_IDENTITY = 16
"""Bytes of an identity; so many tell any number of turns apart."""


@dataclass(frozen=True, slots=True)
class TurnIndex:
    """A run, and of each of its turns about 40 bytes.

    `collections` are those that its turns bear, None among them where one bears none; `bears` is for each turn the
    number of its own. `turns` and `scores` are where its line begins in either file, `failed` whether a judge call
    failed.
    """

    folder: Path
    run_id: str
    started_at: datetime
    instrument: Instrument
    collections: list[str | None] = field(default_factory=list)
    bears: "array[int]" = field(default_factory=lambda: array("L"))
    turns: "array[int]" = field(default_factory=lambda: array("Q"))
    scores: "array[int]" = field(default_factory=lambda: array("Q"))
    failed: bytearray = field(default_factory=bytearray)
    identities: bytearray = field(default_factory=bytearray)

    def identity(self, number: int) -> bytes:
        """The same for two captures of one exchange; numbers are counted from 0."""
        return bytes(self.identities[number * _IDENTITY : (number + 1) * _IDENTITY])


def index_turns(records: Records) -> TurnIndex:
    """Goes through the turns of a run in its folder once.

    Raises:
        RunError: A record is damaged.
    """
    assert records.folder is not None, "a report.json has no files to find lines in"
    manifest = records.run.manifest
    index = TurnIndex(records.folder, manifest.run_id, manifest.started_at, instrument_of(manifest))
    known: dict[str | None, int] = {}
    for turn, score in zip(records.turns(), records.scores(), strict=True):
        index.bears.append(known.setdefault(turn.labels.get(LABEL), len(known)))
        index.failed.append(score.unscored is not None)
        index.identities.extend(bytes.fromhex(identify(turn))[:_IDENTITY])
    index.collections.extend(known)
    index.turns.extend(_find_starts(records.lines(TURNS)))
    index.scores.extend(_find_starts(records.lines(SCORES)))
    return index


def _find_starts(lines: Iterable[bytes]) -> Iterator[int]:
    start = 0
    for line in lines:
        yield start
        start += len(line) + 1


def read_pairs(index: TurnIndex, numbers: Iterable[int]) -> Iterator[tuple[Turn, Score]]:
    """The turns of these numbers with their scores, one at a time.

    Raises:
        RunError: A record is damaged, or the run was changed since it was indexed.
    """
    with (index.folder / TURNS).open("rb") as turns, (index.folder / SCORES).open("rb") as scores:
        for number in numbers:
            turns.seek(index.turns[number])
            scores.seek(index.scores[number])
            place = f"{index.folder}: line {number + 1}"
            yield parse(Turn, turns.readline(), place), parse(Score, scores.readline(), place)
