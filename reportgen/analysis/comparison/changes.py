"""The difference of a mean between two runs, turn by turn or between two periods."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.analysis.against_rest import LEVEL
from reportgen.analysis.comparison.sides import Sides, Value, keep_measured, mean_of
from reportgen.analysis.contrasts import Side, contrast_means, side_of
from reportgen.analysis.estimates import estimate_difference
from reportgen.analysis.multiplicity import adjust_holm
from reportgen.analysis.spread import POWER, t_quantile, two_sided_p, unseen_mass
from reportgen.analysis.units import choose_clusters
from reportgen.model.revision import BaselineTurn
from reportgen.model.run import Estimate
from reportgen.record import Exact

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Change:
    """One figure in both runs, and its difference: after minus before.

    `detectable` is the smallest true difference that a comparison like this one finds in four of five cases; None
    without an interval. `p_value` is corrected for how many figures of its kind there are. `differs` says that it is at
    most 0.05. `unseen` stands only where every compared turn is the same in both: the largest share of turns, 0 to 1,
    that could differ all the same.
    """

    before: Exact | None
    after: Exact | None
    turns_before: int
    turns_after: int
    difference: Estimate
    detectable: float | None = None
    p_value: float | None = None
    differs: bool = False
    unseen: float | None = None


def measure_change(sides: Sides, value: Value, top: int = 100) -> Change:
    """The change of a mean.

    Paired, it is the mean of the differences with the CR2 variance and the degrees of freedom of Bell and McCaffrey
    (2002), without clusters the paired t interval; where all differences are one and the same, there is no interval and
    the p-value is that of the sign test. Unpaired, it is the difference of two means after Welch.

    Args:
        sides: The turns of both runs.
        value: What is measured of a turn, 0 to `top`.
        top: The upper end of its scale.
    """
    measured = keep_measured(sides, value)
    change = _pair(measured, value) if sides.paired else _contrast(measured, value, top)
    p_value, detectable = weigh(change.difference)
    return change if p_value is None else replace(change, p_value=p_value, detectable=detectable)


def weigh(difference: Estimate) -> tuple[float | None, float | None]:
    """How likely a difference is by chance alone, and the smallest one that would be found with 80 % power.

    Both follow from the interval, which is that of t around the difference; None where there is none.

    >>> from fractions import Fraction
    >>> found = weigh(Estimate(value=Fraction(5, 2), low=0.445739, high=4.554261, n=4, df=3.0))
    >>> [round(item, 4) for item in found]
    [0.0305, 2.6859]
    """
    if difference.low is None or difference.high is None or difference.df is None or difference.value is None:
        return None, None
    quantile = t_quantile(difference.df)
    error = (difference.high - difference.low) / 2 / quantile
    if error <= 0:
        return None, None
    p_value = two_sided_p(float(difference.value) / error, difference.df)
    detectable = (quantile + t_quantile(difference.df, POWER)) * error
    return round(p_value, _DECIMALS), round(detectable, _DECIMALS)


def mark_family(changes: Sequence[Change], least: float = 0) -> tuple[Change, ...]:
    """The changes of one family, their p-values after Holm, and those marked that differ.

    Args:
        changes: All of one kind, such as those of all values of a label.
        least: A difference of less than this is not marked.
    """
    adjusted = adjust_holm([change.p_value for change in changes])
    return tuple(_mark(change, p_value, least) for change, p_value in zip(changes, adjusted, strict=True))


def _mark(change: Change, p_value: float | None, least: float) -> Change:
    if p_value is None or change.difference.value is None:
        return change
    differs = p_value <= LEVEL and abs(change.difference.value) >= least
    return replace(change, p_value=round(p_value, _DECIMALS), differs=differs)


def _pair(sides: Sides, value: Value) -> Change:
    """The change without what follows from its interval."""
    pairs = zip(map(value, sides.before), map(value, sides.after), strict=True)
    differences = [second - first for first, second in pairs if first is not None and second is not None]
    change = _state(sides, value, estimate_difference(sides.after, differences))
    if len(set(differences)) != 1:
        return change
    units = len(set(choose_clusters(sides.after)[1]))
    if not differences[0]:
        return replace(change, unseen=round(unseen_mass(units), _DECIMALS))
    return change if units < 2 else replace(change, p_value=round(2 * 0.5**units, _DECIMALS))


def _contrast(sides: Sides, value: Value, top: int) -> Change:
    """The same for different turns."""
    for turns, which in ((sides.before, "the baseline"), (sides.after, "this run")):
        if not turns:
            return _state(sides, value, Estimate(n=0, undefined=f"no turn of {which} has such a figure"))
    (by, after), (_, before) = (_side(turns, value, top) for turns in (sides.after, sides.before))
    assert after is not None
    assert before is not None
    found, change = contrast_means(after, before), _state(sides, value, Estimate(n=len(sides.after), by=by))
    difference = change.difference.model_copy(update={"value": (change.after or 0) - (change.before or 0)})
    if found.low is None or found.high is None or found.df is None or after.spread is None or before.spread is None:
        why = f"a single {by.split(' or ')[0]} on one side gives no interval"
        return replace(change, difference=difference.model_copy(update={"undefined": why}))
    bounds = {
        "low": round(found.low * top / 100, _DECIMALS),
        "high": round(found.high * top / 100, _DECIMALS),
        "clusters": min(after.spread.clusters, before.spread.clusters),
        "df": round(found.df, _DECIMALS),
    }
    return replace(change, difference=difference.model_copy(update=bounds))


def _state(sides: Sides, value: Value, difference: Estimate) -> Change:
    counts = len(sides.before), len(sides.after)
    return Change(mean_of(sides.before, value), mean_of(sides.after, value), *counts, difference)


def _side(turns: Sequence[BaselineTurn], value: Value, top: int) -> tuple[str, Side | None]:
    """What one side takes as independent, and its mean on a scale to 100."""
    by, clusters = choose_clusters(turns)
    return by, side_of([float(found * 100 / top) for turn in turns if (found := value(turn)) is not None], clusters)
