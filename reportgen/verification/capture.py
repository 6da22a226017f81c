"""Do the counts of what was captured fit the turns that the run holds?"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from reportgen.archive.records import Records
from reportgen.model.run import Capture
from reportgen.model.turn import Turn
from reportgen.verification.differences import Difference, differ

PLACE = "run.json: manifest.capture"


@dataclass(slots=True)
class _Seen:
    """The turns of a run, counted: `parts` are those that are there of each bundle, `sizes` how many it had."""

    names: set[str] = field(default_factory=set)
    twice: list[str] = field(default_factory=list)
    single: int = 0
    parts: Counter[str] = field(default_factory=Counter)
    sizes: dict[str, int] = field(default_factory=dict)
    is_drawn: bool = False

    def add(self, turn: Turn) -> None:
        if turn.id in self.names:
            self.twice.append(turn.id)
        self.names.add(turn.id)
        self.is_drawn |= turn.drawn is not None
        self.single += turn.part_of is None
        if turn.part_of:
            self.parts[turn.part_of.turn] += 1
            self.sizes[turn.part_of.turn] = turn.part_of.count

    @property
    def missing(self) -> int:
        """How many parts of the bundles are not there."""
        return sum(size - self.parts[bundle] for bundle, size in self.sizes.items())


def check_capture(records: Records, count: int) -> Iterator[Difference]:
    """No turn stands twice, and captured lines, bundles and turns beyond the limit come to the turns that are there.

    How many lines were set aside, and how many turns the assistant produced, nobody can tell from a run; only that
    no fewer were produced than were captured.

    Args:
        records: The run.
        count: How many of its turns have a score.
    """
    manifest, seen = records.run.manifest, _Seen()
    capture = manifest.capture
    for turn in records.turns():
        seen.add(turn)
    for name in seen.twice:
        yield Difference(f"turns.jsonl, turn {name}", "a second turn of that id", "one")
    yield from differ(f"{PLACE}.turns", capture.turns, count)
    # A run for the public does not show which turns were parts; one for a client may lack parts beyond the limit.
    may_lack = min(seen.missing, capture.beyond_limit) if manifest.derived else seen.missing
    lines = None if manifest.is_public else seen.single + len(seen.parts) + capture.beyond_limit - may_lack
    yield from _check_lines(capture, len(seen.parts), lines)
    least = capture.captured + (0 if seen.is_drawn else capture.set_aside)
    if capture.produced is not None and capture.produced < least:
        yield Difference(f"{PLACE}.produced", str(capture.produced), f"{least} or more")


def _check_lines(capture: Capture, bundles: int, lines: int | None) -> Iterator[Difference]:
    """Each captured line became one single question, a bundle several; a capture may hold parts that were split before.

    Args:
        capture: What is stated.
        bundles: Of how many bundles parts are there.
        lines: How many lines there were if no bundle is wholly beyond the limit; None where that is not known.
    """
    most = capture.turns + capture.beyond_limit
    if not capture.bundles:
        yield from differ(f"{PLACE}.captured", capture.captured, most)
    elif lines is None or capture.bundles < bundles:
        yield from _within(capture.captured, capture.bundles, most)
    elif capture.bundles == bundles:
        yield from differ(f"{PLACE}.captured", capture.captured, lines)
    elif not capture.beyond_limit:
        yield Difference(f"{PLACE}.bundles", str(capture.bundles), str(bundles))
    else:
        yield from _within(capture.captured, capture.bundles, lines)


def _within(captured: int, least: int, most: int) -> Iterator[Difference]:
    if not least <= captured <= most:
        yield Difference(f"{PLACE}.captured", str(captured), f"{least} to {most}")
