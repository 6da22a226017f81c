"""The charts of a site: the mean over runs, and that of each metric."""

from collections.abc import Sequence
from typing import Any

from reportgen.analysis.trend.runs import Headline, RunPoint, build_headline, build_metric_runs, build_runs
from reportgen.publishing.printing import plural, print_period, print_score
from reportgen.publishing.series_chart import SeriesItem, build_series
from reportgen.publishing.site.content import SiteRun
from reportgen.publishing.text import clean


def build_trends(runs: Sequence[SiteRun]) -> list[dict[str, Any]]:
    """A chart of the means of all reports that stand, and one for each metric; none of fewer than two means."""
    standing = [run for run in runs if run.stands]
    found = [_build(None, [run for run in standing if run.run.summary.mean.value is not None])]
    found += [
        _build(dimension, [run for run in standing if _has_mean(run, dimension)])
        for dimension in _list_metrics(standing)
    ]
    return [trend for trend in found if trend is not None]


def _list_metrics(runs: Sequence[SiteRun]) -> list[str]:
    return list(dict.fromkeys(item.dimension for run in runs for item in run.run.summary.metrics or ()))


def _has_mean(run: SiteRun, dimension: str) -> bool:
    found = run.run.summary.metrics or ()
    return any(item.dimension == dimension and item.mean.value is not None for item in found)


def _build(dimension: str | None, drawn: Sequence[SiteRun]) -> dict[str, Any] | None:
    if len(drawn) < 2:
        return None
    heads = [build_headline(run.run.manifest, run.run.summary, run.first, run.last) for run in drawn]
    points, rubrics = _line_up(dimension, heads), [run.run.rubric for run in drawn]
    items = [
        SeriesItem(place, point.mean, f"{run.order[0]:%Y-%m-%d}", joined=True, broken=bool(point.breaks))
        for place, (run, point) in enumerate(zip(drawn, points, strict=True))
    ]
    broken = [place for place, point in enumerate(points) if point.breaks]
    return {
        "id": dimension or "trend",
        "title": f"{rubrics[-1].dimension(dimension).name} by run" if dimension else "Mean score by run",
        "chart": build_series(items, rubrics[-1].bands),
        "says": _say(points, drawn, len(broken)),
        "breaks": [
            _say_break(number, points[place - 1], points[place]) for number, place in enumerate(broken, start=1)
        ],
    }


def _line_up(dimension: str | None, heads: Sequence[Headline]) -> tuple[RunPoint, ...]:
    if dimension is None:
        return build_runs(heads[:-1], heads[-1])
    return build_metric_runs(dimension, heads[:-1], heads[-1])


def _say(points: Sequence[RunPoint], drawn: Sequence[SiteRun], breaks: int) -> str:
    means = "; ".join(
        f"{print_period(point.first, point.last, run.manifest.timezone)}: {print_score(point.mean.value, run.rubric)}"
        for point, run in zip(points, (item.run for item in drawn), strict=True)
    )
    return f"Means from the oldest to the newest, with {plural(breaks, 'break') if breaks else 'no break'}. {means}."


def _say_break(number: int, before: RunPoint, after: RunPoint) -> dict[str, Any]:
    return {
        "number": str(number),
        "before": clean(before.run),
        "after": clean(after.run),
        "keys": [{"key": item.key, "before": clean(item.before), "after": clean(item.after)} for item in after.breaks],
    }
