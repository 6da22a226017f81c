"""The report for a browser as one self-contained file, streamed."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from reportgen.publishing.assets import dress_inside
from reportgen.publishing.browser.embedding import embed_json
from reportgen.publishing.browser.facets import build_facets
from reportgen.publishing.browser.retracing import describe_rubric
from reportgen.publishing.document import build_document, build_turns, keep_small
from reportgen.publishing.lines import build_lines, describe_labels, describe_line
from reportgen.publishing.report import Report
from reportgen.publishing.templating import render_template


def render_html(report: Report, names: Sequence[str] | None = None) -> Iterator[str]:
    """The report as one self-contained HTML file, piece by piece.

    Args:
        report: What to publish.
        names: Which sections, in which order; None takes all.

    Raises:
        RenderError: A name is not a section, or prose is missing or wrong.
    """
    report = keep_small(report)
    lines = list(build_lines(report.turns(), report))
    data = {
        "rubric": describe_rubric(report),
        "labels": describe_labels(report, lines),
        "turns": [*map(describe_line, lines)],
    }
    document = {
        **build_document(report, names),
        **build_turns(report, report.turns()),
        **dress_inside(report.look),
        "facets": build_facets(lines, report),
        "embedded": embed_json(data),
    }
    return render_template("report.html", document, report.look.overrides)


def is_report_page(path: Path) -> bool:
    """Whether the file is a page that this program made."""
    with path.open("rb") as file:
        return b'<meta name="generator" content="reportgen ' in file.read(2_000)
