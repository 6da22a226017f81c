"""The table as CSV by RFC 4180, in UTF-8 with a byte order mark: without it, spreadsheets guess another encoding."""

import csv
import io
from datetime import datetime
from decimal import Decimal
from typing import BinaryIO

from reportgen.publishing.exports.cells import make_inert
from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.table import Value


def write_csv(export: Export, file: BinaryIO) -> None:
    """Writes the header and a line for each turn."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([make_inert(column.name) for column in export.columns])
        writer.writerows([_print(value) for value in row] for row in export.rows())
    finally:
        text.detach()


def _print(value: Value) -> str:
    """A value as text; that of no value is empty."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Decimal():
            return f"{value:f}"
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
    return make_inert(value)
