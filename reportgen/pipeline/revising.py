"""Which revision of a report is to be rendered: an old one as it was, the latest, or a new one."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reportgen import __version__
from reportgen.archive.anchors import checks_of
from reportgen.archive.annexes import read_annex, read_revisions
from reportgen.archive.records import Records
from reportgen.errors import RevisionError, RunError
from reportgen.model.calibration import Calibration
from reportgen.model.revision import Baseline, Correction, EarlierRun, Notes, Revision
from reportgen.model.run import RunFile
from reportgen.model.standing import Standing, Withdrawal, find_standing

PROGRAM = f"reportgen {__version__}"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a revision is to rest on beyond its run; what is None stays as the latest revision has it.

    Each field bears the name of the field of a revision that it sets. Notes are dated by their first revision.
    """

    generated_at: datetime | None = None
    notes: Notes | None = None
    correction: Correction | None = None
    earlier: tuple[EarlierRun, ...] | None = None
    baseline: Baseline | None = None

    def given(self) -> dict[str, Any]:
        """What is set anew."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


AS_BEFORE = Terms()


@dataclass(frozen=True, slots=True)
class History:
    """All that was published of a run, oldest first, and what was withdrawn of it."""

    revisions: tuple[Revision, ...]
    withdrawals: tuple[Withdrawal, ...]

    def standing(self, revision: Revision) -> Standing | None:
        """The standing of one of the revisions; None for the current one."""
        return find_standing(revision, self.revisions, self.withdrawals)

    @property
    def latest(self) -> Revision | None:
        """The latest revision; None before the first."""
        return self.revisions[-1] if self.revisions else None

    @property
    def is_withdrawn(self) -> bool:
        """Whether the latest revision no longer stands."""
        return self.latest is not None and self.standing(self.latest) is not None


@dataclass(frozen=True, slots=True)
class Choice:
    """A revision to render, with its standing; `is_new` where it is to be recorded once it has been rendered."""

    revision: Revision
    standing: Standing | None = None
    is_new: bool = False


def read_history(folder: Path, run: RunFile) -> History:
    """What was published of the run in that folder.

    Raises:
        RunError: The annexes are damaged, or of another run.
    """
    return History(tuple(read_revisions(folder, *run.seals)), tuple(read_annex(Withdrawal, folder, *run.seals)))


def is_withdrawn(records: Records) -> bool:
    """Whether the report of a run no longer stands, as its folder has it; of a `report.json`, as that says itself.

    Raises:
        RunError: The annexes are damaged, or of another run.
    """
    if records.folder is None:
        known = records.standing
        return known is not None and (known.state == "withdrawn" or known.run is not None)
    return read_history(records.folder, records.run).is_withdrawn


def find_revision(history: History, number: int, place: str) -> Revision:
    """The revision of that number.

    Raises:
        RevisionError: There is none.
    """
    known = history.revisions
    if not 1 <= number <= len(known):
        have = f"it has {len(known)}" if known else "it has none yet"
        raise RevisionError(f"{place} has no revision {number}; {have}", "`reportgen revisions RUN` lists them.")
    return known[number - 1]


def choose_revision(records: Records, terms: Terms, number: int | None, now: datetime) -> Choice:
    """The revision to render.

    Args:
        records: The run, from its folder.
        terms: What the report is to rest on. Where the latest revision rests on just that, it is the one.
        number: Asks for that revision as it is; `terms` then have no meaning.
        now: The generation time of a new revision, unless `terms` or SOURCE_DATE_EPOCH give one.

    Raises:
        RevisionError: There is no revision of that number, or the report was withdrawn and is not to be corrected.
        RunError: The generation time is before the run was finished, or the annexes are damaged.
    """
    assert records.folder is not None, "only a run in its folder has revisions"
    history = read_history(records.folder, records.run)
    old = _choose_old(history, terms, number, records.place)
    if old is not None:
        return Choice(old, history.standing(old))
    _require_corrected(history, terms.correction, records.place)
    beside = {"probes": len(records.probes) or None, "checks": checks_of(records) or None}
    rests_on = {**_settle(history.latest, terms), **beside, "seal": records.run.seal}
    if calibrations := read_annex(Calibration, records.folder, *records.run.seals):
        rests_on["calibration"] = calibrations[-1]
    if history.latest and all(getattr(history.latest, name) == value for name, value in rests_on.items()):
        return Choice(history.latest)
    return Choice(_build_next(history.revisions, records.run, rests_on, now.replace(microsecond=0)), is_new=True)


def _choose_old(history: History, terms: Terms, number: int | None, place: str) -> Revision | None:
    """The revision to be shown as it is: the one that is asked for, or a withdrawn one of which nothing is changed."""
    if number is not None:
        return find_revision(history, number, place)
    return history.latest if history.is_withdrawn and not terms.given() else None


def _require_corrected(history: History, correction: Correction | None, place: str) -> None:
    """Only a correction brings a withdrawn report back; what it corrects must be there."""
    if correction is None:
        if history.is_withdrawn:
            fix = "Say what a new revision corrects: `reportgen report RUN --corrects N`."
            raise RevisionError(f"The report of {place} no longer stands", fix)
    elif correction.run is None:
        find_revision(history, correction.supersedes, place)


def _settle(latest: Revision | None, terms: Terms) -> dict[str, Any]:
    """What the revision is to rest on, by the names of its fields."""
    rests_on = terms.given()
    if terms.generated_at is None and (fixed := source_date()) is not None:
        rests_on["generated_at"] = fixed
    if terms.notes and latest and latest.notes and _same(terms.notes, latest.notes):
        rests_on["notes"] = latest.notes
    return rests_on


def _same(one: Notes, other: Notes) -> bool:
    return (one.text, one.signed) == (other.text, other.signed)


def _build_next(known: Sequence[Revision], run: RunFile, rests_on: dict[str, Any], now: datetime) -> Revision:
    """What is not set anew stays, so that nothing that readers were told gets lost."""
    kept = {name: getattr(known[-1], name) for name in Revision.model_fields} if known else {}
    new = {"number": len(known) + 1, "seal": run.seal, "generated_at": now, "program": PROGRAM, **rests_on}
    _require_after(new["generated_at"], run.manifest.finished_at)
    notes = new.get("notes")
    if notes is not None and notes is not kept.get("notes"):
        new["notes"] = notes.model_copy(update={"dated": new["generated_at"]})
    return Revision(**{**kept, **new})


def require_time(terms: Terms, finished: datetime | None) -> None:
    """Makes sure that a report may bear the time that it is to be given, before anything is made or paid for.

    Args:
        terms: What the report is to rest on.
        finished: When its run was finished; of one that is judged only now, the time before that.

    Raises:
        RunError: The time lies before that, or SOURCE_DATE_EPOCH is no time.
    """
    asked = terms.generated_at or source_date()
    if asked is not None:
        _require_after(asked, finished)


def _require_after(generated_at: datetime, finished: datetime | None) -> None:
    if finished is not None and generated_at < finished.replace(microsecond=0):
        raise RunError(
            f"The generation time {generated_at.isoformat()} is before the run was finished, {finished.isoformat()}",
            "Give a later --generated-at or SOURCE_DATE_EPOCH, or none.",
        )


def source_date() -> datetime | None:
    """The time that SOURCE_DATE_EPOCH asks for.

    Raises:
        RunError: It is not a number of seconds.
    """
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return None
    try:
        return datetime.fromtimestamp(int(text), UTC)
    except (ValueError, OverflowError, OSError):
        raise RunError(f"SOURCE_DATE_EPOCH is {text!r}", "Give seconds since 1970, or unset it.") from None
