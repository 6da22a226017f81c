"""The figure check: what became of the figures in the answers, and how often the check itself is wrong."""

from typing import Any

from reportgen.analysis.figure_check.error_rate import FigureCheck, WayUse
from reportgen.analysis.figure_check.pairing import PAIRINGS
from reportgen.model.run import Estimate
from reportgen.publishing.figures import has_rows, list_ways, name_fetched, say_unchecked
from reportgen.publishing.links import count_more, link_turns
from reportgen.publishing.printing import NONE, plural, print_count, print_percent, print_share, print_share_interval
from reportgen.publishing.report import Report
from reportgen.scoring.rounding import print_number

TITLE = "Figure check"


def build(report: Report) -> dict[str, Any]:
    """Counts by result, each way with its error rate, and the turns with figures that were not found."""
    check = report.findings.figures
    fetched = name_fetched(report.findings.limitations)
    ways = list_ways(fetched)
    why_unchecked = say_unchecked(check, fetched)
    return {
        "fetched": fetched,
        "answers": plural(check.answers, "answer"),
        "with_figures": print_count(check.with_figures),
        "any": check.figures > 0,
        "figures": plural(check.figures, "figure"),
        "has_rows": has_rows(fetched),
        "results": _results(check, fetched),
        "unchecked": plural(check.unchecked, "answer") if check.unchecked else None,
        "why_unchecked": why_unchecked,
        "unseen": print_count(check.with_unseen) if check.with_unseen else None,
        "cut": plural(check.cut, "answer") if check.cut else None,
        "chance": _chance(check.chance),
        "chance_found": _chance(check.chance_found),
        "chance_derived": _chance(check.chance_derived),
        "pairs": plural(check.pairs, "pair"),
        "pairings": str(PAIRINGS),
        "undefined": check.chance.undefined if check.chance.n == 0 else None,
        "ways": [_way(use, ways[use.way], _looked_up(check)) for use in check.ways if use.way in ways],
        "off": [ways[use.way] for use in check.ways if use.off and use.way in ways],
        "turns": link_turns(check.turns, report),
        "more": count_more(check.turns),
    }


def _looked_up(check: FigureCheck) -> int:
    return check.found + check.derived + check.not_found


def _results(check: FigureCheck, fetched: str) -> list[dict[str, str]]:
    total, why_unchecked = _looked_up(check), say_unchecked(check, fetched)
    places = fetched.replace("rows", "cell").replace("passages", "passage").replace(" and ", " or ")
    derived = ("derived", check.derived, "it follows from one result column", print_percent(check.derived, total))
    counted = (
        ("found", check.found, f"a captured {places} says the figure", print_percent(check.found, total)),
        *([derived] if has_rows(fetched) else []),
        ("not found", check.not_found, "neither; that alone is no error", print_percent(check.not_found, total)),
        ("in the question", check.in_question, "the question has it too, so it is set apart", NONE),
        ("not checked", check.unchecked_figures, why_unchecked, NONE),
    )
    return [
        {"result": result, "count": print_count(count), "means": means, "share": share}
        for result, count, means, share in counted
    ]


def _chance(estimate: Estimate) -> dict[str, str]:
    return {
        "rate": print_share(estimate.value),
        "interval": print_share_interval(estimate),
        "n": plural(estimate.n, "pair"),
    }


def _way(use: WayUse, name: str, looked_up: int) -> dict[str, Any]:
    expected = NONE if use.chance.value is None else print_number(use.chance.value * looked_up)
    return {
        "way": name,
        "status": use.status,
        "figures": "off" if use.off else print_count(use.figures),
        "rate": print_share(use.chance.value),
        "interval": print_share_interval(use.chance),
        "expected": expected,
    }
