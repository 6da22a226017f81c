"""Results by label: a table for each label, a line for each of its values."""

from typing import Any

from reportgen.analysis.strata import Breakdown, Stratum
from reportgen.model.rubric import Rubric
from reportgen.publishing.charts import BAR_WIDTH, build_band_bar, build_ticks, build_whisker
from reportgen.publishing.printing import (
    NONE,
    print_count,
    print_interval,
    print_percent,
    print_score,
    print_share_interval,
)
from reportgen.publishing.report import Report
from reportgen.publishing.text import shorten

TITLE = "Results by label"

_NAME_SHOWN = 80


def build(report: Report) -> dict[str, Any]:
    """A table for each label, its lines with their charts."""
    rubric = report.run.rubric
    return {
        "bands": [band.id for band in rubric.bands],
        "ticks": build_ticks(rubric.bands, BAR_WIDTH),
        "shares": build_ticks(rubric.bands[-1:], BAR_WIDTH),
        "tables": [_table(breakdown, rubric, place) for place, breakdown in enumerate(report.findings.breakdowns)],
    }


def _table(breakdown: Breakdown, rubric: Rubric, place: int) -> dict[str, Any]:
    return {
        "label": str(shorten(breakdown.label, _NAME_SHOWN)),
        "rows": [_row(stratum, rubric, f"{place}-{row}") for row, stratum in enumerate(breakdown.strata)],
    }


def _row(stratum: Stratum, rubric: Rubric, place: str) -> dict[str, Any]:
    counts = [(band.id, stratum.bands[band.id]) for band in rubric.bands]
    return {
        "place": place,
        "value": str(shorten(stratum.value, _NAME_SHOWN)),
        "turns": print_count(stratum.turns),
        "scored": print_count(stratum.scored),
        **_mean(stratum, rubric),
        **_best(stratum, rubric),
        "counts": [print_count(count) for _, count in counts],
        "bar": build_band_bar(counts),
        "bar_says": ", ".join(f"{band} {count}" for band, count in counts),
    }


def _mean(stratum: Stratum, rubric: Rubric) -> dict[str, Any]:
    mean = print_score(stratum.mean.value, rubric)
    interval = NONE if stratum.mean.low is None else print_interval(stratum.mean, rubric)
    return {
        "mean": mean,
        "interval": interval,
        "whisker": build_whisker(stratum.mean, rubric.bands),
        "whisker_says": f"mean {mean}, 95 % interval {stratum.mean.undefined or interval}",
    }


def _best(stratum: Stratum, rubric: Rubric) -> dict[str, Any]:
    """The share of the highest band, with its interval."""
    return {
        "best": print_percent(stratum.bands[rubric.bands[0].id], stratum.scored),
        "best_interval": NONE if stratum.best.low is None else print_share_interval(stratum.best),
        "best_mark": build_whisker(stratum.best, rubric.bands, out_of=1),
    }
