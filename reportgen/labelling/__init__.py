"""Files that people labelled turns in -> rows of text. The readers are a family: one for each kind of file."""

from collections.abc import Callable
from pathlib import Path

from reportgen.analysis.label_rows import LabelFile
from reportgen.errors import LabelError
from reportgen.labelling.saved_page import read_saved_page
from reportgen.labelling.table import read_table
from reportgen.labelling.workbook import read_workbook

READERS: dict[str, Callable[[bytes, str], LabelFile]] = {
    ".json": read_saved_page,
    ".xlsx": read_workbook,
    ".csv": read_table,
    ".tsv": read_table,
}
"""For each ending of a file's name what reads its content; the second argument is its place, for messages."""

_MOST_BYTES = 100_000_000


def read_label_file(path: Path) -> tuple[bytes, LabelFile]:
    """What stands in a file of labels: its bytes, and its rows.

    Raises:
        LabelError: It cannot be read, is too large, or is of no kind that is read.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise LabelError(f"{path} is of no kind that is read as labels", f"Give one of: {', '.join(READERS)}.")
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise LabelError(f"{path} cannot be read: {error.strerror}", "Give a file of labels.") from None
    if len(data) > _MOST_BYTES:
        raise LabelError(f"{path} has more than {_MOST_BYTES:,} bytes", "Give a file of labels.")
    return data, reader(data, str(path))
