"""A run for one client: its turns only, redacted, with commitments to all turns of the parent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.archive.commitments import Opening, commit_turns, open_run, open_turn
from reportgen.archive.records import Records, open_records
from reportgen.archive.store import TURNS, VERDICTS, save_lines
from reportgen.assembly import VerdictGroups
from reportgen.config import RedactionConfig
from reportgen.errors import RunError
from reportgen.model.batch import count_batches
from reportgen.model.canary import Canary
from reportgen.model.derivation import Derivation, Erasure
from reportgen.model.run import Capture, Manifest, Repeats
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.pipeline.begin import begin_folder
from reportgen.pipeline.derived import (
    choose_derived_id,
    draft_manifest,
    finish_derived,
    require_plain,
    take_canaries,
)
from reportgen.pipeline.renaming import Renaming, settle_quotes
from reportgen.publishing.text import end_sentence
from reportgen.redaction.dictionary import build_dictionary
from reportgen.redaction.rules import build_rules
from reportgen.redaction.turns import redact_data, redact_turn
from reportgen.withheld import CLIENT, WithheldCount

_SHOWN = 20
_MOST_KNOWN = 100_000
"""Values of a conversation; where there are more, those of the latest turns are looked for."""


@dataclass(slots=True)
class _Taken:
    """What has been taken over of the client's turns so far."""

    verdicts: list[Verdict] = field(default_factory=list)
    withheld: WithheldCount = field(default_factory=WithheldCount)
    turns: int = 0
    single: int = 0
    bundles: set[str] = field(default_factory=set)
    known: dict[str, dict[str, str]] = field(default_factory=dict)
    erased: dict[str, str] = field(default_factory=dict)
    """The turns whose texts were erased: the name that each has now, by the one it had."""

    def add(self, turn: Turn, verdicts: tuple[Verdict, ...]) -> None:
        self.verdicts += verdicts
        self.withheld.erased = self.erased.values()
        self.withheld.add(turn, verdicts)
        self.turns += 1
        self.single += turn.part_of is None
        self.bundles |= {turn.part_of.turn} if turn.part_of else set()

    def known_in(self, turn: Turn) -> dict[str, str]:
        """What was withheld in earlier turns of the conversation, for where it stood; grows with what is put in."""
        known = self.known.setdefault(turn.conversation_or_bundle, {}) if turn.conversation_or_bundle else {}
        if len(known) > _MOST_KNOWN:
            known.clear()
        return known

    @property
    def capture(self) -> Capture:
        """How many captured turns they were; of lines that were set aside it is not known whose they are."""
        bundles = len(self.bundles)
        return Capture(captured=self.single + bundles, bundles=bundles, turns=self.turns)


def derive_run(  # noqa: PLR0917 - what it is made of, and where it goes
    parent: Path, client: str, key: bytes, redaction: RedactionConfig, runs: Path, run_id: str | None
) -> Path:
    """Makes a run that holds the turns of one client only, without what is to be withheld.

    Nothing of another client is in it, nor anything by which a reader could try out what was withheld: digests over
    withheld text are left out, and parent and turns are committed to by keys that follow from `key`. The same parent,
    client, key and configuration give the same bytes.

    Args:
        parent: The folder of a finished run.
        client: The value of the label `client`.
        key: The publisher's key, 32 bytes.
        redaction: What is to be withheld.
        runs: The folder for the new run.
        run_id: Its id; None for one of time, rubric, judge and client.

    Raises:
        ConfigError: A pattern of the configuration is wrong.
        RunError: No turn is of that client, the parent is derived itself, was drawn from all clients together or does
            not follow from its turns, or the new run cannot be written.
    """
    records = open_records(parent)
    require_plain(records)
    others = _other_clients(records, client)
    renaming = Renaming(records.run, build_rules(redaction, others))
    draft = draft_manifest(records, renaming, key, run_id or choose_derived_id(records, runs, client))
    taken = _Taken()
    with begin_folder(runs, draft) as folder:
        save_lines(folder / TURNS, _take_turns(records, client, renaming, taken))
        save_lines(folder / VERDICTS, taken.verdicts)
        canaries = take_canaries(records, renaming)
        draft = draft.model_copy(update={"erasures": _take_erasures(records, renaming, taken.erased)})
        manifest = _complete(draft, _describe(records, client, key, taken.withheld), taken, canaries)
        finish_derived(folder, manifest, records.run, canaries)
    return folder


def prove(parent: Path, turn_id: str | None, key: bytes) -> Opening:
    """What opens the commitment to one turn of a run, for whomever shall see what was withheld of it.

    Args:
        parent: The folder of the run that others were derived from.
        turn_id: The turn; None to open the commitment to the run itself, by its id and seal.
        key: The key that they were derived by.

    Raises:
        RunError: The run has no such turn.
    """
    records = open_records(parent)
    if turn_id is None:
        return open_run(key, records.run.manifest.run_id, records.run.first_seal)
    for turn in records.turns():
        if turn.id == turn_id:
            return open_turn(key, records.run.first_seal, turn)
    raise RunError(
        f"The run {parent} has no turn {turn_id}", "Give the id that the turn has in the run it was judged in."
    )


def _other_clients(records: Records, client: str) -> list[str]:
    """The names of all other clients, but for those that this one's name holds as whole words.

    Raises:
        RunError: No turn is of that client.
    """
    names = {turn.labels[CLIENT] for turn in records.turns() if CLIENT in turn.labels}
    if client not in names:
        known = ", ".join(sorted(names)[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        fix = end_sentence(f"Its clients are: {known}") if names else "None of its turns has a label `client`."
        raise RunError(f"No turn of the run {records.place} is of the client {client!r}", fix)
    return sorted(name for name in names if not any(build_dictionary({name: CLIENT})(client)))


def _take_turns(records: Records, client: str, renaming: Renaming, taken: _Taken) -> Iterator[Turn]:
    """The client's turns as they go into the new run; their verdicts and what was withheld are gathered on the way."""
    groups = VerdictGroups(records.verdicts())
    for turn in records.turns():
        verdicts = groups.take(turn.id)
        if turn.labels.get(CLIENT) != client:
            continue
        _require_own_stratum(turn, records)
        renaming.require_evidence(turn, verdicts)
        # First the names that must stay distinct: two of them may be withheld as one mark.
        named = [renaming.rename_attempts(verdict) for verdict in verdicts]
        known = taken.known_in(turn)
        clean = redact_turn(renaming.rename_turn(turn), named, renaming.rules, taken.turns + 1, known)
        known |= clean.learned
        if turn.id in records.run.manifest.erased:
            taken.erased[turn.id] = clean.turn.id
        settled = [
            settle_quotes(renaming.settle(verdict, clean.turn), clean.turn, before, turn, records.run)
            for verdict, before in zip(clean.verdicts, verdicts, strict=True)
        ]
        taken.add(clean.turn, tuple(settled))
        yield clean.turn


def _require_own_stratum(turn: Turn, records: Records) -> None:
    """Makes sure that a drawn turn stands for turns of its client alone.

    Raises:
        RunError: It stands for those of others, too, and its weight would count them.
    """
    if turn.drawn and CLIENT not in turn.drawn.strata:
        raise RunError(
            f"The turns of the run {records.place} were drawn from those of all clients together",
            "Draw with the label client among --strata, or derive from a run that holds all turns of its capture.",
        )


def _take_erasures(records: Records, renaming: Renaming, erased: Mapping[str, str]) -> tuple[Erasure, ...] | None:
    """The erasures that concern the client's turns, without those of anybody else."""
    found = [
        erasure.model_copy(
            update={
                "turns": tuple(erased[turn] for turn in erasure.turns if turn in erased),
                "reason": redact_data(erasure.reason, renaming.rules),
            }
        )
        for erasure in records.run.manifest.inherited_erasures or ()
    ]
    return tuple(erasure for erasure in found if erasure.turns) or None


def _describe(records: Records, client: str, key: bytes, withheld: WithheldCount) -> Derivation:
    run = records.run
    return Derivation(
        client=client,
        parent=open_run(key, run.manifest.run_id, run.first_seal).commitment,
        commitments=commit_turns(key, run.first_seal, records.turns()),
        withheld=withheld.kinds,
        evidence_withheld=withheld.evidence,
        rescored=run.manifest.is_rescored,
    )


def _complete(draft: Manifest, derived: Derivation, taken: _Taken, canaries: list[Canary] | None) -> Manifest:
    repeats = draft.repeats and Repeats(samples=draft.repeats.samples, turns=taken.withheld.repeated)
    asked = [*taken.verdicts, *(verdict for canary in canaries or () for verdict in canary.verdicts)]
    batches = count_batches(asked)
    changed = {"derived": derived, "capture": taken.capture, "repeats": repeats, "batches": batches}
    return draft.model_copy(update=changed)
