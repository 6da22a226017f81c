"""Our own format, `reportgen/turn/1`: the turns pass through as they are, each checked."""

from collections.abc import Iterator
from pathlib import Path

from reportgen.capture import turns
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.model.turn import Turn


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of the file; only `options.labels` changes anything, for the rest is in the file.

    Raises:
        CaptureError: A line is bad, or there is no turn.
    """
    for turn in turns.read_turns(path):
        report.taken["turns"] += 1
        report.taken["SQL statements"] += len(turn.statements)
        yield _add_labels(turn, options, report)


def _add_labels(turn: Turn, options: ImportOptions, report: ImportReport) -> Turn:
    labels = {**turn.labels, **options.labels}
    if labels == turn.labels:
        return turn
    report.changed["turns that were given labels"] += 1
    return Turn.from_data(turn.to_data() | {"labels": labels})
