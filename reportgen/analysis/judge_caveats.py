"""Caveats about the judge, each with its slug."""

from collections.abc import Sequence

from reportgen.analysis.canaries import CanaryCheck
from reportgen.analysis.judge_change import find_change
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.vendors import judges_of, measure_kinship
from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.run import Manifest

_SAY_STATE = {"drifted": "not passed: it found them to differ", "inconclusive": "inconclusive"}


def check_canaries(canaries: CanaryCheck) -> list[tuple[str, str]]:
    """What the judge made of turns with a known right verdict."""
    found = []
    if canaries.failed:
        kinds = ", ".join(dict.fromkeys(line.kind for line in canaries.lines if line.passed is False))
        of = f"{canaries.failed} of {canaries.asked} canaries" if canaries.asked > 1 else "the one canary"
        found.append(
            ("judge-not-trusted", f"The judge failed {of}, made-up turns with a known right verdict: {kinds}.")
        )
    if canaries.unanswered:
        of = f"{canaries.unanswered} of {canaries.asked} canaries" if canaries.asked > 1 else "the one canary"
        found.append(("canaries-unanswered", f"The judge gave no usable reply to {of}, so that they show nothing."))
    return found


def check_predecessor(manifest: Manifest, checks: Sequence[AnchorCheck]) -> list[tuple[str, str]]:
    """Whether the judge is another than that of the last run, and what is known of the two."""
    change = find_change(manifest, checks)
    if change is None or change.is_passed:
        return []
    before = f"{change.before.asked.judge.name}; differs in: {', '.join(change.keys)}"
    how = "and the two were not checked against each other on frozen anchors"
    if change.check is not None:
        how = f"and their latest check on frozen anchors was {_SAY_STATE[change.check.drift.state]}"
    return [("judge-changed", f"The judge is not that of the last run of this rubric ({before}), {how}.")]


def check_judge(manifest: Manifest) -> list[tuple[str, str]]:
    """Whether a judge was asked at all, and by which clock."""
    found = []
    if manifest.judge.provider == "recorded":
        said = f" Their file says: “{manifest.judge.note}”" if manifest.judge.note else ""
        asked = "No judge model was asked in this run: its verdicts were replayed from a file."
        found.append(("recorded-judge", asked + said))
    if recorded := sum(member.judge.provider == "recorded" for member in manifest.panel or ()):
        members = len(manifest.panel or ())
        found.append(
            ("recorded-judge", f"Judges of this panel that were replayed from a file: {recorded} of {members}.")
        )
    if manifest.fixed_clock:
        found.append(("fixed-clock", manifest.fixed_clock))
    return found


def check_kinship(manifest: Manifest, rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    """Whether judge and assistant are of one vendor."""
    kinship = measure_kinship(rows, judges_of(manifest))
    if not kinship.shared:
        return []
    of = f"{kinship.shared} of {len(rows)} turns" if len(rows) > 1 else "the one turn"
    vendor = " or ".join(kinship.common)
    sentence = f"By their names judge and assistant are of one vendor, {vendor}, in {of}; a judge may favour its kin."
    return [("shared-vendor", sentence)]
