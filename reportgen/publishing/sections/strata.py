"""Results by label: a table for each label, a line for each of its values."""

from typing import Any

from reportgen.analysis.against_rest import LEAST_POINTS, LEVEL
from reportgen.analysis.sensitivity import WeightSensitivity
from reportgen.analysis.strata import MIN_RANKED, Breakdown, Stratum
from reportgen.model.rubric import Rubric
from reportgen.publishing.charts import BAR_WIDTH, build_band_bar, build_ticks, build_whisker
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_interval,
    print_p_value,
    print_percent,
    print_score,
    print_share_interval,
    print_signed,
    print_signed_interval,
    print_units,
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
        "least_points": print_count(LEAST_POINTS),
        "level": print_p_value(LEVEL),
        "min_ranked": print_count(MIN_RANKED),
        "ticks": build_ticks(rubric.bands, BAR_WIDTH),
        "shares": build_ticks(rubric.bands[-1:], BAR_WIDTH),
        "public": report.run.manifest.is_public,
        "tables": [
            {**_table(breakdown, rubric, place), "orders": _say_orders(breakdown, report.findings.sensitivity)}
            for place, breakdown in enumerate(report.findings.breakdowns)
        ],
    }


def _table(breakdown: Breakdown, rubric: Rubric, place: int) -> dict[str, Any]:
    rows = [_row(stratum, rubric, f"{place}-{row}") for row, stratum in enumerate(breakdown.strata)]
    ranked = sum(stratum.rank is not None for stratum in breakdown.strata)
    return {
        "label": str(shorten(breakdown.label, _NAME_SHOWN)),
        "rows": rows if ranked > 1 else [{**row, "rank": NONE} for row in rows],
    }


def _row(stratum: Stratum, rubric: Rubric, place: str) -> dict[str, Any]:
    return {
        "place": place,
        "value": str(shorten(stratum.value, _NAME_SHOWN)),
        "turns": print_count(stratum.turns),
        "scored": print_count(stratum.scored),
        **_mean(stratum, rubric),
        **_bands(stratum, rubric),
        **_rest(stratum, rubric),
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


def _rest(stratum: Stratum, rubric: Rubric) -> dict[str, str]:
    """What the interval of the mean rests on, and how the stratum stands against all other turns."""
    difference, p_value = stratum.rest.difference, stratum.rest.p_value
    return {
        "median": print_score(stratum.median.value, rubric),
        "median_interval": NONE if stratum.median.low is None else print_interval(stratum.median, rubric),
        "units": stratum.mean.undefined or print_units(stratum.mean),
        "rank": NONE if stratum.rank is None else print_count(stratum.rank),
        "difference": print_signed(difference.value, 1),
        "difference_interval": NONE if difference.low is None else print_signed_interval(difference, 1),
        "p_value": print_p_value(p_value),
        "differs": "not tested" if p_value is None else "differs" if stratum.rest.differs else "no finding",
    }


def _say_orders(breakdown: Breakdown, sensitivity: WeightSensitivity) -> str | None:
    """Whether other weights would turn the order of two lines around; None where there are no two means."""
    check = next((item for item in sensitivity.orders if item.label == breakdown.label), None)
    if check is None or check.pairs == 0:
        return None
    pairs = f"Of {plural(check.pairs, 'pair')} of lines,"
    box = (
        f"in all {print_count(sensitivity.settings)} settings of the weights, each up to {sensitivity.step} points away"
    )
    if check.pairs == 1 and check.flips == 0:
        return f"The means of the two lines stand in the same order {box}."
    if check.flips == 0:
        return f"{pairs} each has its means in the same order {box}."
    do = "does" if check.flips == 1 else "do"
    start = f"{pairs} {print_count(check.flips)} {do} not have the means in the same order {box}."
    if not check.established:
        return f"{start} Their intervals overlap, so this order is no finding with the rubric’s weights either."
    apart = print_count(len(check.established))
    return f"{start} The intervals of {apart} of these lie apart: there the order rests on the weights."


def _bands(stratum: Stratum, rubric: Rubric) -> dict[str, Any]:
    """The counts of the bands, and the share of the highest one with its interval; dashes where they are not shown."""
    if stratum.bands is None:
        return {"counts": [NONE] * len(rubric.bands), "best": NONE, "best_interval": NONE, "bar": None}
    counts = [(band.id, stratum.bands[band.id]) for band in rubric.bands]
    return {
        "counts": [print_count(count) for _, count in counts],
        "bar": build_band_bar(counts),
        "bar_says": ", ".join(f"{band} {count}" for band, count in counts),
        "best": print_percent(counts[0][1], stratum.scored),
        "best_interval": NONE if stratum.best.low is None else print_share_interval(stratum.best),
        "best_mark": build_whisker(stratum.best, rubric.bands, out_of=1),
    }
