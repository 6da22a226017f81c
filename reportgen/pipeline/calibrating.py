"""The labels of a run -> a calibration in its annexes, and what it says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.calibration.pairing import LabelledTurn, Pairing, pair_up
from reportgen.analysis.calibration.results import CalibrationResult, measure_calibration
from reportgen.analysis.calibration.reviewing import review_pairs
from reportgen.analysis.calibration.weight_review import WeightReview
from reportgen.analysis.rows import TurnRow
from reportgen.archive.annexes import append_annex, read_annex
from reportgen.archive.lock import locked
from reportgen.archive.records import Records, open_records
from reportgen.assembly import read_rows
from reportgen.errors import CalibrationError
from reportgen.model.calibration import Calibration
from reportgen.model.label import CalibrationSample, LabelImport, standing_labels
from reportgen.pipeline.labelled_sample import require_composite
from reportgen.scoring.caps import FACTS

PROGRAM = f"reportgen {__version__}"


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration of a run; `is_new` where it was not there before."""

    records: Records
    calibration: Calibration
    result: CalibrationResult
    is_new: bool


def calibrate_run(folder: Path, now: datetime) -> Calibrated:
    """Holds the judge of a run against its labels and keeps the calibration, unless the newest one says the same.

    Raises:
        CalibrationError: The run has no label that can be used.
        LabelError: Its rubric has no composite.
        RunError: The run cannot be read, or its annexes are damaged or cannot be written.
    """
    records = open_records(folder)
    rows = read_rows(records)
    with locked(folder):
        calibration = _build(records, rows, now)
        known = read_annex(Calibration, folder, *records.run.seals)
        is_new = not known or not _says_the_same(known[-1], calibration)
        if is_new:
            append_annex(folder, calibration)
        else:
            calibration = known[-1]
    return Calibrated(records, calibration, measure_calibration(calibration, records.run.rubric, rows), is_new)


def review_run(folder: Path, unrecorded: Sequence[LabelImport] = ()) -> WeightReview:
    """Asks whether the labels of a run contradict the weights of its rubric.

    Args:
        folder: That of the run.
        unrecorded: Labels that count beside those of the annexes, and later than them.

    Raises:
        CalibrationError: The run has no label that can be used.
        RunError: The run cannot be read, or its annexes are damaged.
    """
    records = open_records(folder)
    rows = read_rows(records)
    return review_pairs(_pair(records, rows, unrecorded, by_sample=False).pairs, rows, records.run.rubric)


def _build(records: Records, rows: Sequence[TurnRow], now: datetime) -> Calibration:
    paired = _pair(records, rows, by_sample=True)
    return Calibration(
        seal=records.run.seal,
        rubric=records.run.rubric.digest,
        made_at=now.replace(microsecond=0),
        program=PROGRAM,
        drawn=bool(read_annex(CalibrationSample, _folder(records), *records.run.seals)),
        labellers=paired.labellers,
        strata=paired.strata,
        pairs=paired.pairs,
        left_out=paired.left_out,
    )


def _pair(
    records: Records, rows: Sequence[TurnRow], unrecorded: Sequence[LabelImport] = (), *, by_sample: bool
) -> Pairing:
    require_composite(records.run)
    folder, seals = _folder(records), records.run.seals
    labels = standing_labels([*read_annex(LabelImport, folder, *seals), *unrecorded])
    samples = read_annex(CalibrationSample, folder, *seals) if by_sample else []
    paired = pair_up(labels, _read_turns(records, rows), samples[-1] if samples else None, records.run.rubric)
    if not paired.pairs:
        why = "; ".join(f"{reason}: {count}" for reason, count in paired.left_out.items())
        raise CalibrationError(
            f"{records.place} has no label that can be used" + (f" ({why})" if why else ""),
            "Draw turns: `reportgen sample RUN --n 60`; have them labelled, and take it in: `reportgen labels import`.",
        )
    return paired


def _read_turns(records: Records, rows: Sequence[TurnRow]) -> Iterator[LabelledTurn]:
    rubric = records.run.rubric
    facts = [(item.id, FACTS[item.not_applicable_when]) for item in rubric.dimensions if item.not_applicable_when]
    for turn, row in zip(records.turns(), rows, strict=True):
        yield LabelledTurn(row.score, row.weight, frozenset(name for name, holds in facts if holds(turn)))


def _says_the_same(one: Calibration, other: Calibration) -> bool:
    changed = {"made_at": other.made_at, "program": other.program, "seal": other.seal}
    return one.model_copy(update=changed) == other


def _folder(records: Records) -> Path:
    assert records.folder is not None, "only a run in its folder has annexes"
    return records.folder
