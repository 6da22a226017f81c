"""The verdicts of an open run, in the journals of all its workers: which there are, and all of them as one journal."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reportgen.archive.files import write_whole
from reportgen.archive.journal import ASKED_AGAIN
from reportgen.archive.open_runs import OpenRun
from reportgen.archive.store import VERDICTS
from reportgen.model.verdict import STOPPED


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a verdict stands: its journal and line, whether it is final, and when the judge was asked for it."""

    asked_at: str
    path: Path
    offset: int
    is_final: bool


def list_journals(run: OpenRun) -> list[Path]:
    """The journals of all workers of an open run, in order of their names."""
    return sorted(run.workers.glob(f"*/{VERDICTS}"))


class Added:
    """The lines that were added to the journals of an open run since they were read last.

    Half a line, which is being written or was cut off, is left for later.
    """

    def __init__(self, run: OpenRun) -> None:
        self._run = run
        self._read: dict[Path, int] = {}

    def read(self) -> Iterator[tuple[Path, bytes]]:
        """Each new line with its journal; none of a journal that closing removes meanwhile."""
        for path in list_journals(self._run):
            offset = self._read.get(path, 0)
            with suppress(FileNotFoundError):
                if path.stat().st_size > offset:
                    for line, end in _read_whole_lines(path, offset):
                        self._read[path] = end
                        yield path, line


class Answered:
    """Which verdicts the journals of an open run hold; `refresh` reads what was added since.

    What a worker that had to stop has noted of the cost is none. In memory is an index only.

    Args:
        run: The open run.
        by: What a verdict on a turn is known by: its key, or where nobody knows the rubric, its judge call.
    """

    def __init__(self, run: OpenRun, by: Literal["key", "call"] = "key") -> None:
        self._added = Added(run)
        self._by = by
        self._final: set[tuple[str, str]] = set()
        self._given_up: set[tuple[str, str]] = set()

    def refresh(self) -> None:
        """Reads the lines that were added."""
        for _, line in self._added.read():
            self._add(json.loads(line))

    def has(self, turn: str, name: str, *, final: bool = True) -> bool:
        """Whether there is a verdict on the turn by this name; with `final` only one that is not asked for again."""
        return (turn, name) in self._final or (not final and (turn, name) in self._given_up)

    def _add(self, verdict: dict[str, str]) -> None:
        if verdict.get("reason", "").startswith(STOPPED):
            return
        found = self._given_up if verdict["outcome"] in ASKED_AGAIN else self._final
        found.add((verdict["turn"], verdict[self._by]))


def merge_journals(run: OpenRun, target: Path) -> int:
    """Writes all verdicts of an open run to one journal, each turn and key once, and says how many were left out.

    Of several final verdicts the one stays that was asked for first. What was given up on before it stays too, since
    the attempts belong to the way to it.

    Raises:
        RunError: The journal cannot be written.
    """
    places: dict[tuple[str, str], list[_Place]] = {}
    for path in list_journals(run):
        offset = 0
        for line, end in _read_whole_lines(path, 0):
            verdict, begin, offset = json.loads(line), offset, end
            if not verdict["key"]:
                # It is on a turn that was erased.
                continue
            asked_at = max((attempt["asked_at"] for attempt in verdict.get("attempts", ())), default="")
            place = _Place(asked_at, path, begin, verdict["outcome"] not in ASKED_AGAIN)
            places.setdefault((verdict["turn"], verdict["key"]), []).append(place)
    chosen = [place for found in places.values() for place in _choose(found)]
    write_whole(target, map(_read_line, chosen))
    return sum(place.is_final for found in places.values() for place in found) - sum(p.is_final for p in chosen)


def _choose(found: list[_Place]) -> list[_Place]:
    """The first final verdict, after all that was given up on before it."""
    found = sorted(found, key=lambda place: (place.asked_at, place.path, place.offset))
    first = next((number for number, place in enumerate(found) if place.is_final), len(found))
    return found[: first + 1]


def _read_line(place: _Place) -> bytes:
    with place.path.open("rb") as file:
        file.seek(place.offset)
        return file.readline()


def _read_whole_lines(path: Path, offset: int) -> Iterator[tuple[bytes, int]]:
    """The lines from an offset on that are whole, each with where it ends."""
    with path.open("rb") as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                return
            offset += len(line)
            yield line, offset
