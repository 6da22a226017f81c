"""A workbook of labels, as `labels export` makes it: its sheet of labels, and that which says what they are of."""

import io
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from reportgen.analysis.label_rows import ABOUT_SHEET, EVIDENCE, LABELS_SHEET, LabelFile, LabelRow
from reportgen.errors import LabelError
from reportgen.labelling.table import DATE, LABELLER, RUBRIC, SEAL, build_file

_MOST_UNPACKED = 300_000_000
_MOST_RATIO = 200
"""So many times the size of the file may it unpack to; sheets that people filled in stay far below that."""
_FREE = 10_000_000
"""A file that unpacks to no more bytes than these may do so at any ratio."""
_MOST_ROWS = 200_000
_MOST_COLUMNS = 200
_MOST_SHEETS = 50
_SHEETS = (ABOUT_SHEET, LABELS_SHEET)
_FIX = "Give the workbook as `reportgen labels export` made it, filled in."


def read_workbook(data: bytes, place: str) -> LabelFile:
    """The rows of a workbook.

    Raises:
        LabelError: It is no workbook, or its sheets are not there.
    """
    _require_workbook(data, place)
    try:
        with warnings.catch_warnings():
            # What it does not know of the formats of a sheet it says by a warning, and leaves out.
            warnings.simplefilter("ignore")
            sheets = _load(data)
    except Exception as error:  # noqa: BLE001 - what a broken workbook makes the library raise is of every kind
        raise LabelError(f"{place} cannot be read as a workbook: {error}", _FIX) from None
    if LABELS_SHEET not in sheets:
        raise LabelError(f"{place} has no sheet {LABELS_SHEET!r}", _FIX)
    about = {row[0]: row[1] for row in sheets.get(ABOUT_SHEET, ()) if len(row) > 1 and row[0]}
    head, *lines = sheets[LABELS_SHEET] or [[]]
    names = ["" if name in EVIDENCE else name for name in head]
    numbered = ((f"{place}, row {number}", line) for number, line in enumerate(lines, start=2) if any(line))
    file = build_file(names, numbered, place)
    rows = tuple(_complete(row, about) for row in file.rows)
    return LabelFile(rows, file.seal or about.get(SEAL) or None, file.rubric or about.get(RUBRIC) or None)


def _require_workbook(data: bytes, place: str) -> None:
    """Makes sure that it is an archive of a bounded size, and not one that is small and becomes large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(item.file_size for item in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise LabelError(f"{place} is not a workbook: {error}", _FIX) from None
    if unpacked > min(_MOST_UNPACKED, max(_FREE, _MOST_RATIO * len(data))):
        raise LabelError(f"{place} unpacks to {unpacked:,} bytes", _FIX)


def _load(data: bytes) -> dict[str, list[list[str]]]:
    """The cells of the two sheets as text; no others are looked at."""
    from openpyxl.reader.excel import ExcelReader

    reader = ExcelReader(io.BytesIO(data), read_only=True, keep_vba=False, data_only=True, keep_links=False)
    reader.read_manifest()
    reader.read_workbook()
    # Each sheet is looked into before any is asked for, and all of them may be one and the same part of the archive.
    if len(reader.parser.sheets) > _MOST_SHEETS:
        raise ValueError(f"it has more than {_MOST_SHEETS} sheets")
    reader.read()
    book = reader.wb
    try:
        sheets = {sheet.title: sheet for sheet in book.worksheets if sheet.title in _SHEETS}
        return {title: list(_read_sheet(sheet)) for title, sheet in sheets.items()}
    finally:
        book.close()


def _read_sheet(sheet: Any) -> Iterator[list[str]]:
    # What the sheet says of its own size may be anything; without it each row is as long as it is.
    sheet.reset_dimensions()
    # A row is as wide as its last cell says, and that may be one in a column of its own far to the right.
    rows = sheet.iter_rows(max_col=_MOST_COLUMNS + 1, values_only=True)
    for number, row in enumerate(rows, start=1):
        if number > _MOST_ROWS:
            raise ValueError(f"the sheet {sheet.title!r} has more than {_MOST_ROWS:,} rows")
        if row and row[-1] is not None and len(row) > _MOST_COLUMNS:
            raise ValueError(f"the sheet {sheet.title!r} has more than {_MOST_COLUMNS} columns")
        yield _trim([_write(cell) for cell in row])


def _trim(cells: list[str]) -> list[str]:
    """The cells up to the last one that is not empty."""
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _write(cell: object) -> str:
    """A cell as text; whole numbers without a point, times as days."""
    match cell:
        case None:
            return ""
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime():
            return cell.date().isoformat()
    return str(cell).strip()


def _complete(row: LabelRow, about: dict[str, str]) -> LabelRow:
    """The row with the labeller and the day of the whole workbook where it has none of its own."""
    return replace(
        row, labeller=row.labeller or about.get(LABELLER) or None, dated=row.dated or about.get(DATE) or None
    )
