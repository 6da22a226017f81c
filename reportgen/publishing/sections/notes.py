"""The editor's notes: what a person adds to the report, signed and dated."""

from typing import Any

from reportgen.publishing.answers import render_answer
from reportgen.publishing.printing import print_day
from reportgen.publishing.report import Report
from reportgen.publishing.text import clean

TITLE = "Editor’s notes"


def build(report: Report) -> dict[str, Any] | None:
    """The notes with who signed them and when; None where there are none."""
    notes = report.revision.notes
    if notes is None:
        return None
    text = render_answer(notes.text)
    return {
        "html": text.html,
        "source": text.source,
        "note": text.note,
        "signed": clean(notes.signed),
        "dated": print_day(notes.dated),
    }
