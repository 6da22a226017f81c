"""What was withheld from a derived run, counted from its records alone, so that anybody can count it again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportgen.model.run import WITHHELD, Derivation, Manifest, Withheld
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.redaction.places import VERDICTS, count_marks
from reportgen.redaction.spans import MARK

CLIENT = "client"
"""The label that says whose a turn is."""


@dataclass(slots=True)
class WithheldCount:
    """What was withheld from the turns and verdicts so far.

    `evidence` counts verdicts without the digest of their evidence, `repeated` turns that were read several times;
    `unexplained` are turns from which nothing was withheld, and yet the digest of their evidence was.
    """

    marks: Counter[tuple[str, str]] = field(default_factory=Counter)
    evidence: int = 0
    repeated: int = 0
    unexplained: list[str] = field(default_factory=list)

    def add(self, turn: Turn, verdicts: Iterable[Verdict]) -> None:
        """Counts one turn with the verdicts on it."""
        marks, said = count_marks(turn.to_data()), list(verdicts)
        hidden = sum(verdict.evidence == WITHHELD for verdict in said)
        if hidden and not marks:
            self.unexplained.append(turn.id)
        self.evidence += hidden
        self.repeated += any(verdict.sample > 1 for verdict in said)
        self.marks += marks
        for verdict in said:
            self.marks += count_marks(verdict.to_data(), VERDICTS)

    @property
    def kinds(self) -> tuple[Withheld, ...]:
        """How often, by kind and place."""
        return tuple(Withheld(kind=kind, place=place, count=n) for (kind, place), n in sorted(self.marks.items()))


def follow_derivation(
    manifest: Manifest, derived: Derivation, turns: Iterable[tuple[Turn, Sequence[Verdict]]]
) -> Iterator[tuple[str, object, object]]:
    """What a derived run states of itself: the place, what stands there, and what follows from its records."""
    found, place = WithheldCount(), "run.json: manifest.derived"
    for turn, verdicts in turns:
        found.add(turn, verdicts)
        label = turn.labels.get(CLIENT, "nothing")
        if not MARK.search(label):
            yield f"turns.jsonl, turn {turn.id}: labels.{CLIENT}", label, derived.client
    for turn_id in found.unexplained:
        yield f"verdicts.jsonl, turn {turn_id}: evidence", WITHHELD, "a digest, as nothing was withheld from the turn"
    yield f"{place}.withheld", _plain(derived.withheld), _plain(found.kinds)
    yield f"{place}.evidence_withheld", derived.evidence_withheld, found.evidence
    if manifest.repeats:
        yield "run.json: manifest.repeats.turns", manifest.repeats.turns, found.repeated
    yield f"{place}.commitments", list(derived.commitments), sorted(set(derived.commitments))
    stated = len(derived.commitments)
    yield f"{place}.commitments: how many", stated, max(stated, manifest.capture.turns)


def _plain(items: Iterable[Withheld]) -> list[dict[str, Any]]:
    return [item.to_data() for item in items]
