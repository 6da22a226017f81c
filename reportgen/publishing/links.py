"""Links to turns, of which a section shows the first."""

from collections.abc import Sequence

from reportgen.publishing.printing import print_count
from reportgen.publishing.report import Report
from reportgen.publishing.text import shorten

LINKS_SHOWN = 100


def link_turns(ids: Sequence[str], report: Report) -> list[dict[str, str]]:
    """A link to each of the first turns."""
    return [{"href": report.href(name), "id": str(shorten(name, 80))} for name in ids[:LINKS_SHOWN]]


def count_more(items: Sequence[object]) -> str | None:
    """How many there are beyond those that are shown; None where these are all."""
    return print_count(len(items) - LINKS_SHOWN) if len(items) > LINKS_SHOWN else None
