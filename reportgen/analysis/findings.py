"""All findings of a run: every figure of a report is decided here, before any page is made."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

from reportgen.analysis.agreement import Agreement, build_agreement
from reportgen.analysis.calibration.results import CalibrationResult, measure_calibration
from reportgen.analysis.canaries import CanaryCheck, build_canary_check
from reportgen.analysis.caveats import STATED_CAVEATS, Caveat, check_change, check_run
from reportgen.analysis.comparison.comparing import Comparison, compare_runs
from reportgen.analysis.comparison.sides import build_side
from reportgen.analysis.diagnosis import DimensionProfile, build_profile
from reportgen.analysis.distribution import Bin, ScoreFacts, build_distribution, build_score_facts
from reportgen.analysis.figure_check.error_rate import FigureCheck, measure_figures
from reportgen.analysis.latencies import LatencyFacts, build_latencies
from reportgen.analysis.limitations import Limitations, measure_limitations
from reportgen.analysis.metrics import Metric, build_metrics
from reportgen.analysis.noise import JudgeNoise, measure_noise
from reportgen.analysis.panel import PanelJudge, build_panel
from reportgen.analysis.probes import ProbeResult, build_probe_results
from reportgen.analysis.quadrants import QuadrantTable, build_quadrants
from reportgen.analysis.readings import ReadingCheck, build_reading_check
from reportgen.analysis.rows import TurnRow, find_span
from reportgen.analysis.sampling import Sampling, measure_sampling
from reportgen.analysis.sensitivity import WeightSensitivity, measure_sensitivity
from reportgen.analysis.spending import Spending, build_spending
from reportgen.analysis.strata import Breakdown, build_breakdowns, labels_worth_a_table
from reportgen.analysis.summary import build_summary, count_failed_calls
from reportgen.analysis.trend.building import Trend, build_trend
from reportgen.analysis.trend.regressions import find_regressions
from reportgen.analysis.trend.runs import build_headline
from reportgen.analysis.turn_lists import (
    Addressed,
    CapUse,
    QuoteCheck,
    check_quotes,
    list_addressed,
    list_cap_uses,
    list_worst,
)
from reportgen.analysis.vendors import Kinship, judges_of, measure_kinship
from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.canary import Canary
from reportgen.model.probe import Probe
from reportgen.model.revision import Revision
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, Summary
from reportgen.model.turn import Name, Turn
from reportgen.model.verdict import Verdict
from reportgen.record import Moment, canonical

STATED = (
    "first",
    "last",
    "breakdowns",
    "quotes",
    "addressed",
    "limitations",
    "spending",
    "kinship",
    "figures",
    "caveats",
)
"""What of the findings does not follow from a run for the public, since it rests on times, labels or texts."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Every figure of a run. `first` and `last` are the capture times of its earliest and latest turn.

    `failed_calls` counts the judge calls that failed, by how they did, where a rubric has no composite.
    """

    first: Moment | None
    last: Moment | None
    summary: Summary
    sampling: Sampling | None
    breakdowns: tuple[Breakdown, ...]
    distribution: tuple[Bin, ...]
    scores: ScoreFacts
    profile: tuple[DimensionProfile, ...]
    caps: tuple[CapUse, ...]
    agreement: Agreement
    quotes: QuoteCheck
    addressed: tuple[Addressed, ...]
    worst: tuple[Name, ...]
    unscored: tuple[Name, ...]
    failed_calls: dict[str, int]
    limitations: Limitations
    sensitivity: WeightSensitivity
    noise: tuple[JudgeNoise, ...]
    canaries: CanaryCheck
    readings: ReadingCheck
    panel: tuple[PanelJudge, ...]
    probes: tuple[ProbeResult, ...]
    spending: Spending
    kinship: Kinship
    figures: FigureCheck
    trend: Trend
    comparison: Comparison | None
    metrics: tuple[Metric, ...]
    quadrants: QuadrantTable | None
    calibration: CalibrationResult | None
    latencies: tuple[LatencyFacts, ...]
    caveats: tuple[Caveat, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """All that the figures of a run follow from.

    `rows` are its turns, in the order of their capture file. `verdicts` are all that were asked for, for what they
    cost; they are gone through once. `canaries` are None where the judge was not tested. `turns` gives the turns
    themselves, afresh on each call, for the figures in their answers. `revision` says what the report rests on beyond
    the run: earlier runs, one to compare it with, and what people said of its turns. `checks` are those of the judge on
    frozen anchors, where no revision states them.
    """

    rows: Sequence[TurnRow]
    rubric: Rubric
    manifest: Manifest
    verdicts: Iterable[Verdict] = ()
    canaries: Sequence[Canary] | None = None
    probes: Sequence[Probe] = ()
    turns: Callable[[], Iterator[Turn]] = lambda: iter(())
    revision: Revision | None = None
    checks: Sequence[AnchorCheck] = ()


def build_findings(given: Material) -> Findings:
    """All figures of a run; those of a run for the public with what its publisher states."""
    found, derived = _build_all(given), given.manifest.derived
    return found if derived is None or derived.stated is None else put_stated(found, derived.stated)


def put_stated(found: Findings, stated: Mapping[str, Any]) -> Findings:
    """The findings of a run for the public: what follows from it, and what its publisher states.

    Raises:
        ValueError: What is stated is not part of any findings.
    """
    parts = read_stated(stated)
    caveats = [caveat for caveat in found.caveats if caveat.slug not in STATED_CAVEATS]
    return replace(found, **{**parts, "caveats": (*caveats, *parts["caveats"])})


def find_period(manifest: Manifest, times: Iterable[Moment]) -> tuple[Moment | None, Moment | None]:
    """The first and the last time of capture; None without turns.

    Of a run for the public it is what the publisher states, since its turns all bear the first day.
    """
    stated = manifest.derived.stated if manifest.derived else None
    if stated is not None:
        parts = read_stated(stated)
        return parts["first"], parts["last"]
    return find_span(times)


def read_stated(stated: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of the findings that the publisher of a public run states, from plain JSON values.

    Raises:
        ValueError: A part is missing, unknown, or of another form.
    """
    from pydantic import TypeAdapter

    if set(stated) != set(STATED):
        raise ValueError(f"stated: give {', '.join(STATED)}, and no other")
    kinds = get_type_hints(Findings, include_extras=True)
    return {name: TypeAdapter(kinds[name]).validate_json(canonical(stated[name])) for name in STATED}


def _build_all(given: Material) -> Findings:
    rows, rubric, manifest, revision = given.rows, given.rubric, given.manifest, given.revision
    tested = build_canary_check(manifest, given.canaries)
    summary, scores = build_summary(rows, rubric), build_score_facts(rows)
    failed_calls = count_failed_calls(rows, rubric)
    bands = [band.id for band in rubric.bands]
    labels = labels_worth_a_table(rows)
    breakdowns = build_breakdowns(rows, labels, bands)
    first, last = find_period(manifest, (row.captured_at for row in rows))
    earlier, headline = (revision and revision.earlier) or (), build_headline(manifest, summary, first, last)
    trend = build_trend(rows, earlier, headline, manifest.timezone)
    metrics = build_metrics(rows, rubric, manifest, labels, earlier=earlier, this=headline)
    baseline = revision and revision.baseline
    labelled = revision and revision.calibration
    calibration = measure_calibration(labelled, rubric, rows) if labelled else None
    side = build_side(rows, manifest, calibration.gate if calibration else None)
    comparison = compare_runs(baseline, side, rubric) if baseline else None
    checks = (revision.checks or ()) if revision else given.checks
    return Findings(
        first=first,
        last=last,
        summary=summary,
        sampling=measure_sampling(rows),
        breakdowns=breakdowns,
        distribution=build_distribution(rows),
        scores=scores,
        profile=build_profile(rows, rubric),
        caps=list_cap_uses(rows, rubric),
        agreement=build_agreement(rows, bands),
        quotes=check_quotes(rows),
        addressed=list_addressed(rows),
        worst=list_worst(rows),
        unscored=tuple(row.id for row in rows if row.score.unscored is not None),
        failed_calls=failed_calls,
        limitations=measure_limitations(rows, rubric, calibration),
        sensitivity=measure_sensitivity(rows, rubric, breakdowns),
        noise=measure_noise(rows, rubric, manifest),
        canaries=tested,
        readings=build_reading_check(rows, manifest),
        panel=build_panel(rows, manifest),
        probes=build_probe_results(given.probes, rows, rubric),
        spending=build_spending(given.verdicts, manifest),
        kinship=measure_kinship(rows, judges_of(manifest)),
        figures=measure_figures(given.turns),
        trend=trend,
        comparison=comparison,
        metrics=metrics,
        quadrants=build_quadrants(rows, rubric),
        calibration=calibration,
        latencies=build_latencies(rows),
        caveats=(
            *check_run(manifest, summary, scores, rows, tested, checks, metrics, failed_calls),
            *check_change(find_regressions(trend, metrics), comparison),
        ),
    )
