"""The table as an Excel workbook: numbers are numbers, and text is text that nothing reads as a formula or a link."""

from datetime import UTC, datetime
from decimal import Decimal
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from reportgen.errors import RenderError
from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.table import Kind, Value
from reportgen.publishing.text import Shown, clean

MOST_ROWS = 1_048_576
"""Of a sheet, its header included."""
MOST_UNITS = 32_767
"""Of one cell, in units of UTF-16."""
_KEPT = 32_600
"""What stays of a longer text, so that the note on what was cut has room."""

_WIDTHS: dict[Kind, int] = {"text": 24, "number": 10, "truth": 8, "time": 20}


def require_rows(export: Export) -> None:
    """Makes sure that the turns fit into a sheet.

    Raises:
        RenderError: There are too many.
    """
    turns = export.run.summary.turns
    if turns >= MOST_ROWS:
        raise RenderError(
            f"The run has {turns:,} turns, and a sheet of Excel holds {MOST_ROWS - 1:,}", "Export csv or parquet."
        )


def write_workbook(export: Export, file: BinaryIO) -> None:
    """Writes one sheet, row by row.

    Raises:
        OSError: A file, or one of those on the way in the system's temporary folder, cannot be written.
    """
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    with TemporaryDirectory() as folder:
        options = {"constant_memory": True, "tmpdir": folder, "strings_to_formulas": False, "strings_to_urls": False}
        book = Workbook(file, options)
        book.use_zip64()
        book.set_properties({"title": export.run.manifest.run_id, "created": _made_at(export)})
        _fill(book, export)
        try:
            book.close()
        except FileCreateError as error:
            raise error.args[0] from None


def _made_at(export: Export) -> datetime:
    """When the run was made, so that the same run gives the same bytes."""
    manifest = export.run.manifest
    return (manifest.finished_at or manifest.started_at).astimezone(UTC).replace(tzinfo=None, microsecond=0)


def _fill(book: Any, export: Export) -> None:
    sheet = book.add_worksheet("turns")
    # Excel takes what bears the prefix of a quote for text, also once somebody has edited the cell.
    formats = {"text": book.add_format({"quote_prefix": True}), "head": book.add_format({"bold": True})}
    formats["time"] = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, export.run.summary.turns, len(export.columns) - 1)
    for place, column in enumerate(export.columns):
        sheet.set_column(place, place, _WIDTHS[column.kind])
    for place, column in enumerate(export.columns):
        sheet.write_string(0, place, fit_cell(column.name), formats["head"])
    for number, row in enumerate(export.rows(), start=1):
        for place, value in enumerate(row):
            _write(sheet, number, place, value, formats)


def _write(sheet: Any, row: int, place: int, value: Value, formats: dict[str, Any]) -> None:
    match value:
        case None:
            return
        case bool():
            sheet.write_boolean(row, place, value)
        case Decimal():
            sheet.write_number(row, place, float(value))
        case datetime() if value.year >= 1900:
            sheet.write_datetime(row, place, value.replace(tzinfo=None), formats["time"])
        case datetime():
            # The calendar of Excel begins in 1900; a capture time from elsewhere may lie before that in UTC.
            sheet.write_string(row, place, value.isoformat(), formats["text"])
        case str():
            sheet.write_string(row, place, fit_cell(value), formats["text"])


def fit_cell(text: str) -> str:
    """The text as a cell can hold it: without what XML cannot hold, and cut with a note where it is too long."""
    shown = clean(text)
    if _is_too_long(shown):
        kept = _first_units(shown, _KEPT)
        shown = str(Shown(kept, f"shortened, {len(kept):,} of {len(shown):,} characters shown"))
    # The library writes what looks like its own rich text as markup, without escaping it.
    return f" {shown}" if shown.startswith("<r>") else shown


def _is_too_long(text: str) -> bool:
    # Most texts are short, and need no counting.
    return 2 * len(text) > MOST_UNITS and len(text) + sum(letter > "\uffff" for letter in text) > MOST_UNITS


def _first_units(text: str, limit: int) -> str:
    """As much from the beginning as makes so many units of UTF-16, no character cut in two."""
    return text.encode("utf-16-le")[: 2 * limit].decode("utf-16-le", errors="ignore")
