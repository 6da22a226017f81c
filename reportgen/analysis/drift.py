"""Is a new judge the same as the old one? Both on the same frozen turns, by a test of equivalence."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import stdev
from typing import Final

from reportgen.analysis.calibration.coefficients import to_estimate
from reportgen.analysis.calibration.kappa import measure_kappa
from reportgen.analysis.comparison.sides import Sides, Value, keep_measured, score_of, subscore_of
from reportgen.analysis.equivalence import LEAST, NARROW, equivalence_power, run_tost, values_needed
from reportgen.analysis.estimates import estimate_difference, estimate_hits
from reportgen.analysis.spread import Spread, spread_of_mean, t_quantile, unseen_mass
from reportgen.analysis.units import choose_clusters
from reportgen.model.anchor_check import Drift, Part, Shift, State
from reportgen.model.revision import BaselineTurn
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.scoring.bands import band_of

IDENTICAL: Final = 30
"""Turns with one and the same difference from which on they show that two judges are equivalent."""
LEVEL: Final = 0.05

_NOISE = "the shift may be noise: turns that are chosen by both readings alike do not show it"

_DECIMALS = 6


def measure_drift(sides: Sides, rubric: Rubric, margin: Fraction) -> Drift:
    """What two judges made of the same turns, one by one.

    The composite decides, or without one all dimensions together; a dimension or band that has drifted by itself makes
    the judge drifted as well.

    Args:
        sides: The turns under the old judge and under the new, in one order.
        rubric: By which the new judge was asked.
        margin: How far the composite may move, in points; a dimension may by the same part of its scale.
    """
    composite = measure_shift(sides, score_of, margin)
    of_scale = margin * rubric.scale.maximum / 100
    dimensions = tuple(
        Part(name=item.id, shift=measure_shift(sides, subscore_of(item.id), of_scale)) for item in rubric.dimensions
    )
    bands = tuple(Part(name=band.id, shift=_measure_band(sides, band.id, rubric, margin)) for band in rubric.bands)
    pairs = list(zip(sides.before, sides.after, strict=True))
    return Drift(
        state=_conclude(
            [composite] if rubric.has_composite else [part.shift for part in dimensions], dimensions + bands
        ),
        composite=composite,
        dimensions=dimensions,
        bands=bands,
        changed=_share_changed(keep_measured(sides, score_of)),
        kappa=_measure_kappa(keep_measured(sides, score_of), rubric),
        lost=sum(one.score is not None and other.score is None for one, other in pairs),
        gained=sum(one.score is None and other.score is not None for one, other in pairs),
    )


def measure_shift(sides: Sides, value: Value, margin: Fraction) -> Shift:
    """How far a figure moved, and whether that lies within the margin.

    Equivalent where the 90 % interval of the mean difference lies within the margin (Schuirmann 1987); drifted where
    the 95 % interval leaves out 0 and the mean is beyond the margin; else inconclusive. Variance and degrees of freedom
    are those of Bell and McCaffrey (2002).

    >>> turns = [BaselineTurn(id=str(n), score=Fraction(50)) for n in range(40)]
    >>> moved = [turn.model_copy(update={"score": Fraction(50 + n % 3)}) for n, turn in enumerate(turns)]
    >>> measure_shift(Sides(True, turns, moved), score_of, Fraction(3)).state
    'equivalent'

    Args:
        sides: The turns under the old judge and under the new, in one order.
        value: What is measured of a turn.
        margin: In the unit of that value, above 0.
    """
    measured = keep_measured(sides, value)
    pairs = zip(map(value, measured.before), map(value, measured.after), strict=True)
    differences = [after - before for before, after in pairs if before is not None and after is not None]
    mean = estimate_difference(measured.after, differences)
    if mean.low is None:
        return _decide_without(mean, differences, measured.after, margin)
    plain = [float(difference) for difference in differences]
    return _decide(_Test(plain, spread_of_mean(plain, choose_clusters(measured.after)[1]), float(margin)), mean, margin)


@dataclass(frozen=True, slots=True)
class _Test:
    """Differences with the spread of their mean, held against a margin."""

    differences: Sequence[float]
    spread: Spread
    margin: float

    @property
    def mean(self) -> float:
        return sum(self.differences) / len(self.differences)

    @property
    def error(self) -> float:
        return sqrt(self.spread.variance)

    def bounds(self, probability: float) -> tuple[float, float]:
        """The interval of the mean, by that quantile of t."""
        half = t_quantile(self.spread.df, probability) * self.error
        return self.mean - half, self.mean + half

    def state(self) -> State:
        """What the intervals say."""
        low, high = self.bounds(NARROW)
        if -self.margin < low and high < self.margin:
            return "equivalent"
        low, high = self.bounds(1 - LEVEL / 2)
        is_off = low > 0 or high < 0
        return "drifted" if is_off and abs(self.mean) > self.margin else "inconclusive"


def _decide(test: _Test, mean: Estimate, margin: Fraction) -> Shift:
    count, spread = len(test.differences), test.spread
    low, high = test.bounds(NARROW)
    is_few = count < LEAST
    return Shift(
        state="inconclusive" if is_few else test.state(),
        margin=margin,
        mean=mean,
        low_90=round(low, _DECIMALS),
        high_90=round(high, _DECIMALS),
        p_value=round(run_tost(test.mean, test.error, spread.df, test.margin).p_value, _DECIMALS),
        deviation=round(stdev(test.differences), _DECIMALS),
        power=round(equivalence_power(test.error, spread.df, test.margin), _DECIMALS),
        needed=values_needed(test.error * sqrt(count), test.margin, (spread.df + 1) / count),
        reason=f"fewer than {LEAST} turns decide nothing" if is_few else None,
    )


def _decide_without(
    mean: Estimate, differences: Sequence[Fraction], turns: Sequence[BaselineTurn], margin: Fraction
) -> Shift:
    """What differences say that have no interval: they are all equal, or of one unit, or there are none."""
    if len(differences) < LEAST or len(set(differences)) > 1:
        return Shift(state="inconclusive", margin=margin, mean=mean, reason=mean.undefined)
    units = len(set(choose_clusters(turns)[1]))
    state: State = "inconclusive"
    if abs(differences[0]) < margin and len(differences) >= IDENTICAL:
        state = "equivalent"
    elif abs(differences[0]) > margin and 2 * 0.5**units <= LEVEL:
        state = "drifted"
    unseen = f"{100 * unseen_mass(units):.1f} % could be different and be unseen in so few"
    return Shift(state=state, margin=margin, mean=mean, deviation=0.0, reason=f"{mean.undefined}; {unseen}")


def _measure_band(sides: Sides, band: str, rubric: Rubric, margin: Fraction) -> Shift:
    """The shift of the turns that were in a band under the old judge.

    Where readings have noise, turns that a first reading put into a band move toward the middle with the second, though
    nothing changed (regression to the mean). A drift must therefore show as well in turns that are chosen by both
    readings alike: by the middle of both scores, moved back by half the shift. Without a true shift these have none.
    """
    shift = measure_shift(_in_band(sides, band), score_of, margin)
    found = shift.mean.value
    if shift.state != "drifted" or found is None:
        return shift
    again = measure_shift(_around_band(sides, band, rubric, found), score_of, margin)
    if again.state == "drifted" and again.mean.value is not None and (again.mean.value > 0) == (found > 0):
        return shift
    return shift.model_copy(update={"state": "inconclusive", "reason": _NOISE})


def _around_band(sides: Sides, band: str, rubric: Rubric, shift: Fraction) -> Sides:
    """The turns whose scores have their middle, moved back by half the shift, in that band."""
    scored = keep_measured(sides, score_of)
    pairs = [
        (before, after)
        for before, after in zip(scored.before, scored.after, strict=True)
        if _middle_band(before, after, rubric, shift) == band
    ]
    return Sides(True, [before for before, _ in pairs], [after for _, after in pairs])


def _middle_band(before: BaselineTurn, after: BaselineTurn, rubric: Rubric, shift: Fraction) -> str:
    middle = ((before.score or 0) + (after.score or 0) - shift) / Fraction(2)
    return band_of(min(max(middle, Fraction(0)), Fraction(100)), rubric.bands).id


def _conclude(decisive: Sequence[Shift], parts: Sequence[Part]) -> State:
    """What follows from all shifts: any can show a drift, but only decisive ones that nothing has changed."""
    states = {shift.state for shift in decisive}
    if "drifted" in states or any(part.shift.state == "drifted" for part in parts):
        return "drifted"
    return "equivalent" if states == {"equivalent"} else "inconclusive"


def _in_band(sides: Sides, band: str) -> Sides:
    """The turns that were in that band under the old judge."""
    pairs = [pair for pair in zip(sides.before, sides.after, strict=True) if pair[0].band == band]
    return Sides(True, [before for before, _ in pairs], [after for _, after in pairs])


def _measure_kappa(scored: Sides, rubric: Rubric) -> Estimate:
    """How far the bands of both judges agree beyond chance, by Cohen's kappa."""
    bands = [band.id for band in reversed(rubric.bands)]
    before, after = ([turn.band or "" for turn in turns] for turns in (scored.before, scored.after))
    return to_estimate(measure_kappa(before, after, bands))


def _share_changed(scored: Sides) -> Estimate:
    pairs = zip(scored.before, scored.after, strict=True)
    return estimate_hits(scored.after, [before.band != after.band for before, after in pairs])
