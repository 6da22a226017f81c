"""What comes after a run is finished: records that are only ever appended, each naming the run's seal."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, TypeVar

from reportgen.archive.lock import locked
from reportgen.archive.store import parse
from reportgen.errors import RunError
from reportgen.model.calibration import Calibration
from reportgen.model.label import CalibrationSample, LabelImport
from reportgen.model.probe import Probe
from reportgen.model.revision import Revision
from reportgen.model.standing import Withdrawal
from reportgen.record import Record, canonical

ANNEXES = Path("annexes")
REVISIONS = ANNEXES / "revisions.jsonl"
WITHDRAWALS = ANNEXES / "withdrawals.jsonl"
PROBES = ANNEXES / "probes.jsonl"
LABELS = ANNEXES / "labels.jsonl"
SAMPLES = ANNEXES / "calibration-samples.jsonl"
CALIBRATIONS = ANNEXES / "calibrations.jsonl"

_RESTORE = "Restore the annexes from their archive."

_Kind = TypeVar("_Kind", bound=Record)


def read_revisions(folder: Path, *seals: str) -> list[Revision]:
    """The revisions of the report of the run with that seal, oldest first; of an erasure's also those before it.

    Raises:
        RunError: A line is damaged, missing, or of another run.
    """
    revisions = read_appended(Revision, folder / REVISIONS)
    for number, revision in enumerate(revisions, start=1):
        if revision.seal not in seals:
            raise RunError(f"{folder / REVISIONS} names another run's seal", _RESTORE)
        if revision.number != number:
            raise RunError(f"{folder / REVISIONS}:{number} is revision {revision.number}", _RESTORE)
    return revisions


def record_revision(folder: Path, revision: Revision, *before: str) -> None:
    """Adds a revision to the annexes of its run; `before` are the seals that the run had before texts were erased.

    Raises:
        RunError: The annexes cannot be written, or another process has recorded a revision of that number meanwhile.
    """
    with locked(folder):
        if len(read_revisions(folder, revision.seal, *before)) != revision.number - 1:
            raise RunError(
                f"Revision {revision.number} of {folder} was recorded by another process meanwhile",
                "Give the command again; it then makes the next one.",
            )
        append_record(folder / REVISIONS, revision)


def read_withdrawals(folder: Path, *seals: str) -> list[Withdrawal]:
    """The withdrawals of revisions of the report of the run with that seal, oldest first; likewise.

    Raises:
        RunError: A line is damaged, or of another run.
    """
    withdrawals = read_appended(Withdrawal, folder / WITHDRAWALS)
    if any(withdrawal.seal not in seals for withdrawal in withdrawals):
        raise RunError(f"{folder / WITHDRAWALS} names another run's seal", _RESTORE)
    return withdrawals


def record_withdrawal(folder: Path, withdrawal: Withdrawal) -> None:
    """Adds a withdrawal to the annexes of its run.

    Raises:
        RunError: The annexes cannot be written.
    """
    with locked(folder):
        append_record(folder / WITHDRAWALS, withdrawal)


def read_probes(folder: Path) -> list[Probe]:
    """The probes of a run, oldest first."""
    return read_appended(Probe, folder / PROBES)


def save_probe(folder: Path, probe: Probe) -> None:
    """Adds a probe to the annexes of a run.

    Raises:
        RunError: The annexes cannot be written.
    """
    append_record(folder / PROBES, probe)


def read_labels(folder: Path, *seals: str) -> list[LabelImport]:
    """The imports of labels on the turns of the run with that seal, oldest first; also those from before an erasure.

    Raises:
        RunError: A line is damaged, or of another run.
    """
    imports = read_appended(LabelImport, folder / LABELS)
    if any(item.seal not in seals for item in imports):
        raise RunError(f"{folder / LABELS} names another run's seal", _RESTORE)
    return imports


def record_labels(folder: Path, imports: Sequence[LabelImport]) -> None:
    """Adds imports of labels to the annexes of their run, all of them in one write; the caller holds its lock.

    Raises:
        RunError: The annexes cannot be written.
    """
    append_record(folder / LABELS, *imports)


def read_samples(folder: Path, *seals: str) -> list[CalibrationSample]:
    """The calibration samples of the run with that seal, oldest first; the last one is in use.

    Raises:
        RunError: A line is damaged, or of another run.
    """
    samples = read_appended(CalibrationSample, folder / SAMPLES)
    if any(sample.seal not in seals for sample in samples):
        raise RunError(f"{folder / SAMPLES} names another run's seal", _RESTORE)
    return samples


def record_sample(folder: Path, sample: CalibrationSample) -> None:
    """Adds a calibration sample to the annexes of its run; the caller holds its lock.

    Raises:
        RunError: The annexes cannot be written.
    """
    append_record(folder / SAMPLES, sample)


def read_calibrations(folder: Path, *seals: str) -> list[Calibration]:
    """The calibrations of the run with that seal, oldest first; a report rests on the last one.

    Raises:
        RunError: A line is damaged, or of another run.
    """
    calibrations = read_appended(Calibration, folder / CALIBRATIONS)
    if any(calibration.seal not in seals for calibration in calibrations):
        raise RunError(f"{folder / CALIBRATIONS} names another run's seal", _RESTORE)
    return calibrations


def record_calibration(folder: Path, calibration: Calibration) -> None:
    """Adds a calibration to the annexes of its run; the caller holds its lock.

    Raises:
        RunError: The annexes cannot be written.
    """
    append_record(folder / CALIBRATIONS, calibration)


def append_record(path: Path, *records: Record) -> None:
    """Adds lines to a file of records, all in one write, and makes them last.

    Raises:
        RunError: The file cannot be written.
    """
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("a+b") as file:
            _cut_torn_line(file)
            file.write(b"".join(canonical(record.to_data()) + b"\n" for record in records))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise RunError(
            f"{path} cannot be written: {error.strerror}", "Copy the run to a folder that can be written."
        ) from None


def read_appended(kind: type[_Kind], path: Path) -> list[_Kind]:
    """The records of such a file; a last line that was torn off by a crash is not one.

    Raises:
        RunError: A line is damaged, or of a newer format.
    """
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [parse(kind, line, f"{path}:{number}") for number, line in enumerate(lines, start=1)]


def _cut_torn_line(file: BinaryIO) -> None:
    """Ends the file with its last whole line."""
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)
