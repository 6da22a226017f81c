"""Drawing turns of a capture that is too large to be judged whole: by strata, in memory for the sample alone."""

import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.analysis.drawing import allocate, place_of
from reportgen.capture.flaws import Flaw
from reportgen.capture.lines import read_lines
from reportgen.capture.turns import BadLine, read_turn, report_bad
from reportgen.errors import CaptureError
from reportgen.model.turn import Drawn, Turn
from reportgen.record import canonical

Stratum = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """A draw: for each stratum how many captured turns there are and how many were drawn, and the lines of these."""

    strata: tuple[str, ...]
    sizes: dict[Stratum, int]
    drawn: dict[Stratum, int]
    lines: frozenset[int]
    seed: str


def draw_sample(  # noqa: PLR0917 - the file, the draw, and who is told
    path: Path,
    budget: int,
    strata: Sequence[str],
    seed: str,
    on_bad: Callable[[BadLine], None] | None = None,
    on_line: Callable[[int], None] = lambda _number: None,
) -> Sample:
    """Which lines of a capture to judge: some of each stratum, the rest in proportion to the strata's sizes.

    Within a stratum turns come in the order of the SHA-256 of seed and id, so the same capture and seed draw the same
    turns wherever they stand, and a larger budget keeps those of a smaller one, but for strata that it serves less.
    In memory is a line number for each turn that may still be drawn, at most `budget` in each stratum.

    Args:
        path: The capture, as `read_lines` takes it.
        budget: How many turns to draw at most.
        strata: Names of labels; turns with the same values of them all are a stratum.
        seed: Another seed draws other turns.
        on_bad: Is given each bad line, and reading goes on; without it the first one ends it.
        on_line: Is told the number of each line.

    Raises:
        CaptureError: The file cannot be read, holds no turn, or has more strata than the budget has turns.
    """
    sizes: Counter[Stratum] = Counter()
    first: dict[Stratum, list[tuple[int, int]]] = defaultdict(list)
    for number, raw in read_lines(path):
        on_line(number)
        turn = _read(path, number, raw, on_bad)
        if turn is None:
            continue
        stratum = tuple(turn.labels.get(name) for name in strata)
        sizes[stratum] += 1
        _keep_lowest(first[stratum], int(place_of(seed, turn.id), 16), number, budget)
    _require_room(path, sizes, budget, strata)
    drawn = allocate(dict(sorted(sizes.items(), key=str)), budget)
    lines = frozenset(-line for stratum, count in drawn.items() for _, line in heapq.nlargest(count, first[stratum]))
    return Sample(tuple(strata), dict(sizes), drawn, lines, seed)


def read_sample(path: Path, sample: Sample, source: str) -> Iterator[bytes]:
    """The drawn turns in the order of the capture, each as a line that says what it was drawn from.

    Args:
        path: The capture.
        sample: What was drawn from it.
        source: The SHA-256 of the capture.
    """
    for number, raw in read_lines(path):
        if number in sample.lines:
            labels = read_turn(raw).labels
            stratum = tuple(labels.get(name) for name in sample.strata)
            drawn = Drawn(
                strata=sample.strata,
                population=sample.sizes[stratum],
                drawn=sample.drawn[stratum],
                seed=sample.seed,
                source=source,
            )
            yield canonical(json.loads(raw) | {"drawn": drawn.to_data()}) + b"\n"


def _read(path: Path, number: int, raw: bytes, on_bad: Callable[[BadLine], None] | None) -> Turn | None:
    try:
        return _require_undrawn(read_turn(raw))
    except Flaw as flaw:
        report_bad(BadLine(str(path), number, flaw.field, flaw.problem, raw), on_bad)
        return None


def _require_undrawn(turn: Turn) -> Turn:
    if turn.drawn is not None:
        raise Flaw("drawn", "says that the turn was drawn already; a sample of a sample has no known weights")
    return turn


def _keep_lowest(kept: list[tuple[int, int]], place: int, number: int, most: int) -> None:
    """Keeps the lowest places, as a heap of their negatives, so that the highest kept is at hand."""
    entry = (-place, -number)
    if len(kept) < most:
        heapq.heappush(kept, entry)
    else:
        heapq.heappushpop(kept, entry)


def _require_room(path: Path, sizes: Counter[Stratum], budget: int, strata: Sequence[str]) -> None:
    if not sizes:
        raise CaptureError(f"{path} holds no turns", "Give a file with at least one turn.")
    if len(sizes) > budget:
        raise CaptureError(
            f"{path} has {len(sizes):,} strata by {', '.join(strata)}, and the budget is {budget:,} turns",
            "Give a larger --budget, or labels with fewer values by --strata; each stratum needs a turn.",
        )
