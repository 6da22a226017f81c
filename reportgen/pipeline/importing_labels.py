"""Files of labels -> the annexes of their run: all of them or none, and nothing that was there is lost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path

from reportgen.analysis.label_rows import LabelFile, LabelTerms, build_labels
from reportgen.archive.annexes import append_annex, read_annex
from reportgen.archive.lock import locked
from reportgen.archive.records import Records, open_records
from reportgen.assembly import digest_content
from reportgen.errors import LabelError
from reportgen.labelling import read_label_file
from reportgen.model.label import Label, LabelImport, standing_labels
from reportgen.model.run import RunFile, Source
from reportgen.pipeline.erasing import erase_label
from reportgen.pipeline.labelled_sample import PROGRAM, require_labelled
from reportgen.publishing.exports.cells import make_inert
from reportgen.publishing.exports.workbook import fit_cell


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """Which files hold labels on the turns of which run.

    `labeller` and `dated` hold where a file does not say; `not_applicable` are further words for it. With `drops`
    values off the scale are left out and counted, else they are refused.
    """

    folder: Path
    files: tuple[Path, ...]
    labeller: str | None = None
    dated: date | None = None
    not_applicable: tuple[str, ...] = ()
    drops: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of one file; `is_new` is False where it says nothing that does not stand already."""

    path: Path
    item: LabelImport
    is_new: bool


def import_labels(order: ImportOrder, now: datetime) -> tuple[Imported, ...]:
    """Reads files of labels and adds them to the annexes of their run, all of them or none.

    Raises:
        LabelError: The turns of the run are not labelled, or a file cannot be read, is of another run or rubric, holds
            a value off the scale that is not to be dropped, or no label on a turn of the run.
        RunError: The run cannot be read, or its annexes are damaged or cannot be written.
    """
    records = open_records(order.folder)
    require_labelled(records.run)
    terms = _build_terms(records, order)
    with locked(order.folder):
        known = read_annex(LabelImport, order.folder, *records.run.seals)
        done: list[Imported] = []
        for path in order.files:
            item = _read_import(path, records.run, terms, now)
            done.append(_weigh(path, item, [*known, *(each.item for each in done if each.is_new)]))
        if new := [each.item for each in done if each.is_new]:
            append_annex(order.folder, *new)
    return tuple(done)


def read_imports(order: ImportOrder, now: datetime) -> tuple[LabelImport, ...]:
    """What the files hold, by the same rules, without recording any of it.

    Raises:
        LabelError: As for an import.
        RunError: The run cannot be read.
    """
    records = open_records(order.folder)
    require_labelled(records.run)
    terms = _build_terms(records, order)
    return tuple(_read_import(path, records.run, terms, now) for path in order.files)


def _build_terms(records: Records, order: ImportOrder) -> LabelTerms:
    erased, contents, ids = records.run.manifest.erased, dict[str, str](), []
    for turn in records.turns():
        ids.append(turn.id)
        if turn.id not in erased:
            contents[turn.id] = digest_content(turn)
    return LabelTerms(
        records.run.rubric,
        name_turns(ids).get,
        contents,
        order.labeller,
        order.dated,
        order.not_applicable,
        order.drops,
    )


def name_turns(ids: Sequence[str]) -> Mapping[str, str]:
    """For all that may stand in a file for a turn the id of it: the id, and as a cell of a spreadsheet can hold it.

    What could stand for two turns stands for none.
    """
    shown = {turn: {fit_cell(turn), fit_cell(turn).strip(), make_inert(turn), turn.strip()} for turn in ids}
    uses = Counter(name for names in shown.values() for name in names)
    aliases = {name: turn for turn, names in shown.items() for name in names if name and uses[name] == 1}
    return aliases | {turn: turn for turn in ids}


def _read_import(path: Path, run: RunFile, terms: LabelTerms, now: datetime) -> LabelImport:
    data, file = read_label_file(path)
    _require_same(path, file, run)
    labels, left_out = build_labels(file.rows, terms)
    # Comments may quote what was erased from the turn, and files from before still hold them.
    labels = tuple(erase_label(label) if label.turn in run.manifest.erased else label for label in labels)
    if not labels:
        raise LabelError(
            f"{path} holds no label on a turn of the run {run.manifest.run_id}: of {len(file.rows)} rows "
            f"{left_out.empty} are empty and {left_out.unknown_turns} are on unknown turns",
            "Give the file as it was filled in, and the run that it is of.",
        )
    return LabelImport(
        seal=run.seal,
        rubric=run.rubric.digest,
        source=Source(name=path.name, sha256=sha256(data).hexdigest()),
        imported_at=now.replace(microsecond=0),
        program=PROGRAM,
        labels=labels,
        left_out=left_out,
    )


def _require_same(path: Path, file: LabelFile, run: RunFile) -> None:
    """Makes sure that a file that says of which run and rubric it is says this one."""
    if file.seal is not None and file.seal not in run.seals:
        raise LabelError(
            f"{path} holds labels of another run: its seal is {file.seal[:16]}…, not {run.seal[:16]}…",
            "Import it into the run that it was exported from.",
        )
    if file.rubric is not None and file.rubric != run.rubric.digest:
        raise LabelError(
            f"{path} was labelled by another rubric than that of the run {run.manifest.run_id}",
            "Export the sample again, and have it labelled by the rubric of the run.",
        )


def _weigh(path: Path, item: LabelImport, known: Sequence[LabelImport]) -> Imported:
    """The import with the labels that no longer stand because of it; one that changes nothing is not new."""
    before = {_key(label): label for label in standing_labels(known)}
    after = {_key(label): label for label in standing_labels([item])}
    replaced = len(item.labels) - len(after) + sum(key in before for key in after)
    is_new = any(before.get(key) != label for key, label in after.items())
    return Imported(path, item.model_copy(update={"superseded": replaced if is_new else 0}), is_new)


def _key(label: Label) -> tuple[str, str]:
    return label.turn, label.labeller
