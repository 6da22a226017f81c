"""An earlier run -> how many turns the next one needs, and what they would cost."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from reportgen.analysis.planning import Outlook, build_outlook
from reportgen.analysis.spending import build_spending
from reportgen.analysis.units import choose_clusters
from reportgen.archive.records import Records
from reportgen.assembly import read_rows
from reportgen.errors import RunError

SIZES: Final = (25, 50, 100, 200, 400, 800, 1_600, 3_200)


@dataclass(frozen=True, slots=True)
class Sizing:
    """What an earlier run says of the next: how scores spread, by what, and US dollars a turn, None if not known."""

    outlook: Outlook
    by: str
    clusters: int
    cost: Fraction | None


def size_up(records: Records) -> Sizing:
    """What a finished run says of the next one.

    Raises:
        RunError: Its scores do not say how scores spread.
    """
    scored = [row for row in read_rows(records) if row.score.score is not None]
    by, clusters = choose_clusters(scored)
    outlook = build_outlook([float(row.score.score or 0) for row in scored], clusters, is_fixed=by == "client")
    if outlook is None:
        why = "all its scores are equal" if scored and len(set(clusters)) > 1 else f"it has one {by} at most"
        raise RunError(f"The run {records.place} does not tell how scores spread: {why}", "Name a run of more turns.")
    spending, turns = build_spending(records.paid(), records.run.manifest), records.run.manifest.capture.turns
    is_known = spending.asked and not spending.by_parent and spending.cost is not None
    return Sizing(outlook, by, len(set(clusters)), (spending.cost or Fraction(0)) / turns if is_known else None)
