"""What comes after a run is finished: records that are only ever appended, each naming the run's seal."""

import os
from pathlib import Path
from typing import BinaryIO, TypeVar

from reportgen.archive.lock import locked
from reportgen.archive.store import parse, require_plain_file
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
PLACES: dict[type[Record], Path] = {
    Revision: REVISIONS,
    Withdrawal: WITHDRAWALS,
    Probe: PROBES,
    LabelImport: LABELS,
    CalibrationSample: SAMPLES,
    Calibration: CALIBRATIONS,
}

_Kind = TypeVar("_Kind", bound=Record)
_Sealed = TypeVar("_Sealed", Revision, Withdrawal, LabelImport, CalibrationSample, Calibration)


def read_revisions(folder: Path, *seals: str) -> list[Revision]:
    """The revisions of the report of the run with that seal, oldest first; of an erasure's also those before it.

    Raises:
        RunError: A line is damaged, missing, or of another run.
    """
    revisions = read_annex(Revision, folder, *seals)
    for number, revision in enumerate(revisions, start=1):
        if revision.number != number:
            raise _damaged(f"{folder / REVISIONS}:{number} is revision {revision.number}")
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
        append_annex(folder, revision)


def record_withdrawal(folder: Path, withdrawal: Withdrawal) -> None:
    """Adds a withdrawal to the annexes of its run.

    Raises:
        RunError: The annexes cannot be written.
    """
    with locked(folder):
        append_annex(folder, withdrawal)


def read_probes(folder: Path) -> list[Probe]:
    """The probes of a run, oldest first."""
    return read_appended(Probe, folder / PROBES)


def read_annex(kind: type[_Sealed], folder: Path, *seals: str) -> list[_Sealed]:
    """The records of that kind in the annexes of the run with that seal, oldest first.

    Args:
        kind: What is read; of samples and calibrations the last one is in use.
        folder: The folder of the run.
        seals: Its seal, and those that it had before texts were erased.

    Raises:
        RunError: A line is damaged, or of another run.
    """
    path = folder / PLACES[kind]
    records = read_appended(kind, path)
    if any(record.seal not in seals for record in records):
        raise _damaged(f"{path} names another run's seal")
    return records


def append_annex(folder: Path, *records: Record) -> None:
    """Adds records of one kind, at least one, to the annexes of a run, all in one write.

    Where they rest on what stands there, the caller holds the lock of the run.

    Raises:
        RunError: The annexes cannot be written.
    """
    append_record(folder / PLACES[type(records[0])], *records)


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
    lines = enumerate(read_whole_lines(path), start=1)
    return [parse(kind, line, f"{path}:{number}") for number, line in lines]


def read_whole_lines(path: Path) -> list[bytes]:
    """The lines of a file of records; none where there is no file.

    Raises:
        RunError: It is a device or a pipe.
    """
    require_plain_file(path)
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def _damaged(what: str) -> RunError:
    return RunError(what, "Restore the annexes from their archive.")


def _cut_torn_line(file: BinaryIO) -> None:
    """Ends the file with its last whole line."""
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)
