"""All findings of a run: every figure of a report is decided here, before any page is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.agreement import Agreement, build_agreement
from reportgen.analysis.caveats import Caveat, check_run
from reportgen.analysis.diagnosis import DimensionProfile, build_profile
from reportgen.analysis.distribution import Bin, build_distribution
from reportgen.analysis.limitations import Limitations, measure_limitations
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.strata import Breakdown, build_breakdowns, labels_worth_a_table
from reportgen.analysis.summary import build_summary
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, Summary
from reportgen.model.turn import Name
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
    addressed: tuple[Name, ...]
    worst: tuple[Name, ...]
    unscored: tuple[Name, ...]
    limitations: Limitations
    caveats: tuple[Caveat, ...]


def build_findings(rows: Sequence[TurnRow], rubric: Rubric, manifest: Manifest) -> Findings:
    """All figures of a run from its turns, which stand in the order of their capture file."""
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
        addressed=tuple(row.id for row in rows if row.addressed_judge),
        worst=_worst(rows),
        unscored=tuple(row.id for row in rows if row.score.score is None),
        limitations=measure_limitations(rows, rubric),
        caveats=check_run(manifest, summary, rows),
    )


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
