"""A run for the public: the arithmetic of all turns without a text, and results by label without a small group."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reportgen.analysis.public_tables import FEWEST
from reportgen.archive.commitments import commit_turns, draw_order, draw_tag, open_run
from reportgen.archive.files import write_whole
from reportgen.archive.records import Records, open_records
from reportgen.archive.store import TURNS, VERDICTS
from reportgen.assembly import read_entries
from reportgen.config import RedactionConfig
from reportgen.errors import RunError
from reportgen.model.canary import Canary
from reportgen.model.derivation import Derivation
from reportgen.model.run import Manifest
from reportgen.model.score import Score
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
from reportgen.pipeline.renaming import Renaming
from reportgen.pipeline.stating import start_of_day, state_findings
from reportgen.publishing.report import TurnEntry
from reportgen.record import Record, canonical, digest
from reportgen.redaction.blanking import bare_turn, bare_verdict
from reportgen.redaction.rules import build_rules
from reportgen.scoring.composite import score_turn
from reportgen.withheld import CLIENT, WithheldCount


@dataclass(frozen=True, slots=True)
class _Plan:
    """Under which names the turns stand, by their ids: both are numbered in an order that tells nothing."""

    names: Mapping[str, str]
    conversations: Mapping[str, str]
    day: datetime


@dataclass(frozen=True, slots=True)
class _Bare:
    """The lines of the new run, in capture order for as long as they are not sorted, and what was withheld."""

    turns: dict[str, bytes]
    verdicts: dict[str, bytes]
    withheld: WithheldCount


def derive_public_run(parent: Path, key: bytes, redaction: RedactionConfig, runs: Path, run_id: str | None) -> Path:
    """Makes a run that shows how each score of another came about, and none of its texts.

    Its turns stand in an order that tells nothing, without labels and at one time; of their trajectories the statuses
    stay, on which caps rest. What can then no longer be recomputed is stated: results by label without any group of one
    to four turns, and counts over all turns. The same parent, key and configuration give the same bytes.

    Args:
        parent: The folder of a finished run.
        key: The publisher's key, 32 bytes.
        redaction: By which labels results are shown, and what is withheld from their values.
        runs: The folder for the new run.
        run_id: Its id; None for one of time and rubric.

    Raises:
        ConfigError: A pattern of the configuration is wrong.
        RunError: The parent has fewer than five turns, is derived itself or does not follow from its turns, or the new
            run cannot be written.
    """
    records = open_records(parent)
    require_plain(records)
    _require_many(records)
    rules = build_rules(redaction, _clients_of(records))
    renaming = Renaming(records.run, rules, hides_files=True)
    draft = draft_manifest(records, renaming, key, run_id or choose_derived_id(records, runs, None))
    with begin_folder(runs, draft) as folder:
        plan = _plan(records, key)
        bare = _bare_turns(records, renaming, plan)
        for name, lines in ((TURNS, bare.turns), (VERDICTS, bare.verdicts)):
            write_whole(folder / name, (lines[turn] for turn in plan.names))
        stated = state_findings(records, rules, redaction.public_labels, plan.names)
        manifest = _complete(draft, records, _describe(records, key, bare.withheld, stated))
        finish_derived(folder, manifest, records.run, _bare_canaries(records, renaming))
    return folder


def _require_many(records: Records) -> None:
    turns = records.run.summary.turns
    if any(turn.drawn for turn in records.turns()):
        raise RunError(
            f"The turns of the run {records.place} were drawn by strata, and their weights would tell of which each is",
            "Derive from a run that holds all turns of its capture.",
        )
    if turns < FEWEST:
        raise RunError(
            f"The run {records.place} has {turns} turns; fewer than {FEWEST} are never shown to the public",
            "Publish it for a client, or capture more.",
        )


def _clients_of(records: Records) -> list[str]:
    return sorted({turn.labels[CLIENT] for turn in records.turns() if CLIENT in turn.labels})


def _plan(records: Records, key: bytes) -> _Plan:
    found = sorted((draw_order(key, records.run.first_seal, turn), turn.id, _cluster(turn)) for turn in records.turns())
    tag = draw_tag(key, records.run.first_seal)
    clusters = dict.fromkeys(cluster for _, _, cluster in found if cluster)
    numbers = {cluster: f"conversation {number}" for number, cluster in enumerate(clusters, start=1)}
    return _Plan(
        names={turn: f"{tag}-{number}" for number, (_, turn, _) in enumerate(found, start=1)},
        conversations={turn: numbers[cluster] for _, turn, cluster in found if cluster},
        day=start_of_day(min(turn.captured_at for turn in records.turns()), records.run.manifest.timezone),
    )


def _cluster(turn: Turn) -> str:
    """What stands for the conversation or bundle of a turn, which no two clients share; empty where it has none."""
    found = turn.conversation_or_bundle
    return digest([turn.labels.get(CLIENT), found]) if found else ""


def _bare_turns(records: Records, renaming: Renaming, plan: _Plan) -> _Bare:
    """The turns under their new names, by those that they had; what caps and subscores rest on is as it was."""
    bare = _Bare({}, {}, WithheldCount())
    for entry in read_entries(records):
        turn, verdicts = _bare(entry, renaming, plan, records)
        bare.withheld.add(turn, verdicts)
        bare.turns[entry.turn.id] = _line(turn)
        bare.verdicts[entry.turn.id] = b"".join(map(_line, verdicts))
    return bare


def _line(record: Record) -> bytes:
    return canonical(record.to_data()) + b"\n"


def _bare(entry: TurnEntry, renaming: Renaming, plan: _Plan, records: Records) -> tuple[Turn, tuple[Verdict, ...]]:
    was = entry.turn.id
    renaming.require_evidence(entry.turn, entry.verdicts)
    turn = bare_turn(entry.turn, plan.names[was], plan.conversations.get(was), plan.day)
    verdicts = tuple(
        bare_verdict(verdict).model_copy(update={"turn": turn.id, "judge": renaming.judge(verdict.judge)})
        for verdict in entry.verdicts
    )
    _require_same(entry.score, score_turn(turn, verdicts, records.run.rubric, records.run.manifest.judge.name))
    return turn, verdicts


def _require_same(before: Score, after: Score) -> None:
    """Makes sure that a turn has the score that it had.

    Raises:
        RunError: The parent states another score than follows from its verdicts.
    """
    if _unname(before) != _unname(after):
        raise RunError(
            f"The score of the turn {before.turn} does not follow from its verdicts",
            "`reportgen verify` names the place; restore the run from its archive.",
        )


def _unname(score: Score) -> Score:
    """The score without names, and without the words of failures, which the public is not shown."""
    items = (item.model_copy(update={"note": None}) if item.failure else item for item in score.subscores)
    return score.model_copy(update={"turn": "", "judge": "", "reason": None, "subscores": tuple(items)})


def _bare_canaries(records: Records, renaming: Renaming) -> list[Canary] | None:
    """The canaries without their texts, and without when each was asked."""
    found = take_canaries(records, renaming)
    return found and [
        canary.model_copy(
            update={"verdicts": tuple(verdict.model_copy(update={"attempts": ()}) for verdict in canary.verdicts)}
        )
        for canary in found
    ]


def _describe(records: Records, key: bytes, withheld: WithheldCount, stated: dict[str, Any]) -> Derivation:
    run = records.run
    return Derivation(
        parent=open_run(key, run.manifest.run_id, run.first_seal).commitment,
        commitments=commit_turns(key, run.first_seal, records.turns()),
        withheld=withheld.kinds,
        evidence_withheld=withheld.evidence,
        rescored=run.manifest.is_rescored,
        stated=stated,
    )


def _complete(draft: Manifest, records: Records, derived: Derivation) -> Manifest:
    old = records.run.manifest
    return draft.model_copy(update={"derived": derived, "capture": old.capture, "batches": None})
