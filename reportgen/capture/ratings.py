"""A table of ratings without a run: CSV with a line for each thing that somebody rated."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from reportgen.analysis.calibration.ratings import Rating
from reportgen.errors import CalibrationError

COLUMNS: Final = ("unit", "rater", "value")
_WANTED: Final = f"Give a CSV file in UTF-8 with the columns {', '.join(COLUMNS)}."


def read_ratings(path: Path) -> list[Rating]:
    """The ratings of a table; further columns are not looked at.

    Raises:
        CalibrationError: It cannot be read as such a table, or somebody rates a thing twice.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(_read(csv.DictReader(file, strict=True), str(path)))
    except OSError as error:
        raise CalibrationError(f"{path} cannot be read: {error.strerror}", _WANTED) from None
    except UnicodeDecodeError:
        raise CalibrationError(f"{path} is not in UTF-8", _WANTED) from None
    except csv.Error as error:
        raise CalibrationError(f"{path} is no CSV: {error}", _WANTED) from None


def _read(table: "csv.DictReader[str]", place: str) -> Iterator[Rating]:
    missing = [name for name in COLUMNS if name not in (table.fieldnames or ())]
    if missing:
        raise CalibrationError(f"{place} has no column {', '.join(missing)}", _WANTED)
    if twice := [name for name in COLUMNS if list(table.fieldnames or ()).count(name) > 1]:
        raise CalibrationError(f"{place} has the column {', '.join(twice)} twice", _WANTED)
    seen: dict[tuple[str, str], int] = {}
    for line in table:
        unit, rater, value = ((line[name] or "").strip() for name in COLUMNS)
        where = f"{place}, line {table.line_num}"
        if not unit or not rater:
            raise CalibrationError(f"{where}: unit or rater is empty", "Say what was rated, and by whom.")
        first = seen.setdefault((unit, rater), table.line_num)
        if first != table.line_num:
            raise CalibrationError(
                f"{where}: {rater!r} rates {unit!r} again, after line {first}", "Keep one rating of each by each."
            )
        yield Rating(unit, rater, value)
