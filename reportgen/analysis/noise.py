"""The judge's own noise: how far its readings of the same turn differ, and what that does to the headline."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from reportgen.analysis.estimates import estimate_pairs
from reportgen.analysis.repeats import Groups, count_disagreements, intraclass_correlation, repeatability, within_sd
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.spread import spread_of_mean, unseen_mass
from reportgen.analysis.units import choose_clusters
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate, Manifest
from reportgen.model.score import Score
from reportgen.scoring.bands import band_of
from reportgen.scoring.composite import cap_score, raw_score
from reportgen.scoring.readings import on_scale

Source = Literal["readings", "equal-turns"]

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure without an interval, or the reason why there is none."""

    value: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """How far readings of the same evidence differ.

    `source` says where the readings come from: the judge was asked several times about a turn, or several turns of the
    run hold the same question, trajectory and answer (their scores are then the readings). `turns` counts the turns,
    or sets of equal turns, with at least two readings, `changed` those whose readings do not all give the same score.

    `deviation` is the standard deviation of single readings within a turn, in points; `repeatability` bounds the
    difference of two readings in 95 of 100 cases. `flips` is the share of pairs of readings that lie in different
    bands, 0 to 1. `correlation` is ICC(1,1). `headline_share` is how much of the variance of the run's mean the noise
    accounts for, 0 to 1. Where no turn changed, `unseen` is the largest share of turns that could and yet be unseen.
    """

    source: Source
    turns: int
    readings: int
    changed: int
    deviation: float
    repeatability: float
    flips: Estimate
    correlation: Figure
    headline_share: Figure
    unseen: float | None


def measure_noise(rows: Sequence[TurnRow], rubric: Rubric, manifest: Manifest) -> tuple[JudgeNoise, ...]:
    """The noise by each source that this run has; none where nothing was read twice.

    In a run that was derived for a client, turns may look equal only because of what was withheld from them.
    """
    repeated = [scores for row in rows if len(scores := score_readings(row.score, rubric)) > 1]
    equal = [] if manifest.derived else _group_equal(rows)
    found: list[tuple[Source, list[list[Fraction]]]] = [("readings", repeated), ("equal-turns", equal)]
    return tuple(_measure(source, groups, rows, rubric) for source, groups in found if groups)


def score_readings(score: Score, rubric: Rubric) -> list[Fraction]:
    """What each reading of a turn by one judge gives alone, with the caps of the turn; none where it was read once.

    A reading that lacks a subscore is left out. Subscores off the scale are moved to its end, as in scoring.
    """
    if score.score is None or score.readings is None or score.readings.by != "samples":
        return []
    lines = [(item.weight, item.samples or ()) for item in score.subscores if item.used is not None]
    weights, ceilings = [weight for weight, _ in lines], [cap.ceiling for cap in score.caps]
    readings = []
    for values in zip(*(samples for _, samples in lines), strict=False):
        used = [on_scale(value, rubric.scale.maximum) for value in values if value is not None]
        if len(used) == len(weights):
            raw = raw_score(list(zip(weights, used, strict=True)), rubric.scale.maximum)
            readings.append(cap_score(raw, ceilings))
    return readings


def _group_equal(rows: Sequence[TurnRow]) -> list[list[Fraction]]:
    groups: dict[str, list[Fraction]] = defaultdict(list)
    for row in rows:
        if row.score.score is not None and row.content:
            groups[row.content].append(row.score.score)
    return [scores for scores in groups.values() if len(scores) > 1]


def _measure(
    source: Source,
    groups: Sequence[Sequence[Fraction]],
    rows: Sequence[TurnRow],
    rubric: Rubric,
) -> JudgeNoise:
    plain = [[float(score) for score in group] for group in groups]
    changed = sum(len(set(group)) > 1 for group in groups)
    deviation = (within_sd(plain) or 0.0) if changed else 0.0
    pairs = [count_disagreements([band_of(score, rubric.bands).id for score in group]) for group in groups]
    scored = [row for row in rows if row.score.score is not None]
    reads = [_count_reads(row.score) if source == "readings" else 1 for row in scored]
    return JudgeNoise(
        source=source,
        turns=len(groups),
        readings=sum(map(len, groups)),
        changed=changed,
        deviation=round(deviation, _DECIMALS),
        repeatability=round(repeatability(deviation), _DECIMALS),
        flips=estimate_pairs(pairs),
        correlation=_correlate(plain),
        headline_share=_share_of_headline(deviation, reads, scored),
        unseen=None if changed else round(unseen_mass(len(groups)), _DECIMALS),
    )


def _correlate(groups: Groups) -> Figure:
    found = intraclass_correlation(groups)
    if found is None:
        return Figure(None, "a single turn was read more than once" if len(groups) < 2 else "all readings are equal")
    return Figure(round(found, _DECIMALS))


def _share_of_headline(deviation: float, reads: Sequence[int], rows: Sequence[TurnRow]) -> Figure:
    """Noise adds s_w²/k to the variance of a score that comes from k readings; the mean has a part of each.

    Args:
        deviation: That of single readings.
        reads: For each scored turn from how many readings its score comes.
        rows: The scored turns.
    """
    clusters = choose_clusters(rows)[1]
    if len(set(clusters)) < 2:
        return Figure(None, "the mean has no interval")
    variance = spread_of_mean([float(row.score.score or 0) for row in rows], clusters).variance
    if variance == 0:
        return Figure(None, "all scores are equal")
    noise = deviation**2 * sum(1 / count for count in reads) / len(reads) ** 2
    return Figure(round(min(1.0, noise / variance), _DECIMALS))


def _count_reads(score: Score) -> int:
    """From how many readings of one judge a score comes."""
    return max(1, score.readings.usable) if score.readings and score.readings.by == "samples" else 1
