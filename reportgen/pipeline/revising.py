"""Which revision of a report is to be rendered: an old one as it was, the latest, or a new one."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from reportgen import __version__
from reportgen.archive.annexes import read_revisions
from reportgen.archive.records import Records
from reportgen.errors import RunError
from reportgen.model.revision import Baseline, Correction, EarlierRun, Notes, Revision
from reportgen.model.run import RunFile


@dataclass(frozen=True, slots=True)
class Terms:
    """What a revision is to rest on beyond its run; what is None stays as the latest revision has it.

    Each field bears the name of the field of a revision that it sets.
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
class Choice:
    """A revision to render; `is_new` where it is to be recorded once its rendering has succeeded."""

    revision: Revision
    is_new: bool


def choose_revision(records: Records, terms: Terms, number: int | None, now: datetime) -> Choice:
    """The revision to render.

    Args:
        records: The run, from its folder.
        terms: What the report is to rest on. Where the latest revision rests on just that, it is the one.
        number: Asks for that revision as it is; `terms` then have no meaning.
        now: The generation time of a new revision, unless `terms` or SOURCE_DATE_EPOCH give one.

    Raises:
        RunError: There is no revision of that number, the generation time is before the run was finished, or the
            annexes are damaged.
    """
    assert records.folder is not None, "only a run in its folder has revisions"
    known = read_revisions(records.folder, records.run.seal)
    if number is not None:
        return Choice(_find(known, number, records.place), is_new=False)
    rests_on = {"generated_at": source_date(), **terms.given(), "probes": len(records.probes) or None}
    if rests_on["generated_at"] is None:
        del rests_on["generated_at"]
    if known and all(getattr(known[-1], name) == value for name, value in rests_on.items()):
        return Choice(known[-1], is_new=False)
    revision = _build_next(known, records.run, {"generated_at": now.replace(microsecond=0), **rests_on})
    _require_after(revision.generated_at, records.run)
    return Choice(revision, is_new=True)


def _find(known: Sequence[Revision], number: int, place: str) -> Revision:
    if not 1 <= number <= len(known):
        have = f"has {len(known)}" if known else "has none yet"
        raise RunError(f"{place} has no revision {number}; it {have}", "Give the number of one that was rendered.")
    return known[number - 1]


def _build_next(known: Sequence[Revision], run: RunFile, rests_on: dict[str, Any]) -> Revision:
    """What is not set anew stays, so that nothing that readers were told gets lost."""
    new = {"number": len(known) + 1, "seal": run.seal, "program": f"reportgen {__version__}", **rests_on}
    kept = {name: getattr(known[-1], name) for name in Revision.model_fields} if known else {}
    return Revision(**{**kept, **new})


def _require_after(generated_at: datetime, run: RunFile) -> None:
    finished = run.manifest.finished_at
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
