"""A table of labels as CSV or TSV: a head with the names of its columns, and a row for each label."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from reportgen.analysis.label_rows import BAND, LabelFile, LabelRow
from reportgen.errors import LabelError

TURN, LABELLER, DATE, COMMENT, SEAL, RUBRIC = "turn", "labeller", "date", "comment", "seal", "rubric"
_DELIMITERS = ",;\t"
_FIX = f"Give a table in UTF-8 with the columns {TURN}, {LABELLER}, {DATE}, and one for each dimension."


def read_table(data: bytes, place: str) -> LabelFile:
    """The rows of a table; what parts its columns is a comma, a semicolon or a tab, as its head shows.

    Raises:
        LabelError: It is not such a table.
    """
    try:
        text = data.decode("utf-8-sig")
        head = text.partition("\n")[0]
        delimiter = max(_DELIMITERS, key=head.count)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        names = [name.strip() for name in next(lines, [])]
        return build_file(names, _number(lines, place, len(names)), place)
    except (UnicodeDecodeError, csv.Error) as error:
        raise LabelError(f"{place} is not a table in UTF-8: {error}", _FIX) from None


def _number(lines: Iterator[list[str]], place: str, width: int) -> Iterator[tuple[str, list[str]]]:
    for number, cells in enumerate(lines, start=2):
        if any(cell.strip() for cell in cells):
            if len(cells) > width:
                raise LabelError(f"{place}, row {number} has {len(cells)} cells for {width} columns", _FIX)
            yield f"{place}, row {number}", cells


def build_file(names: list[str], lines: Iterable[tuple[str, list[str]]], place: str) -> LabelFile:
    """What stands in a table.

    Args:
        names: Those of its columns.
        lines: Each row with its place.
        place: Where the table is.

    Raises:
        LabelError: It has no column for the turn, or two of one name, or rows of several runs.
    """
    named = [name for name in names if name]
    if TURN not in named or len(set(named)) != len(named):
        what = f"has no column {TURN}" if TURN not in named else "has two columns of one name"
        raise LabelError(f"{place} {what}", _FIX)
    rows = [(where, _strip(names, cells)) for where, cells in lines]
    return LabelFile(
        tuple(_build_row(where, cells) for where, cells in rows),
        _find_single(rows, SEAL, place),
        _find_single(rows, RUBRIC, place),
    )


def _strip(names: list[str], cells: list[str]) -> dict[str, str]:
    """The cells of a row that are not empty, by the names of their columns."""
    pairs = zip(names, cells, strict=False)
    return {name: cell.strip() for name, cell in pairs if name and cell.strip()}


def _build_row(where: str, cells: Mapping[str, str]) -> LabelRow:
    about = {TURN, LABELLER, DATE, COMMENT, SEAL, RUBRIC, BAND}
    values = {name: cell for name, cell in cells.items() if name not in about}
    turn, labeller, dated, band, comment = (cells.get(name) for name in (TURN, LABELLER, DATE, BAND, COMMENT))
    return LabelRow(where, turn, labeller, dated, values, band, comment)


def _find_single(rows: Iterable[tuple[str, Mapping[str, str]]], name: str, place: str) -> str | None:
    """The one value of a column that says of which run the labels are; None where it is not there."""
    found = {cells[name].removeprefix("sha256:") for _, cells in rows if name in cells}
    if len(found) > 1:
        raise LabelError(f"{place}: the column {name} names several", "Give a file for each run.")
    return next(iter(found), None)
