"""The profile of the dimensions, and where in the causal order turns fail first."""

from fractions import Fraction
from typing import Any

from reportgen.analysis.diagnosis import DimensionProfile, weak_below
from reportgen.publishing.charts import ROW_HEIGHT, build_rows
from reportgen.publishing.printing import NONE, plural, print_count, print_exact
from reportgen.publishing.report import Report
from reportgen.scoring.rounding import print_number

TITLE = "Dimensions, and where turns fail first"


def build(report: Report) -> dict[str, Any]:
    """The mean of each dimension, and in how many turns it is the first weak one."""
    profile, scale = report.findings.profile, report.run.rubric.scale.maximum
    most = max([item.first_weak for item in profile], default=0)
    means = [(item.name, item.mean, _mean(item, scale)) for item in profile]
    firsts = [(item.name, Fraction(item.first_weak), plural(item.first_weak, "turn")) for item in profile]
    failed = sum(item.first_weak for item in profile)
    return {
        "scale": str(scale),
        "limit": print_exact(weak_below(report.run.rubric)),
        "means": build_rows(means, Fraction(scale)),
        "means_say": "; ".join(f"{name} {printed}" for name, _, printed in means),
        "firsts": build_rows(firsts, Fraction(most)),
        "firsts_say": "; ".join(f"{name} {printed}" for name, _, printed in firsts),
        "height": str(len(profile) * ROW_HEIGHT + 6),
        "failed": plural(failed, "turn"),
        "scored": plural(report.findings.summary.scored, "scored turn"),
        "rows": [_row(item, scale) for item in profile],
    }


def _mean(item: DimensionProfile, scale: int) -> str:
    return NONE if item.mean is None else print_number(item.mean, 2, (0, scale))


def _row(item: DimensionProfile, scale: int) -> dict[str, str]:
    return {
        "name": item.name,
        "weight": f"{item.weight}\u00a0%",
        "turns": print_count(item.turns),
        "mean": _mean(item, scale),
        "weak": print_count(item.weak),
        "first": print_count(item.first_weak),
    }
