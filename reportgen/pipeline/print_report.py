"""A report -> its PDFs, the first with the data that the pages follow from."""

from collections.abc import Iterator

from reportgen.pipeline.page_settings import write_settings
from reportgen.publishing.data import render_json
from reportgen.publishing.paper.pdf import Attachment
from reportgen.publishing.paper.pdf_contents import DATA, PAGES
from reportgen.publishing.paper.press import plan_volumes, print_volume
from reportgen.publishing.report import Report


def print_volumes(report: Report, *, all_turns: bool, warnings: list[str]) -> Iterator[tuple[str, bytes]]:
    """Each PDF of a report with the name of its file, one after the other.

    Args:
        report: What to print.
        all_turns: Whether each turn is to stand in full, however many there are.
        warnings: Takes what the engine had to say.

    Raises:
        RenderError: The PDF engine failed.
    """
    attachments = [
        Attachment(DATA, "The data of this report: turns, verdicts, scores, figures", render_json(report), "Source"),
        Attachment(PAGES, "How the pages were made", [write_settings(report, all_turns=all_turns)], "Supplement"),
    ]
    for volume in plan_volumes(report, all_turns=all_turns, attached=DATA):
        pdf = print_volume(volume, report, attachments, lambda outcome: warnings.extend(outcome.warnings))
        yield volume.name, pdf
        attachments = []
