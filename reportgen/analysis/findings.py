"""All findings of a run: every figure of a report is decided here, before any page is made."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reportgen.analysis.agreement import Agreement, build_agreement
from reportgen.analysis.canaries import CanaryCheck, build_canary_check
from reportgen.analysis.caveats import Caveat, check_run
from reportgen.analysis.diagnosis import DimensionProfile, build_profile
from reportgen.analysis.distribution import Bin, ScoreFacts, build_distribution, build_score_facts
from reportgen.analysis.figure_check.error_rate import FigureCheck, measure_figures
from reportgen.analysis.limitations import Limitations, measure_limitations
from reportgen.analysis.noise import JudgeNoise, measure_noise
from reportgen.analysis.panel import PanelJudge, build_panel
from reportgen.analysis.probes import ProbeResult, build_probe_results
from reportgen.analysis.readings import ReadingCheck, build_reading_check
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.sensitivity import WeightSensitivity, measure_sensitivity
from reportgen.analysis.spending import Spending, build_spending
from reportgen.analysis.strata import Breakdown, build_breakdowns, labels_worth_a_table
from reportgen.analysis.summary import build_summary
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
from reportgen.model.canary import Canary
from reportgen.model.probe import Probe
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, Summary
from reportgen.model.turn import Name, Turn
from reportgen.model.verdict import Verdict
from reportgen.record import Moment


@dataclass(frozen=True, slots=True)
class Findings:
    """Every figure of a run. `first` and `last` are the capture times of its earliest and latest turn."""

    first: Moment | None
    last: Moment | None
    summary: Summary
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
    caveats: tuple[Caveat, ...]


def build_findings(  # noqa: PLR0917 - all that figures follow from
    rows: Sequence[TurnRow],
    rubric: Rubric,
    manifest: Manifest,
    verdicts: Iterable[Verdict] = (),
    canaries: Sequence[Canary] | None = None,
    probes: Sequence[Probe] = (),
    turns: Callable[[], Iterator[Turn]] = lambda: iter(()),
) -> Findings:
    """All figures of a run.

    Args:
        rows: Its turns, in the order of their capture file.
        rubric: By which they were judged.
        manifest: What the run was made with.
        verdicts: All verdicts, for what they cost; they are gone through once.
        canaries: The canaries with what was said of them; None where the judge was not tested.
        probes: The probes that were kept beside the run.
        turns: The turns themselves, afresh on each call, for the figures in their answers.
    """
    tested = build_canary_check(manifest, canaries)
    summary, scores = build_summary(rows, rubric), build_score_facts(rows)
    bands = [band.id for band in rubric.bands]
    breakdowns = build_breakdowns(rows, labels_worth_a_table(rows), bands)
    times = [row.captured_at for row in rows]
    return Findings(
        first=min(times, default=None),
        last=max(times, default=None),
        summary=summary,
        breakdowns=breakdowns,
        distribution=build_distribution(rows),
        scores=scores,
        profile=build_profile(rows, rubric),
        caps=list_cap_uses(rows, rubric),
        agreement=build_agreement(rows, bands),
        quotes=check_quotes(rows),
        addressed=list_addressed(rows),
        worst=list_worst(rows),
        unscored=tuple(row.id for row in rows if row.score.score is None),
        limitations=measure_limitations(rows, rubric),
        sensitivity=measure_sensitivity(rows, rubric, breakdowns),
        noise=measure_noise(rows, rubric, manifest),
        canaries=tested,
        readings=build_reading_check(rows, manifest),
        panel=build_panel(rows, manifest),
        probes=build_probe_results(probes, rows),
        spending=build_spending(verdicts, manifest),
        kinship=measure_kinship(rows, judges_of(manifest)),
        figures=measure_figures(turns),
        caveats=check_run(manifest, summary, scores, rows, tested),
    )
