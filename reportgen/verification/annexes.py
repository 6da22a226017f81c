"""Do the annexes of a run in its folder belong to it, and are they whole?"""

from collections.abc import Iterator
from pathlib import Path

from reportgen.analysis.calibration.sides import ascending_bands
from reportgen.archive.annexes import PLACES, read_annex, read_revisions, read_whole_lines
from reportgen.archive.records import Records
from reportgen.model.label import CalibrationSample, LabelImport
from reportgen.model.revision import Revision
from reportgen.model.standing import Withdrawal
from reportgen.verification.anchor_checks import check_people
from reportgen.verification.differences import Difference, guard, shorten
from reportgen.verification.manifest import check_line


def check_annexes(records: Records) -> Iterator[Difference]:
    """Revisions in their order, withdrawals of revisions that there are, labels and samples; all of this run.

    Probes and calibrations are held against the scores elsewhere. A report bears one revision, and no annexes.
    """
    if (folder := records.folder) is not None:
        yield from guard(records.place, lambda: _check_published(records))
        yield from guard(records.place, lambda: _read_all(records))
        yield from guard(records.place, lambda: _check_lines(folder))


def _check_published(records: Records) -> Iterator[Difference]:
    assert records.folder is not None, "only a run in its folder has annexes"
    revisions = read_revisions(records.folder, *records.run.seals)
    for revision in revisions:
        place = f"annexes, revision {revision.number}"
        yield from check_moment(place, revision, records)
        for difference in check_people(revision.checks or (), ascending_bands(records.run.rubric)):
            yield Difference(f"{place}: {difference.place}", difference.stated, difference.found)
    for withdrawal in read_annex(Withdrawal, records.folder, *records.run.seals):
        if unknown := sorted(set(withdrawal.revisions) - {revision.number for revision in revisions}):
            yield Difference("annexes, withdrawal", f"revision {unknown[0]}", "a revision that there is")


def _read_all(records: Records) -> Iterator[Difference]:
    """Nothing, unless a record is damaged or of another run."""
    assert records.folder is not None, "only a run in its folder has annexes"
    read_annex(LabelImport, records.folder, *records.run.seals)
    read_annex(CalibrationSample, records.folder, *records.run.seals)
    yield from ()


def _check_lines(folder: Path) -> Iterator[Difference]:
    """Each line is of the one form that all programs read alike."""
    for place in PLACES.values():
        for number, line in enumerate(read_whole_lines(folder / place), start=1):
            yield from check_line(f"{place}:{number}", line)


def check_moment(place: str, revision: Revision, records: Records) -> Iterator[Difference]:
    """A report cannot have been generated before its run was finished; more cannot be known of its time."""
    finished = records.run.manifest.finished_at
    if finished is None or revision.generated_at < finished.replace(microsecond=0):
        yield Difference(f"{place}: generated_at", shorten(revision.generated_at), f"a time not before {finished}")
