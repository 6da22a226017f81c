"""The table as Parquet: typed columns, and text to the letter as it was captured."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any, BinaryIO

from reportgen import __version__
from reportgen.errors import RenderError
from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.table import Value

_ROWS = 5_000
_LETTERS = 8_000_000
"""Rows of a row group, and letters of all text in it: it is held in memory."""


def require_pyarrow(export: Export) -> None:  # noqa: ARG001 - the family asks this of an export
    """Makes sure that the optional library is there.

    Raises:
        RenderError: It is not.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise RenderError(
            "Parquet needs pyarrow, which is not installed", "Install it: pip install 'reportgen[parquet]'."
        ) from None


def write_parquet(export: Export, file: BinaryIO) -> None:
    """Writes the table, one row group after the other."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = _build_schema(export)
    with parquet.ParquetWriter(file, schema) as writer:
        for rows in _groups(export.rows()):
            columns = zip(*rows, strict=True)
            arrays = [
                pa.array(map(_convert, column), field.type) for column, field in zip(columns, schema, strict=True)
            ]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _build_schema(export: Export) -> Any:
    import pyarrow as pa

    types = {
        "text": pa.string(),
        "number": pa.float64(),
        "truth": pa.bool_(),
        "time": pa.timestamp("us", tz="UTC"),
    }
    manifest = export.run.manifest
    metadata = {
        "program": f"reportgen {__version__}",
        "run": manifest.run_id,
        "seal": export.run.seal,
        "rubric": f"{manifest.rubric}-{manifest.rubric_version}",
        "rubric_digest": manifest.rubric_digest,
        "judge": manifest.judge.name,
    }
    fields = [pa.field(column.name, types[column.kind]) for column in export.columns]
    return pa.schema(fields, {f"reportgen.{name}": value for name, value in metadata.items()})


def _groups(rows: Iterator[list[Value]]) -> Iterator[list[list[Value]]]:
    """The rows in groups of a bounded size."""
    for first in rows:
        group, letters = [], 0
        for row in chain([first], rows):
            group.append(row)
            letters += sum(len(value) for value in row if isinstance(value, str))
            if len(group) == _ROWS or letters >= _LETTERS:
                break
        yield group


def _convert(value: Value) -> str | float | bool | datetime | None:
    return float(value) if isinstance(value, Decimal) else value
