"""Two metrics against one another: in which corner the turns lie, and what to do about it."""

from typing import Any

from reportgen.analysis.quadrants import CornerUse
from reportgen.model.rubric import Quadrants
from reportgen.publishing.links import count_more, link_turns
from reportgen.publishing.printing import plural, print_count, print_exact, print_percents, print_share_interval, stored
from reportgen.publishing.quadrant_chart import build_quadrant_chart
from reportgen.publishing.report import Report

TITLE = "Where turns go wrong"


def build(report: Report) -> dict[str, Any] | None:
    """The corners as a chart and a table; None where the rubric holds no metrics against one another."""
    table, rubric = report.findings.quadrants, report.run.rubric
    if table is None or rubric.quadrants is None:
        return None
    rows = build_corners(report)
    return {
        "edge": print_exact(stored(rubric.quadrants.at_least)),
        "maximum": str(rubric.scale.maximum),
        "first": rubric.dimension(rubric.quadrants.first).name,
        "second": rubric.dimension(rubric.quadrants.second).name,
        "any": bool(table.points),
        "placed": plural(sum(len(use.turns) for use in table.corners), "turn"),
        "chart": build_quadrant_chart(table, rubric.quadrants, rubric),
        "says": "; ".join(f"{row['name']}: {row['count']}" for row in rows),
        "rows": rows,
        "nowhere": link_turns(table.nowhere, report),
        "nowhere_more": count_more(table.nowhere),
    }


def build_corners(report: Report) -> list[dict[str, Any]]:
    """Each corner with its count, its share of the turns that lie in any, what it means, and what to do."""
    table, quadrants = report.findings.quadrants, report.run.rubric.quadrants
    if table is None or quadrants is None:
        return []
    percents = print_percents([len(use.turns) for use in table.corners])
    return [_row(use, percent, quadrants, report) for use, percent in zip(table.corners, percents, strict=True)]


def _row(use: CornerUse, percent: str, quadrants: Quadrants, report: Report) -> dict[str, Any]:
    cell = quadrants.cell(use.corner)
    rubric = report.run.rubric
    names = [rubric.dimension(name).name for name in (quadrants.first, quadrants.second)]
    highs = {"both_high": (True, True), "second_low": (True, False), "first_low": (False, True)}
    levels = ["high" if is_high else "low" for is_high in highs.get(use.corner, (False, False))]
    return {
        "corner": use.corner,
        "sound": use.corner == "both_high",
        "name": cell.name,
        "where": ", ".join(f"{name} {level}" for name, level in zip(names, levels, strict=True)),
        "means": cell.means,
        "do": cell.do,
        "count": print_count(len(use.turns)),
        "share": percent,
        "interval": print_share_interval(use.share),
        "turns": link_turns(use.turns, report),
        "more": count_more(use.turns),
    }
