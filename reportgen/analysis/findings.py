"""All findings of a run: every figure of a report is decided here, before any page is made."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.agreement import Agreement, build_agreement
from reportgen.analysis.canaries import CanaryCheck, build_canary_check
from reportgen.analysis.caveats import Caveat, check_run
from reportgen.analysis.diagnosis import DimensionProfile, build_profile
from reportgen.analysis.distribution import Bin, build_distribution
from reportgen.analysis.figure_check.error_rate import FigureCheck, measure_figures
from reportgen.analysis.limitations import Limitations, measure_limitations
from reportgen.analysis.panel import PanelJudge, build_panel
from reportgen.analysis.probes import ProbeResult, build_probe_results
from reportgen.analysis.readings import ReadingCheck, build_reading_check
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.spending import Spending, build_spending
from reportgen.analysis.strata import Breakdown, build_breakdowns, labels_worth_a_table
from reportgen.analysis.summary import build_summary
from reportgen.analysis.vendors import Kinship, judges_of, measure_kinship
from reportgen.model.canary import Canary
from reportgen.model.probe import Probe
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, Summary
from reportgen.model.turn import Name, Turn
from reportgen.model.verdict import Verdict
from reportgen.record import Moment

WORST = 10


@dataclass(frozen=True, slots=True)
class CapUse:
    """A cap in this run: the turns in which its fact held, and those of them whose score it lowered."""

    id: str
    ceiling: int
    sentence: str
    held: tuple[Name, ...]
    lowered: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """How many quotes the judge gave, how many stand in the evidence, and the turns with one that does not."""

    quotes: int
    supported: int
    turns: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Addressed:
    """A turn with text that addresses a grader: where a program found it, and whether the judge reported any."""

    turn: Name
    places: tuple[str, ...]
    reported: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """Every figure of a run. `first` and `last` are the capture times of its earliest and latest turn."""

    first: Moment | None
    last: Moment | None
    summary: Summary
    breakdowns: tuple[Breakdown, ...]
    distribution: tuple[Bin, ...]
    profile: tuple[DimensionProfile, ...]
    caps: tuple[CapUse, ...]
    agreement: Agreement
    quotes: QuoteCheck
    addressed: tuple[Addressed, ...]
    worst: tuple[Name, ...]
    unscored: tuple[Name, ...]
    limitations: Limitations
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
    summary = build_summary(rows, rubric)
    bands = [band.id for band in rubric.bands]
    times = [row.captured_at for row in rows]
    return Findings(
        first=min(times, default=None),
        last=max(times, default=None),
        summary=summary,
        breakdowns=build_breakdowns(rows, labels_worth_a_table(rows), bands),
        distribution=build_distribution(rows),
        profile=build_profile(rows, rubric),
        caps=_use_of_caps(rows, rubric),
        agreement=build_agreement(rows, bands),
        quotes=_check_quotes(rows),
        addressed=_find_addressed(rows),
        worst=_worst(rows),
        unscored=tuple(row.id for row in rows if row.score.score is None),
        limitations=measure_limitations(rows, rubric),
        canaries=tested,
        readings=build_reading_check(rows, manifest),
        panel=build_panel(rows, manifest),
        probes=build_probe_results(probes, rows),
        spending=build_spending(verdicts, manifest),
        kinship=measure_kinship(rows, judges_of(manifest)),
        figures=measure_figures(turns),
        caveats=check_run(manifest, summary, rows, tested),
    )


def _find_addressed(rows: Sequence[TurnRow]) -> tuple[Addressed, ...]:
    found = (row for row in rows if row.addresses or row.addressed_judge)
    return tuple(Addressed(row.id, row.addresses, row.addressed_judge) for row in found)


def _use_of_caps(rows: Sequence[TurnRow], rubric: Rubric) -> tuple[CapUse, ...]:
    applied = [(row.id, cap) for row in rows for cap in row.score.caps]
    return tuple(
        CapUse(
            cap.id,
            cap.ceiling,
            cap.sentence,
            held=tuple(turn for turn, use in applied if use.id == cap.id),
            lowered=tuple(turn for turn, use in applied if use.id == cap.id and use.lowered),
        )
        for cap in rubric.caps
    )


def _check_quotes(rows: Sequence[TurnRow]) -> QuoteCheck:
    total = sum(row.quotes for row in rows)
    unsupported = sum(row.unsupported for row in rows)
    return QuoteCheck(total, total - unsupported, tuple(row.id for row in rows if row.unsupported))


def _worst(rows: Sequence[TurnRow]) -> tuple[str, ...]:
    """The lowest scores that are not in the highest band's full marks, ties in the order of the capture."""
    scored = [row for row in rows if row.score.score is not None and row.score.score < 100]
    return tuple(row.id for row in sorted(scored, key=lambda row: row.score.score or Fraction(0))[:WORST])
