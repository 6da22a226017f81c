"""Results by label: a table for each label, a line for each of its values."""

from typing import Any

from reportgen.analysis.strata import Breakdown, Stratum
from reportgen.model.rubric import Rubric
from reportgen.publishing.charts import build_band_bar, build_whisker
from reportgen.publishing.printing import NONE, print_count, print_interval, print_score
from reportgen.publishing.report import Report
from reportgen.publishing.text import shorten

TITLE = "Results by label"

_NAME_SHOWN = 80


def build(report: Report) -> dict[str, Any]:
    """A table for each label, its lines with their charts."""
    rubric = report.run.rubric
    return {
        "bands": [band.id for band in rubric.bands],
        "tables": [_table(breakdown, rubric, place) for place, breakdown in enumerate(report.findings.breakdowns)],
    }


def _table(breakdown: Breakdown, rubric: Rubric, place: int) -> dict[str, Any]:
    return {
        "label": str(shorten(breakdown.label, _NAME_SHOWN)),
        "rows": [_row(stratum, rubric, f"bar-{place}-{row}") for row, stratum in enumerate(breakdown.strata)],
    }


def _row(stratum: Stratum, rubric: Rubric, bar_id: str) -> dict[str, Any]:
    counts = [(band.id, stratum.bands[band.id]) for band in rubric.bands]
    mean = print_score(stratum.mean.value, rubric)
    interval = NONE if stratum.mean.low is None else print_interval(stratum.mean, rubric)
    return {
        "value": str(shorten(stratum.value, _NAME_SHOWN)),
        "turns": print_count(stratum.turns),
        "scored": print_count(stratum.scored),
        "mean": mean,
        "interval": interval,
        "whisker": build_whisker(stratum.mean, rubric.bands),
        "whisker_says": f"mean {mean}, 95 % interval {stratum.mean.undefined or interval}",
        "counts": [print_count(count) for _, count in counts],
        "bar": build_band_bar(counts),
        "bar_id": bar_id,
        "bar_says": ", ".join(f"{band} {count}" for band, count in counts),
    }
