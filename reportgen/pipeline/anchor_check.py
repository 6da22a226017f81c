"""Checking a new judge on frozen anchors: it is asked about them in a run of its own, which is held against the set."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.comparison.sides import Sides, build_turn, lay_out
from reportgen.analysis.drift import measure_drift
from reportgen.archive.anchors import anchors_of, read_checks, record_check
from reportgen.archive.records import Records, find_intact, open_records, require_intact
from reportgen.archive.store import is_closed, list_folders, load_run
from reportgen.errors import DriftError, RunError
from reportgen.judging.backends import open_backend
from reportgen.model.anchor_check import AnchorCheck, Drift, NamedRun, asked_of
from reportgen.model.revision import BaselineTurn
from reportgen.model.run import RunFile
from reportgen.pipeline.anchor_labels import list_beside_people
from reportgen.pipeline.judge import JudgeOrder


@dataclass(frozen=True, slots=True)
class CheckStanding:
    """A recorded check, and whether it still follows from its two runs; `reason` says why not."""

    check: AnchorCheck
    reason: str | None


def find_judged(order: JudgeOrder) -> Path | None:
    """A run of the order's set and judge that was finished when no check of it was recorded; None where there is none.

    It is what is left of a check that was stopped right after its last verdict.
    """
    if not order.resume or order.parent is None:
        return None
    judge = open_backend(order.judge, order.effort, order.timeout).judge
    known = {check.judged.seal for check in read_checks(order.runs.parent) if check.judged}
    for folder in reversed(list_folders(order.runs)):
        if not is_closed(folder) or order.run_id not in {None, folder.name}:
            continue
        run = load_run(folder)
        is_ours = _is_of(run, order.parent) and run.manifest.judge == judge
        if is_ours and not known & set(run.seals):
            return folder
    return None


def check_anchors(
    anchors: Path, judged: Path, margin: Fraction, runs: Path, clock: Callable[[], datetime]
) -> AnchorCheck:
    """Holds anchors that were judged again against the frozen set, and records what that says.

    Args:
        anchors: The folder of the set.
        judged: That of the run in which the new judge was asked about it.
        margin: How far the composite may move, in points.
        runs: The archive.
        clock: Tells the time, with its zone.

    Raises:
        RunError: One of the two was changed, they do not belong together, or the check cannot be recorded.
    """
    before, after = (_open(folder) for folder in (anchors, judged))
    if not _is_of(after.run, before.run):
        raise RunError(f"{judged} is not of the anchors {anchors}", "Name the set that its manifest names as parent.")
    check = AnchorCheck(
        at=clock().replace(microsecond=0),
        program=f"reportgen {__version__}",
        anchors=_name(before.run),
        judged=_name(after.run),
        before=asked_of(before.run.manifest),
        after=asked_of(after.run.manifest),
        turns=before.run.summary.turns,
        margin=margin,
        drift=hold_together(before, after, margin),
        people=next(reversed(list_beside_people(before, after, runs)), None),
    )
    record_check(runs, check)
    return check


def hold_together(before: Records, after: Records, margin: Fraction) -> Drift:
    """What two judges made of the same anchors."""
    sides, _ = lay_out(list(_read_side(before)), list(_read_side(after)))
    return measure_drift(Sides(True, sides.before, sides.after), after.run.rubric, margin)


def require_equivalent(check: AnchorCheck) -> None:
    """Makes sure that the new judge was found to be equivalent to the old one.

    Raises:
        DriftError: It was not.
    """
    state = check.drift.state
    if state != "equivalent":
        how = "has drifted from" if state == "drifted" else "was not shown to be equivalent to"
        raise DriftError(
            f"{check.after.judge.name} {how} {check.before.judge.name}",
            "The check is recorded; runs by the new judge carry a caveat. docs/anchors.md says what to do.",
        )


def list_checks(runs: Path) -> Iterator[CheckStanding]:
    """All checks of an archive, oldest first, each worked out again from its two runs.

    Raises:
        RunError: The record of checks is damaged.
    """
    for check in read_checks(runs):
        yield CheckStanding(check, _find_fault(check, runs))


def _find_fault(check: AnchorCheck, runs: Path) -> str | None:
    if check.anchors is None or check.judged is None:
        return "it names no runs"
    try:
        before, after = (_find(named, runs) for named in (check.anchors, check.judged))
    except RunError as error:
        return error.what
    found = (asked_of(before.run.manifest), asked_of(after.run.manifest), hold_together(before, after, check.margin))
    if found != (check.before, check.after, check.drift):
        return "its figures do not follow from its runs"
    known = list_beside_people(before, after, runs)
    is_stated = check.people is not None and bool(known)
    return (
        "its figures beside people do not follow from the labels" if is_stated and check.people not in known else None
    )


def _find(named: NamedRun, runs: Path) -> Records:
    records = _open(find_intact(named.run, anchors_of(runs)))
    if named.seal not in records.run.seals:
        raise RunError(f"The run {named.run} has another seal", "Restore it from its archive.")
    return records


def _open(folder: Path) -> Records:
    require_intact(folder)
    return open_records(folder)


def _is_of(judged: RunFile, anchors: RunFile) -> bool:
    parent = judged.manifest.parent
    return parent is not None and parent.relation == "rejudged" and parent.seal in anchors.seals


def _name(run: RunFile) -> NamedRun:
    return NamedRun(run=run.manifest.run_id, seal=run.seal)


def _read_side(records: Records) -> Iterator[BaselineTurn]:
    for turn, score in zip(records.turns(), records.scores(), strict=True):
        yield build_turn(turn.id, turn.labels, turn.conversation_or_bundle, score, {})
