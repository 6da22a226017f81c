"""What was withheld from a derived run, counted from its records alone, so that anybody can count it again."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportgen.analysis.findings import read_stated
from reportgen.analysis.public_tables import is_small
from reportgen.model.derivation import Derivation, Withheld
from reportgen.model.run import WITHHELD, Manifest, Summary
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.redaction.blanking import bare_turn, bare_verdict
from reportgen.redaction.places import VERDICTS, count_marks
from reportgen.redaction.spans import MARK

_NAMED = re.compile(r"[0-9a-f]{6}-[0-9]{1,9}")
_NUMBERED = re.compile(r"conversation [0-9]{1,9}")

CLIENT = "client"
"""The label that says whose a turn is."""


@dataclass(slots=True)
class WithheldCount:
    """What was withheld from the turns and verdicts so far.

    `evidence` counts verdicts without the digest of their evidence, `repeated` turns that were read several times;
    `unexplained` are turns from which nothing was withheld, and yet the digest of their evidence was; of those that are
    `erased` that is no wonder, and it is not counted.
    """

    marks: Counter[tuple[str, str]] = field(default_factory=Counter)
    evidence: int = 0
    repeated: int = 0
    unexplained: list[str] = field(default_factory=list)
    erased: Collection[str] = ()

    def add(self, turn: Turn, verdicts: Iterable[Verdict]) -> None:
        """Counts one turn with the verdicts on it."""
        marks, said = count_marks(turn.to_data()), list(verdicts)
        hidden = 0 if turn.id in self.erased else sum(verdict.evidence == WITHHELD for verdict in said)
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
    found, place = WithheldCount(erased=manifest.erased), "run.json: manifest.derived"
    for number, (turn, verdicts) in enumerate(turns, start=1):
        found.add(turn, verdicts)
        if derived.is_public:
            yield from _follow_bare(number, turn, verdicts, derived)
            continue
        label = turn.labels.get(CLIENT, "nothing")
        if not MARK.search(label):
            yield f"turns.jsonl, turn {turn.id}: labels.{CLIENT}", label, derived.client
    for turn_id in found.unexplained:
        yield f"verdicts.jsonl, turn {turn_id}: evidence", WITHHELD, "a digest, as nothing was withheld from the turn"
    if not (manifest.seals_before and _holds(derived, found)):
        yield f"{place}.withheld", _plain(derived.withheld), _plain(found.kinds)
        yield f"{place}.evidence_withheld", derived.evidence_withheld, found.evidence
    if manifest.repeats:
        yield "run.json: manifest.repeats.turns", manifest.repeats.turns, found.repeated
    yield f"{place}.commitments", list(derived.commitments), sorted(set(derived.commitments))
    stated, shown = len(derived.commitments), manifest.capture.turns
    yield f"{place}.commitments: how many", stated, shown if derived.is_public else max(stated, shown)


def _holds(derived: Derivation, found: WithheldCount) -> bool:
    """Whether at least as much is stated as is found: marks go with the texts that are erased later on."""
    stated = {(item.kind, item.place): item.count for item in derived.withheld}
    fewer = all(item.count <= stated.get((item.kind, item.place), 0) for item in found.kinds)
    return fewer and found.evidence <= derived.evidence_withheld


def _follow_bare(
    number: int, turn: Turn, verdicts: Iterable[Verdict], derived: Derivation
) -> Iterator[tuple[str, object, object]]:
    """That a turn of a run for the public, and the verdicts on it, show no more than such a run may."""
    place = f"turn {turn.id}"
    stated = derived.stated or {}
    tag = turn.id[:6] if _NAMED.fullmatch(turn.id) else "000000"
    bare = bare_turn(turn, f"{tag}-{number}", turn.conversation, turn.captured_at)
    yield f"turns.jsonl, {place}", turn.to_data(), bare.to_data()
    yield f"turns.jsonl, {place}: captured_at", turn.to_data()["captured_at"], stated.get("first")
    if turn.conversation is not None and not _NUMBERED.fullmatch(turn.conversation):
        yield f"turns.jsonl, {place}: conversation", turn.conversation, "a number"
    for verdict in verdicts:
        yield f"verdicts.jsonl, {place}", verdict.to_data(), bare_verdict(verdict).to_data()


def follow_public(derived: Derivation, summary: Summary) -> Iterator[tuple[str, object, object]]:
    """That the results by label show no group of one to four turns, and as many turns as were scored."""
    for table in read_stated(derived.stated or {})["breakdowns"]:
        place = f"run.json: manifest.derived.stated, by {table.label}"
        if table.label == CLIENT:
            yield place, "results by client", "none in a run for the public"
        yield f"{place}: turns", sum(line.turns for line in table.strata), summary.scored
        for line in table.strata:
            for count in (line.turns, *(line.bands or {}).values()):
                if is_small(count):
                    yield f"{place}, {line.value}", f"{count} turns", "none, or five or more"


def _plain(items: Iterable[Withheld]) -> list[dict[str, Any]]:
    return [item.to_data() for item in items]
