"""What people would have found in the whole run: its mean, and its share of the lowest band."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.calibration.coefficients import Coefficient, no_figure, to_stored
from reportgen.analysis.calibration.corrected import (
    LABELS_FOR_SHARE,
    POOR_AT_LEAST,
    Rate,
    RunMean,
    correct_mean,
    correct_share,
)
from reportgen.analysis.calibration.shares import effective_size, measure_detection
from reportgen.analysis.calibration.sides import Both, ascending_bands, design_of
from reportgen.analysis.estimates import weights_of
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.spread import mean_of, spread_of_mean
from reportgen.analysis.units import choose_clusters
from reportgen.model.calibration import Calibration
from reportgen.model.rubric import Rubric

_NOT_DRAWN = "the labelled turns are not a drawn sample"


@dataclass(frozen=True, slots=True)
class PeopleFind:
    """The mean score, 0 to 100, and the share of the lowest band, 0 to 1, as people would have them.

    `judge_mean` and `judge_poor` are what the judge found. `trust` is the λ by which its scores are used in the mean.
    """

    mean: Coefficient
    judge_mean: float | None
    trust: float | None
    poor: Coefficient
    judge_poor: float | None


def find_as_people(
    calibration: Calibration, sides: Sequence[Both], rubric: Rubric, rows: Sequence[TurnRow], *, covered: Fraction
) -> PeopleFind:
    """Corrects what the judge found in the run by what the labels say of it.

    Args:
        calibration: The pairs.
        sides: Both sides of each.
        rubric: That of the run.
        rows: All turns of the run.
        covered: The part of the scored turns whose stratum has a labelled turn; the figures need all.
    """
    scored = [row for row in rows if row.score.score is not None]
    worst = rubric.bands[-1].id
    if len(scored) < 2 or len(set(choose_clusters(scored)[1])) < 2:
        none = no_figure(len(sides), "the run has no spread to build on")
        return PeopleFind(none, None, None, none, None)
    weights = weights_of(scored)
    values, poor = [float(row.score.score or 0) for row in scored], [row.score.band == worst for row in scored]
    judge = to_stored(mean_of(values, weights)), to_stored(mean_of(poor, weights))
    if not calibration.drawn or covered < 1:
        missing = f"strata with {float(100 * (1 - covered)):.1f} % of the scored turns have no labelled one"
        none = no_figure(len(sides), missing if calibration.drawn else _NOT_DRAWN)
        return PeopleFind(none, judge[0], None, none, judge[1])
    mean, trust = _find_mean(calibration, sides, scored, values)
    share = _find_poor(calibration, sides, rubric, scored, poor)
    return PeopleFind(mean.rounded(), judge[0], to_stored(trust), share.rounded(), judge[1])


def _find_mean(
    calibration: Calibration, sides: Sequence[Both], scored: Sequence[TurnRow], values: Sequence[float]
) -> tuple[Coefficient, float | None]:
    import numpy as np

    both = [(pair, side) for pair, side in zip(calibration.pairs, sides, strict=True) if side.people is not None]
    if not both:
        return no_figure(0, "people gave no subscores"), None
    weights = weights_of(scored)
    mean, spread = mean_of(values, weights), spread_of_mean(values, choose_clusters(scored)[1], weights)
    squares = mean_of([(value - mean) ** 2 for value in values], weights)
    run = RunMean(mean, spread.variance, squares, len(values))
    judge = np.array([float(side.judge) for _, side in both])
    people = np.array([float(side.people or 0) for _, side in both])
    found = correct_mean(run, judge, people, design_of([pair for pair, _ in both], calibration.pairs))
    return found.mean, found.trust


def _find_poor(
    calibration: Calibration,
    sides: Sequence[Both],
    rubric: Rubric,
    scored: Sequence[TurnRow],
    poor: Sequence[bool],
) -> Coefficient:
    theirs = [both.people_band == rubric.bands[-1].id for both in sides]
    if len(sides) < LABELS_FOR_SHARE or sum(theirs) < POOR_AT_LEAST:
        need = f"{LABELS_FOR_SHARE} labelled turns are needed, {POOR_AT_LEAST} of them poor to people"
        return no_figure(len(sides), f"{need}; there are {len(sides)} and {sum(theirs)}")
    design, worst = design_of(calibration.pairs), ascending_bands(rubric)[0]
    hits = [both.judge_band == worst for both in sides]
    found = measure_detection([both.judge_band for both in sides], [both.people_band for both in sides], worst, design)
    if found.sensitivity.value is None or found.specificity.value is None:
        return no_figure(len(sides), found.specificity.undefined or found.sensitivity.undefined or "")
    misses, others = [not hit for hit in hits], [not held for held in theirs]
    sensitivity = Rate(found.sensitivity.value, effective_size(found.sensitivity, hits, theirs, design))
    specificity = Rate(found.specificity.value, effective_size(found.specificity, misses, others, design))
    return correct_share(_rate(scored, poor), sensitivity, specificity)


def _rate(scored: Sequence[TurnRow], poor: Sequence[bool]) -> Rate:
    """The judge's share, with the effective number of turns behind it."""
    weights = weights_of(scored)
    share = mean_of(poor, weights)
    if not 0 < share < 1:
        return Rate(share, float(len(set(choose_clusters(scored)[1]))))
    spread = spread_of_mean([float(hit) for hit in poor], choose_clusters(scored)[1], weights)
    return Rate(share, min(float(len(poor)), share * (1 - share) / spread.variance))
