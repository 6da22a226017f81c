"""The profile of the dimensions, and where in the causal order turns fail first."""

from typing import Any

from reportgen.analysis.diagnosis import DimensionProfile, weak_below
from reportgen.publishing.dimension_charts import build_profile_chart, build_stacks
from reportgen.publishing.printing import NONE, plural, print_count, print_exact, print_subscore
from reportgen.publishing.report import Report

TITLE = "Dimensions, and where turns fail first"


def build(report: Report) -> dict[str, Any]:
    """How each dimension is spread, and in how many turns of which band it is the first weak one."""
    profile, rubric = report.findings.profile, report.run.rubric
    scale, limit = rubric.scale.maximum, weak_below(rubric)
    rows = [_row(item, scale) for item in profile]
    failed = sum(item.first_weak for item in profile)
    return {
        "any": report.findings.summary.scored > 0,
        "scale": str(scale),
        "limit": print_exact(limit),
        "profile": build_profile_chart(profile, scale, limit),
        "profile_says": "; ".join(f"{row['name']}: {_say_spread(row)}" for row in rows),
        "stacks": build_stacks(profile),
        "stacks_say": "; ".join(f"{row['name']}: {_say_bands(item)}" for row, item in zip(rows, profile, strict=True)),
        "failed": plural(failed, "turn"),
        "none_weak": plural(report.findings.summary.scored - failed, "turn"),
        "scored": plural(report.findings.summary.scored, "scored turn"),
        "bands": [band.id for band in rubric.bands],
        "rows": rows,
    }


def _row(item: DimensionProfile, scale: int) -> dict[str, Any]:
    spread = item.spread
    return {
        "name": item.name,
        "weight": f"{item.weight}\u00a0%",
        "turns": print_count(item.turns),
        "mean": print_subscore(item.mean, scale),
        "median": print_exact(spread.median) if spread else NONE,
        "middle_half": f"{print_exact(spread.lower)} to {print_exact(spread.upper)}" if spread else NONE,
        "range": f"{print_exact(spread.lowest)} to {print_exact(spread.highest)}" if spread else NONE,
        "weak": print_count(item.weak),
        "first": print_count(item.first_weak),
        "first_bands": [print_count(count) for count in item.first_weak_bands.values()],
    }


def _say_spread(row: dict[str, Any]) -> str:
    if row["mean"] == NONE:
        return "no subscores"
    return f"mean {row['mean']}, median {row['median']}, middle half {row['middle_half']}, all {row['range']}"


def _say_bands(item: DimensionProfile) -> str:
    parts = [f"{count} {band}" for band, count in item.first_weak_bands.items() if count]
    return f"{plural(item.first_weak, 'turn')} ({', '.join(parts)})" if parts else "no turns"
