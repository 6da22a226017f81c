"""Which turns are in the runs that open runs have become, so that whoever hands one in again is told so."""

import hashlib
from pathlib import Path

from reportgen.archive.open_marks import whole_of
from reportgen.archive.open_runs import OpenRun
from reportgen.archive.open_turns import is_stored
from reportgen.archive.store import TURNS, is_closed, load_run
from reportgen.capture.segments import split_segments
from reportgen.model.turn import Turn
from reportgen.record import canonical


class ClosedTurns:
    """The turns of closed runs, of each a digest; a run is read when it is asked for, and again once it was changed.

    Args:
        runs: The archive.
    """

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        self._known: dict[Path, tuple[tuple[int, int], frozenset[bytes]]] = {}

    def has(self, run: OpenRun, turn: Turn) -> bool:
        """Whether the very same turn was accepted before its open run was closed, or began to be."""
        if is_stored(run, turn.id, canonical(turn.to_data()) + b"\n"):
            return True
        closing = run.closing
        if closing is None or not is_closed(self._runs / closing.run):
            return False
        parts = {_digest(canonical(part.to_data())) for part in split_segments(turn)}
        try:
            return parts <= self._read(self._runs / closing.run / TURNS)
        except OSError:
            return False

    def was_erased(self, run: OpenRun, turn: Turn) -> bool:
        """Whether the texts of the turn were erased on request from the run that the open run has become."""
        closing = run.closing
        if closing is None or not is_closed(self._runs / closing.run):
            return False
        erasures = load_run(self._runs / closing.run).manifest.erasures or ()
        return any(whole_of(erased) == turn.id for erasure in erasures for erased in erasure.turns)

    def _read(self, path: Path) -> frozenset[bytes]:
        found = path.stat()
        state = (found.st_mtime_ns, found.st_size)
        if path not in self._known or self._known[path][0] != state:
            with path.open("rb") as lines:
                self._known[path] = state, frozenset(_digest(line.rstrip(b"\n")) for line in lines)
        return self._known[path][1]


def _digest(line: bytes) -> bytes:
    return hashlib.sha256(line).digest()
