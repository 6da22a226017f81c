"""An earlier run -> how many turns the next one needs, and what they would cost."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from reportgen.analysis.planning import Outlook, build_outlook
from reportgen.analysis.rows import stand_alone
from reportgen.analysis.spending import build_spending
from reportgen.analysis.units import choose_clusters
from reportgen.archive.records import Records
from reportgen.assembly import read_rows
from reportgen.errors import RunError
from reportgen.model.rubric import Rubric

SIZES: Final = (25, 50, 100, 200, 400, 800, 1_600, 3_200)


@dataclass(frozen=True, slots=True)
class Sizing:
    """What an earlier run says of the next: how scores spread, by what, and US dollars a turn, None if not known."""

    outlook: Outlook
    by: str
    clusters: int
    cost: Fraction | None
    metric: str | None = None
    """The metric that it is about, in percent of its scale; None where it is the score."""


def size_up(records: Records, metric: str | None = None) -> Sizing:
    """What a finished run says of the next one.

    Args:
        records: The run.
        metric: The dimension that is planned for, by a rubric without a composite; None takes the one that orders the
            worst turns.

    Raises:
        RunError: Its scores do not say how scores spread, or there is no such metric.
    """
    rows, name = read_rows(records), _choose_metric(records.run.rubric, metric)
    if name is not None:
        rows = stand_alone(rows, records.run.rubric.dimension(name), records.run.rubric)
    scored = [row for row in rows if row.score.score is not None]
    by, clusters = choose_clusters(scored)
    outlook = build_outlook([float(row.score.score or 0) for row in scored], clusters, is_fixed=by == "client")
    if outlook is None:
        why = "all its scores are equal" if scored and len(set(clusters)) > 1 else f"it has one {by} at most"
        raise RunError(f"The run {records.place} does not tell how scores spread: {why}", "Name a run of more turns.")
    spending, turns = build_spending(records.paid(), records.run.manifest), records.run.manifest.capture.turns
    is_known = spending.asked and not spending.by_parent and spending.cost is not None
    cost = (spending.cost or Fraction(0)) / turns if is_known else None
    return Sizing(outlook, by, len(set(clusters)), cost, name)


def _choose_metric(rubric: Rubric, wanted: str | None) -> str | None:
    """The metric that is planned for; None where it is the score.

    Raises:
        RunError: The rubric has no such metric.
    """
    known = [] if rubric.has_composite else [item.id for item in rubric.dimensions]
    if wanted is not None and wanted not in known:
        has = f"Its metrics: {', '.join(known)}." if known else "It has a composite: leave --metric out."
        raise RunError(f"The rubric {rubric.id}-{rubric.version} has no metric {wanted!r}", has)
    return wanted or rubric.worst_by
