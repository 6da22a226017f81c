"""The sample of a run -> a page and a workbook for a person to label it with, in that person's own order."""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from reportgen.analysis.drawing import place_of
from reportgen.archive.annexes import read_annex
from reportgen.archive.files import write_together
from reportgen.archive.records import Records, open_records
from reportgen.errors import LabelError
from reportgen.model.label import CalibrationSample
from reportgen.model.turn import Turn
from reportgen.pipeline.labelled_sample import require_labelled
from reportgen.pipeline.making_room import require_free
from reportgen.pipeline.publish import make_folder
from reportgen.publishing.labelling.form import LabellingForm
from reportgen.publishing.labelling.page import render_page
from reportgen.publishing.labelling.workbook import write_labelling_workbook
from reportgen.publishing.look.look import PLAIN, Look


@dataclass(frozen=True, slots=True)
class FormOrder:
    """For whom the sample of which run is to be written, and where; `labeller` may be left to be filled in."""

    folder: Path
    out: Path
    labeller: str | None = None
    force: bool = False
    look: Look = PLAIN


def export_forms(order: FormOrder) -> tuple[Path, ...]:
    """Writes the page and the workbook, both or neither.

    Raises:
        LabelError: The turns of the run are not labelled, or none were drawn, or their texts were all erased.
        RunError: The run cannot be read, or a file exists already or cannot be written.
    """
    form = build_form(open_records(order.folder), order.folder, order.labeller or "")
    stem = f"labels-{_slug(order.labeller)}" if order.labeller else "labels"
    page, workbook = order.out / f"{stem}.html", order.out / f"{stem}.xlsx"
    require_free((page, workbook), force=order.force)
    make_folder(order.out)
    pieces = (piece.encode("utf-8", "replace") for piece in render_page(form, order.look))
    write_together({page: lambda file: file.writelines(pieces), workbook: partial(write_labelling_workbook, form)})
    return page, workbook


def build_form(records: Records, folder: Path, labeller: str) -> LabellingForm:
    """What a labeller is given: the sample in use, in an order that follows from who labels.

    Raises:
        LabelError: The turns of the run are not labelled, or none were drawn, or their texts were all erased.
    """
    require_labelled(records.run)
    sample = _find_sample(records, folder)
    wanted, erased = {turn.turn for turn in sample.turns}, records.run.manifest.erased
    turns = [turn for turn in records.turns() if turn.id in wanted and turn.id not in erased]
    if not turns:
        raise LabelError(f"The texts of all sampled turns of {records.place} were erased", "Draw another sample.")
    turns.sort(key=partial(_order, labeller))
    return LabellingForm(records.run, tuple(turns), labeller, sample.drawn_at)


def _order(labeller: str, turn: Turn) -> str:
    """Each labeller has another order, so that what comes of an order differs from one to the next."""
    return place_of(labeller, turn.id)


def _find_sample(records: Records, folder: Path) -> CalibrationSample:
    samples = read_annex(CalibrationSample, folder, *records.run.seals)
    if not samples:
        raise LabelError(
            f"No turns of {records.place} were drawn for labelling",
            f"Draw some: `reportgen sample {records.run.manifest.run_id} --n 60`.",
        )
    return samples[-1]


def _slug(labeller: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", labeller).strip("-")[:60] or "labeller"
