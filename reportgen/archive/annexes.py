"""What comes after a run is finished: records that are only ever appended, each naming the run's seal."""

import os
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from reportgen.archive.store import read_records
from reportgen.errors import RunError
from reportgen.record import Moment, Record, canonical

REVISIONS = Path("annexes") / "revisions.jsonl"


class Revision(Record):
    """One published state of a run's report: when it was generated first, and by which program."""

    format: Literal["reportgen/revision/1"] = "reportgen/revision/1"
    number: Annotated[int, Field(ge=1)]
    seal: str
    generated_at: Moment
    program: str


def read_revisions(folder: Path) -> list[Revision]:
    """The revisions of a run's report, oldest first."""
    path = folder / REVISIONS
    return list(read_records(Revision, path)) if path.exists() else []


def current_revision(folder: Path, seal: str, program: str, now: datetime, fixed: datetime | None) -> Revision:
    """The revision to render: the latest one, or a new one.

    A new one is recorded where there is none yet, or where `fixed` asks for another generation time.

    Raises:
        RunError: The annexes cannot be written.
    """
    known = read_revisions(folder)
    if known and (fixed is None or known[-1].generated_at == fixed):
        return known[-1]
    revision = Revision(number=len(known) + 1, seal=seal, generated_at=fixed or now, program=program)
    _append(folder / REVISIONS, revision)
    return revision


def _append(path: Path, record: Record) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("ab") as file:
            file.write(canonical(record.to_data()) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise RunError(
            f"{path} cannot be written: {error.strerror}", "Copy the run to a folder that can be written."
        ) from None
