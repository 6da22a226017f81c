"""The family of exports: each writes a run in one format."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.markdown import write_summary
from reportgen.publishing.exports.parquet import require_pyarrow, write_parquet
from reportgen.publishing.exports.turns_csv import write_csv
from reportgen.publishing.exports.workbook import require_rows, write_workbook


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: the name of its file, how it is written, and what must hold before anything is.

    `require` raises a RenderError where the run cannot be written in this format; None where each run can.
    """

    file: str
    write: Callable[[Export, BinaryIO], None]
    require: Callable[[Export], None] | None = None


EXPORTS: dict[str, ExportFormat] = {
    "csv": ExportFormat("turns.csv", write_csv),
    "xlsx": ExportFormat("turns.xlsx", write_workbook, require_rows),
    "parquet": ExportFormat("turns.parquet", write_parquet, require_pyarrow),
    "md": ExportFormat("summary.md", write_summary),
}
