"""OpenTelemetry spans of OpenInference or the GenAI conventions -> turns, as `capture.span_turns` describes.

Spans of a trace may stand anywhere in a file, so a file is held as a whole, up to a size that is refused beyond. A span
that names no trace is one of its own.
"""

from collections.abc import Iterator
from pathlib import Path

from reportgen.capture.drafts import refuse_empty, require_zone
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.otel_files import read_raw_spans
from reportgen.capture.otel_spans import read_span
from reportgen.capture.span_turns import TurnMaker
from reportgen.capture.spans import group_traces
from reportgen.model.turn import Turn


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of the traces, in the order in which each trace begins in the file.

    Raises:
        CaptureError: The file cannot be read as spans, there is no time, or no trace holds a question.
    """
    require_zone(options)
    maker = TurnMaker(path, options, report)
    for trace in group_traces(map(read_span, read_raw_spans(path, report))):
        yield from maker.make(trace)
    if not maker.made:
        raise refuse_empty(path, report)
    maker.finish()
