"""The mean over the days of the run, and beside earlier runs."""

from typing import Any

from reportgen.analysis.trend.building import Trend
from reportgen.analysis.trend.days import MIN_TURNS, DayPoint, Days
from reportgen.analysis.trend.regressions import find_regressions
from reportgen.analysis.trend.runs import RunPoint
from reportgen.analysis.trend.series import Expectation
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.publishing.changes import print_change, print_change_interval
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_date,
    print_interval,
    print_p_value,
    print_period,
    print_score,
    print_share,
    stored,
)
from reportgen.publishing.report import Report
from reportgen.publishing.series_chart import SeriesItem, build_series
from reportgen.publishing.text import clean, shorten
from reportgen.scoring.rounding import print_number

TITLE = "Trend"

_DAYS_SHOWN = 62
_NAME_SHOWN = 60


def build(report: Report) -> dict[str, Any] | None:
    """A chart and a table over days, and over runs where there are earlier ones; None where there is no series."""
    trend, rubric, zone = report.findings.trend, report.run.rubric, report.run.manifest.timezone
    if len(trend.days.points) < 2 and not trend.runs:
        return None
    return {
        "fell": [f"{item.kind} {shorten(item.name, _NAME_SHOWN)}" for item in find_regressions(trend)],
        "tested": any(point.expectation for points in (trend.days.points, trend.runs) for point in points),
        "untested": _say_untested(trend),
        "days": _days(trend.days, rubric, zone) if len(trend.days.points) > 1 else None,
        "runs": _runs(trend.runs, rubric, zone) if trend.runs else None,
    }


def _say_untested(trend: Trend) -> str:
    """Why no point could be tested."""
    days = trend.days.points if len(trend.days.points) > 1 else ()
    kinds = ("day", [point.mean for point in days]), ("run", [point.mean for point in trend.runs])
    told = [
        f"{print_count(sum(mean.low is not None for mean in means))} of {plural(len(means), kind)} have one"
        for kind, means in kinds
        if means
    ]
    takes = f" A day needs at least {MIN_TURNS} scored turns for an interval." if days else ""
    need = "a point with an interval is held against three earlier ones or more that have one"
    return f"No point could be tested: {need}. Here {' and '.join(told)}.{takes}"


def _days(days: Days, rubric: Rubric, zone: str | None) -> dict[str, Any]:
    shown = days.points[-_DAYS_SHOWN:]
    items = [_place_day(point) for point in shown]
    return {
        "chart": build_series(items, rubric.bands),
        "says": _say([print_date(point.day) for point in shown], [point.mean for point in shown], rubric),
        "rows": [_day(point, rubric) for point in shown],
        "more": plural(len(days.points) - len(shown), "earlier day") if len(days.points) > len(shown) else None,
        "label": str(shorten(days.label, _NAME_SHOWN)) if days.label else None,
        "undated": plural(days.undated, "turn") if days.undated else None,
        "least": str(MIN_TURNS),
        "zone": zone or "UTC",
        "slope": _say_slope(days),
    }


def _place_day(point: DayPoint) -> SeriesItem:
    fell = _fell(point.expectation)
    return SeriesItem(point.day.toordinal(), point.mean, f"{point.day:%m-%d}", point.gap == 0, fell=fell)


def _say_slope(days: Days) -> str:
    slope = days.slope.estimate
    if slope.value is None:
        return f"Too short for a slope: it needs seven days with at least {MIN_TURNS} scored turns."
    said = f"Slope over the days with at least {MIN_TURNS} scored turns: {print_change(slope.value, 2)} points a day"
    if slope.low is None:
        return f"{said}, without an interval: {slope.undefined}."
    interval = f"95\u00a0% interval {print_change_interval(slope, decimals=2)}"
    return f"{said} ({interval}, p {print_p_value(days.slope.p_value)}, days taken as independent)."


def _day(point: DayPoint, rubric: Rubric) -> dict[str, Any]:
    missing = f"{plural(point.missing, 'value')} missing" if point.missing else NONE
    return {
        "name": print_date(point.day),
        "gap": plural(point.gap, "day") if point.gap else None,
        "turns": print_count(point.turns),
        "adjusted": missing if point.adjusted is None else print_score(point.adjusted, rubric),
        **_point(point.scored, point.mean, point.expectation, rubric),
    }


def _point(scored: int, mean: Estimate, expectation: Expectation | None, rubric: Rubric) -> dict[str, Any]:
    return {
        "scored": print_count(scored),
        "mean": print_score(mean.value, rubric),
        "interval": print_interval(mean, rubric),
        "weak": mean.low is None,
        "expected": _expected(expectation),
        "fell": _fell(expectation),
    }


def _expected(expectation: Expectation | None) -> str:
    if expectation is None:
        return NONE
    expected, lowest = (
        print_number(stored(value), 1, (0, 100)) for value in (expectation.expected, expectation.lowest)
    )
    return f"{expected}, at least {lowest}; p {print_p_value(expectation.p_value)}"


def _fell(expectation: Expectation | None) -> bool:
    return expectation is not None and expectation.fell


def _runs(points: tuple[RunPoint, ...], rubric: Rubric, zone: str | None) -> dict[str, Any]:
    items = [
        SeriesItem(place, point.mean, str(place + 1), True, bool(point.breaks), _fell(point.expectation))
        for place, point in enumerate(points)
    ]
    names = [f"run {place + 1}" for place in range(len(points))]
    return {
        "chart": build_series(items, rubric.bands),
        "says": _say(names, [point.mean for point in points], rubric),
        "rows": [_run(place, point, rubric, zone) for place, point in enumerate(points, start=1)],
    }


def _run(place: int, point: RunPoint, rubric: Rubric, zone: str | None) -> dict[str, Any]:
    breaks = [f"{item.key}: {item.before} before, {item.after} now" for item in point.breaks]
    return {
        "place": str(place),
        "name": clean(point.run),
        "period": print_period(point.first, point.last, zone),
        "turns": print_count(point.turns),
        "poor": print_share(point.poor.value),
        "breaks": [str(shorten(item, 300)) for item in breaks],
        **_point(point.scored, point.mean, point.expectation, rubric),
    }


def _say(names: list[str], means: list[Estimate], rubric: Rubric) -> str:
    pairs = zip(names, means, strict=True)
    means_said = ((name, "no mean" if mean.value is None else print_score(mean.value, rubric)) for name, mean in pairs)
    return "; ".join(f"{name}: {said}" for name, said in means_said)
