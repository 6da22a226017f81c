"""The headline figures of a run."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from reportgen.analysis.estimates import average, estimate_mean, estimate_share
from reportgen.analysis.rows import TurnRow, stand_alone
from reportgen.model.rubric import Dimension, JudgeCall, Rubric
from reportgen.model.run import BandShare, Estimate, Lowest, MetricSummary, Summary

NO_COMPOSITE = "the rubric has no composite"
_ENDS = Fraction(0), Fraction(100)


def build_summary(rows: Sequence[TurnRow], rubric: Rubric) -> Summary:
    """Counts, means, shares and bounds over the turns of a run."""
    scored = [row for row in rows if row.score.score is not None]
    low, high = _bounds(rows) if rubric.has_composite else (None, None)
    return Summary(
        turns=len(rows),
        scored=sum(row.score.unscored is None for row in rows),
        unscored=_count_unscored(rows),
        mean=estimate_mean(rows) if rubric.has_composite else Estimate(n=0, undefined=NO_COMPOSITE),
        mean_all_dimensions=estimate_mean([row for row in scored if not _renormalised(row)]),
        mean_renormalised=estimate_mean([row for row in scored if _renormalised(row)]),
        bound_low=low,
        bound_high=high,
        bands=tuple(_share_of_band(scored, band.id) for band in rubric.bands),
        at_maximum=sum(row.score.score == 100 for row in scored),
        lowest=_lowest(scored),
        caps=_count_caps(rows, rubric),
        agreements=sum(bool(row.score.agrees) for row in scored),
        clamped=sum(_clamped(row) for row in rows if row.score.unscored is None),
        metrics=None if rubric.has_composite else tuple(_summarise(item, rows, rubric) for item in rubric.dimensions),
    )


def _summarise(dimension: Dimension, rows: Sequence[TurnRow], rubric: Rubric) -> MetricSummary:
    alone = stand_alone(rows, dimension, rubric)
    scored = [row for row in alone if row.score.score is not None]
    low, high = _bounds([row for row in alone if row.score.unscored != "not_applicable"])
    return MetricSummary(
        dimension=dimension.id,
        scored=len(scored),
        unscored=_count_unscored(alone),
        mean=estimate_mean(alone),
        bound_low=low,
        bound_high=high,
        bands=tuple(_share_of_band(scored, band.id) for band in rubric.bands),
    )


def _count_unscored(rows: Sequence[TurnRow]) -> dict[str, int]:
    return dict(sorted(Counter(row.score.unscored for row in rows if row.score.unscored).items()))


def count_failed_calls(rows: Sequence[TurnRow], rubric: Rubric) -> dict[str, int]:
    """The judge calls that gave no value, by how they failed: each of them, of a turn with several failed ones too.

    Only without a composite; otherwise a turn is scored or not as a whole.
    """
    if rubric.has_composite:
        return {}
    failures = (_find_failure(row, call) for row in rows for call in rubric.calls)
    return dict(sorted(Counter(filter(None, failures)).items()))


def _find_failure(row: TurnRow, call: JudgeCall) -> str | None:
    return next((item.failure for item in row.score.subscores if item.dimension in call.scores and item.failure), None)


def _renormalised(row: TurnRow) -> bool:
    """Whether a dimension did not apply, so that the weights of the others renormalise."""
    return any(item.used is None for item in row.score.subscores)


def _clamped(row: TurnRow) -> bool:
    return any((item.note or "").startswith("clamped") for item in row.score.subscores)


def _bounds(rows: Sequence[TurnRow]) -> tuple[Fraction | None, Fraction | None]:
    """The mean over all turns if each unscored one had scored 0, and if each had scored 100."""
    if not rows:
        return None, None
    scores = [row.score.score for row in rows]
    low, high = (average([end if score is None else score for score in scores], rows) for end in _ENDS)
    return low, high


def _share_of_band(scored: Sequence[TurnRow], band: str) -> BandShare:
    count = sum(row.score.band == band for row in scored)
    share = estimate_share(scored, lambda row: row.score.band == band)
    return BandShare.model_validate({"band": band, "count": count, "share": share})


def _lowest(scored: Sequence[TurnRow]) -> Lowest | None:
    """The lowest score; the first such turn where several share it."""
    if not scored:
        return None
    row = min(scored, key=lambda row: row.score.score or Fraction(0))
    caps = tuple(cap.id for cap in row.score.caps if cap.lowered)
    return Lowest(turn=row.id, score=row.score.score or Fraction(0), caps=caps)


def _count_caps(rows: Sequence[TurnRow], rubric: Rubric) -> dict[str, int]:
    """For each cap of the rubric, in how many turns its fact held."""
    held = Counter(cap.id for row in rows for cap in row.score.caps)
    return {cap.id: held[cap.id] for cap in rubric.caps}
