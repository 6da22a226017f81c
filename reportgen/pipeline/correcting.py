"""What a person adds to a published report: notes, a correction, a withdrawal."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.annexes import record_withdrawal
from reportgen.archive.records import find_intact
from reportgen.archive.store import load_run
from reportgen.errors import RevisionError
from reportgen.model.audience import audience_of
from reportgen.model.revision import NOTES_AT_MOST, Correction, Notes, Revision
from reportgen.model.run import RunFile
from reportgen.model.standing import Successor, Withdrawal
from reportgen.pipeline.revising import PROGRAM, find_revision, read_history

_REASON_AT_MOST = 1_000
_SIGNED_AT_MOST = 200
_TARGET = re.compile(r"(?:(?P<run>.+)#)?(?P<number>[1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction, and the folder of the run whose report it corrects where that is another one."""

    correction: Correction
    folder: Path | None = None


def read_notes(path: Path, signed: str, now: datetime) -> Notes:
    """An editor's notes from a file of Markdown.

    Raises:
        RevisionError: They cannot be read, are not UTF-8, empty or too long, or the name is.
    """
    try:
        with path.open("rb") as file:
            data = file.read(4 * NOTES_AT_MOST + 4)
        text = data.decode("utf-8-sig").strip()
    except OSError as error:
        raise RevisionError(f"The notes {path} cannot be read: {error.strerror}", "Give a file of Markdown.") from None
    except UnicodeDecodeError as error:
        if len(data) > 4 * NOTES_AT_MOST:
            raise _too_long(path) from None
        raise RevisionError(f"The notes {path} are not UTF-8: byte {error.start}", "Save them as UTF-8.") from None
    if not text:
        raise RevisionError(f"The notes {path} are empty", "Write some, or leave --notes out.")
    if len(text) > NOTES_AT_MOST:
        raise _too_long(path)
    return Notes(text=text, signed=_require_text(signed, "--signed", _SIGNED_AT_MOST), dated=now)


def _too_long(path: Path) -> RevisionError:
    return RevisionError(f"The notes {path} are longer than {NOTES_AT_MOST:,} letters", "Shorten them.")


def read_correction(target: str, changed: str, reason: str, runs: Path) -> Corrected:
    """A correction of a revision.

    Args:
        target: The number of the revision, or with the run whose it is: `RUN#N`.
        changed: What changed, for readers.
        reason: Why.
        runs: Where runs are kept.

    Raises:
        RevisionError: There is no such revision, or a text is empty or too long.
        RunError: There is no such run.
    """
    match = _TARGET.fullmatch(target)
    if match is None:
        raise RevisionError(f"{target!r} names no revision", "Give its number, such as 1, or RUN#1.")
    correction = Correction(
        supersedes=int(match["number"]),
        changed=_require_text(changed, "--changed", _REASON_AT_MOST),
        reason=_require_text(reason, "--reason", _REASON_AT_MOST),
    )
    if match["run"] is None:
        return Corrected(correction)
    folder = find_intact(match["run"], runs)
    run = load_run(folder)
    find_revision(read_history(folder, run), correction.supersedes, str(folder))
    update = {"run": run.manifest.run_id, "seal": run.seal}
    return Corrected(correction.model_copy(update=update), folder)


def require_same_readers(run: RunFile, corrected: Path) -> None:
    """Makes sure that a report corrects one that went to the same readers, to whom it may name the other run.

    Raises:
        RevisionError: It is the same run, or one that was derived for another client, or only one of them was derived.
    """
    other = load_run(corrected)
    if other.seal == run.seal:
        raise RevisionError("A report of the same run is corrected by its number alone", "Give --corrects N.")
    if audience_of(run.manifest) != audience_of(other.manifest):
        raise RevisionError(
            f"The run {corrected} is not for the readers of {run.manifest.run_id}",
            "Correct it by a run for the same client.",
        )


def supersede_elsewhere(corrected: Path, run: RunFile, revision: Revision) -> None:
    """Has the annexes of a corrected run say which report takes the place of its own; a second time does nothing.

    Raises:
        RunError: The annexes cannot be written.
    """
    other, correction = load_run(corrected), revision.correction
    assert correction is not None, "only a correction supersedes the report of another run"
    history = read_history(corrected, other)
    successor = Successor(run=run.manifest.run_id, seal=run.seal, revision=revision.number)
    if any(item.successor == successor for item in history.withdrawals):
        return
    withdrawal = Withdrawal(
        seal=other.seal,
        revisions=tuple(range(1, len(history.revisions) + 1)),
        at=revision.generated_at,
        program=PROGRAM,
        reason=correction.reason,
        successor=successor,
    )
    record_withdrawal(corrected, withdrawal)


def withdraw_report(folder: Path, number: int | None, reason: str, now: datetime) -> Withdrawal:
    """Withdraws the report of a finished run: one revision, or all that still stand.

    Raises:
        RevisionError: There is no such revision, it was withdrawn before, or the reason is empty or too long.
        RunError: The annexes cannot be written.
    """
    run = load_run(folder)
    history = read_history(folder, run)
    gone = {item for withdrawal in history.withdrawals for item in withdrawal.revisions}
    if number is not None:
        find_revision(history, number, str(folder))
    asked = {number} if number else {revision.number for revision in history.revisions}
    if not asked - gone:
        what = "was withdrawn before" if asked else "has never been rendered"
        raise RevisionError(f"The report of {folder} {what}", "`reportgen revisions RUN` lists its revisions.")
    withdrawal = Withdrawal(
        seal=run.seal,
        revisions=tuple(sorted(asked - gone)),
        at=now.replace(microsecond=0),
        program=PROGRAM,
        reason=_require_text(reason, "--reason", _REASON_AT_MOST),
    )
    record_withdrawal(folder, withdrawal)
    return withdrawal


def _require_text(text: str, option: str, at_most: int) -> str:
    text = text.strip()
    if not text:
        raise RevisionError(f"{option} is empty", "Write what readers shall be told.")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise RevisionError(f"{option} is not UTF-8", "Write it in UTF-8.")
    if len(text) > at_most:
        raise RevisionError(f"{option} has {len(text):,} letters", f"Say it in {at_most:,} or fewer.")
    return text
