"""The figures of each metric, by a rubric without a composite: what a score has, each dimension has by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.analysis.distribution import Bin, ScoreFacts, build_distribution, build_score_facts
from reportgen.analysis.limitations import count_near_edge
from reportgen.analysis.noise import JudgeNoise, measure_noise
from reportgen.analysis.panel import PanelJudge, build_panel
from reportgen.analysis.rows import TurnRow, stand_alone
from reportgen.analysis.strata import Breakdown, build_breakdowns
from reportgen.analysis.trend.days import Days, build_days
from reportgen.analysis.trend.runs import Headline, RunPoint, build_metric_runs
from reportgen.analysis.turn_lists import list_worst
from reportgen.model.revision import EarlierRun
from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.run import Manifest
from reportgen.model.turn import Name


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a run beyond its mean, which the summary has. Values are in percent of its scale, 0 to 100.

    `worst` names the turns with the lowest values, ties in the order of the capture; `unscored` those without a value
    because the judge call failed. `runs` is the series beside earlier runs, empty without any. `near_edge` counts the
    turns that one step would carry into another band. `noise` is the judge's own, and `panel` what each judge of a
    panel gives alone.
    """

    dimension: str
    name: str
    scores: ScoreFacts
    distribution: tuple[Bin, ...]
    breakdowns: tuple[Breakdown, ...]
    days: Days
    runs: tuple[RunPoint, ...]
    noise: tuple[JudgeNoise, ...]
    panel: tuple[PanelJudge, ...]
    worst: tuple[Name, ...]
    unscored: tuple[Name, ...]
    near_edge: int


def build_metrics(
    rows: Sequence[TurnRow],
    rubric: Rubric,
    manifest: Manifest,
    labels: Sequence[str],
    *,
    earlier: Sequence[EarlierRun],
    this: Headline,
) -> tuple[Metric, ...]:
    """The metrics in the order of the rubric; none where a composite stands for them.

    Args:
        rows: The turns.
        rubric: By which they were judged.
        manifest: Of the run.
        labels: By which labels results are broken down.
        earlier: Earlier runs, oldest first.
        this: The headline of the run itself.
    """
    if rubric.has_composite:
        return ()
    series = {item.id: build_metric_runs(item.id, earlier, this) if earlier else () for item in rubric.dimensions}
    return tuple(
        replace(_build(item, stand_alone(rows, item, rubric), rubric, manifest, labels), runs=series[item.id])
        for item in rubric.dimensions
    )


def _build(
    dimension: Dimension, alone: Sequence[TurnRow], rubric: Rubric, manifest: Manifest, labels: Sequence[str]
) -> Metric:
    """The metric from turns whose score it is, without the series beside earlier runs."""
    return Metric(
        dimension=dimension.id,
        name=dimension.name,
        scores=build_score_facts(alone),
        distribution=build_distribution(alone),
        breakdowns=build_breakdowns(alone, labels, [band.id for band in rubric.bands]),
        days=build_days(alone, manifest.timezone),
        runs=(),
        noise=measure_noise(alone, rubric, manifest),
        panel=build_panel(alone, manifest),
        worst=list_worst(alone),
        unscored=tuple(row.id for row in alone if row.score.unscored not in (None, "not_applicable")),
        near_edge=count_near_edge(alone, rubric),
    )
