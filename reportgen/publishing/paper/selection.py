"""Which turns stand in full on paper, where there are too many for all."""

from dataclasses import dataclass
from hashlib import sha256
from heapq import nsmallest

from reportgen.publishing.printing import plural, print_count
from reportgen.publishing.report import Report

ALL_UP_TO = 200
"""Up to so many turns all stand in full."""

IN_FULL = 100
"""Of more, so many do: the lowest, then those that a cap lowered, then a sample."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The turns in full, by their ids, and how they were chosen; `lowered` is how many turns caps lowered in all."""

    ids: frozenset[str]
    worst: int
    capped: int
    lowered: int
    sampled: int
    turns: int

    @property
    def account(self) -> str:
        """How the turns were chosen, in one sentence."""
        of = "" if self.capped == self.lowered else f" of {print_count(self.lowered)}"
        return (
            f"Of {plural(self.turns, 'turn')}, {print_count(len(self.ids))} stand in full: the "
            f"{print_count(self.worst)} with the lowest scores, {print_count(self.capped)}{of} more whose score a cap "
            f"lowered, and {print_count(self.sampled)} of the others, drawn by the seal of the run."
        )


def choose_turns(report: Report) -> Selection | None:
    """The turns that stand in full; None where all do."""
    turns = report.findings.summary.turns
    if turns <= ALL_UP_TO:
        return None
    worst = list(report.findings.worst)
    lowered = [turn for use in report.findings.caps for turn in use.lowered]
    others = list(dict.fromkeys(turn for turn in lowered if turn not in set(worst)))
    capped = nsmallest(IN_FULL * 6 // 10, others, key=lambda turn: _draw(turn, report.run.seal))
    chosen = {*worst, *capped}
    rest = (entry.turn.id for entry in report.turns() if entry.turn.id not in chosen)
    sampled = nsmallest(IN_FULL - len(chosen), rest, key=lambda turn: _draw(turn, report.run.seal))
    return Selection(frozenset({*chosen, *sampled}), len(worst), len(capped), len(others), len(sampled), turns)


def _draw(turn: str, seal: str) -> bytes:
    """A number that looks drawn by chance and that everybody can draw again."""
    return sha256(f"{seal} {turn}".encode("utf-8", "surrogatepass")).digest()
