"""The difference of a share between two runs, such as that of poor turns."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from reportgen.analysis.comparison.changes import Change
from reportgen.analysis.comparison.sides import Sides, keep_measured, score_of
from reportgen.analysis.intervals import Interval, share_interval, wilson
from reportgen.analysis.spread import spread_of_mean, t_quantile, two_sided_p, z_quantile
from reportgen.analysis.units import choose_clusters
from reportgen.model.run import Estimate

Cells = tuple[int, int, int, int]

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Crossed:
    """Turns by whether they hit before and after: in both, only before, only after, in neither."""

    both: float
    only_before: float
    only_after: float
    neither: float

    @property
    def size(self) -> float:
        """How many there are in all."""
        return self.both + self.only_before + self.only_after + self.neither


def measure_share_change(sides: Sides, band: str) -> Change:
    """The change of the share of turns in a band, 0 to 1, among the scored turns."""
    scored = keep_measured(sides, score_of)
    before, after = ([turn.band == band for turn in side] for side in (scored.before, scored.after))
    difference, p_value = _pair(scored, before, after) if sides.paired else _contrast(scored, before, after)
    return Change(
        before=Fraction(sum(before), len(before)) if before else None,
        after=Fraction(sum(after), len(after)) if after else None,
        turns_before=len(before),
        turns_after=len(after),
        difference=difference,
        p_value=None if p_value is None else round(p_value, _DECIMALS),
    )


def newcombe_paired(turns: Crossed, quantile: float | None = None) -> tuple[float, float]:
    """95 % interval for the difference of two shares of the same turns, after minus before.

    Newcombe (1998), Statistics in Medicine 17:2635, method 10: Wilson's intervals of both shares, joined by squares
    with the correlation phi of the two answers.

    The example is of two turns that agree: contingencytables::Newcombe_square_and_add_CI_paired_2x2 in R.

    >>> [round(bound, 4) for bound in newcombe_paired(Crossed(1, 0, 0, 1))]
    [-0.5734, 0.5734]

    Args:
        turns: How many turns, at least one in all; fractions of turns where clusters make them count for less.
        quantile: In place of that of the normal distribution.
    """
    first, second = (turns.both + turns.only_before) / turns.size, (turns.both + turns.only_after) / turns.size
    z = z_quantile() if quantile is None else quantile
    one, other = (wilson(share, turns.size, z, 0.0, 0) for share in (first, second))
    phi = _phi(turns)
    return _square_and_add((first, one.low, one.high), (second, other.low, other.high), phi)


def newcombe_unpaired(before: tuple[float, Interval], after: tuple[float, Interval]) -> tuple[float, float]:
    """The same for shares of different turns, each with its Wilson interval. Newcombe (1998), 17:873, method 10.

    The example, 56 of 70 and 48 of 80, is that of the paper.

    >>> sides = [(hits / size, share_interval([True] * hits + [False] * (size - hits), range(size)))
    ...     for hits, size in ((48, 80), (56, 70))]
    >>> [round(bound, 4) for bound in newcombe_unpaired(*sides)]
    [0.0524, 0.3339]
    """
    (first, one), (second, other) = before, after
    return _square_and_add((first, one.low, one.high), (second, other.low, other.high), 0.0)


def mcnemar(only_before: int, only_after: int) -> tuple[float, float] | None:
    """McNemar's test of a change in a share of the same turns: the exact p-value, and mid-P, which is less cautious.

    None where no turn changed. Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13:91.

    The example is contingencytables::McNemar_midP_test_paired_2x2 in R, on the data of Cavo et al. (2012).

    >>> [round(p_value, 6) for p_value in mcnemar(6, 16)]
    [0.052479, 0.03469]
    """
    from scipy.special import bdtr

    changed, fewer = only_before + only_after, min(only_before, only_after)
    if not changed:
        return None
    up_to, at = float(bdtr(fewer, changed, 0.5)), _binomial(fewer, changed)
    if only_before == only_after:
        return 1.0, 1 - at / 2
    return min(1.0, 2 * up_to), 2 * up_to - at


def _binomial(hits: int, size: int) -> float:
    from scipy.special import bdtr

    below = float(bdtr(hits - 1, size, 0.5)) if hits else 0.0
    return float(bdtr(hits, size, 0.5)) - below


def _phi(turns: Crossed) -> float:
    margins = (
        (turns.both + turns.only_before)
        * (turns.only_after + turns.neither)
        * (turns.both + turns.only_after)
        * (turns.only_before + turns.neither)
    )
    if margins <= 0:
        return 0.0
    product = turns.both * turns.neither - turns.only_before * turns.only_after
    return (max(product - turns.size / 2, 0.0) if product > 0 else product) / sqrt(margins)


def _square_and_add(
    before: tuple[float, float, float], after: tuple[float, float, float], phi: float
) -> tuple[float, float]:
    """The bounds from both shares, each with its own bounds."""
    (first, low_first, high_first), (second, low_second, high_second) = before, after
    down = _join(second - low_second, high_first - first, phi)
    up = _join(high_second - second, first - low_first, phi)
    return max(second - first - down, -1.0), min(second - first + up, 1.0)


def _join(one: float, other: float, phi: float) -> float:
    return sqrt(max(one**2 - 2 * phi * one * other + other**2, 0.0))


def _pair(sides: Sides, before: Sequence[bool], after: Sequence[bool]) -> tuple[Estimate, float | None]:
    """The difference with its interval and its p-value, for the same turns in the same order."""
    size = len(after)
    if not size:
        return Estimate(n=0, undefined="no turn has both scores"), None
    by, clusters = choose_clusters(sides.after)
    plain = Estimate(value=Fraction(sum(after) - sum(before), size), n=size, by=by)
    count, crossed = len(set(clusters)), _cross(before, after)
    if count == size:
        tested = mcnemar(crossed[1], crossed[2])
        return _bound(plain, newcombe_paired(Crossed(*crossed)), count, size - 1.0), tested[1] if tested else None
    if count == 1:
        return plain.model_copy(update={"undefined": f"one {by} gives no interval"}), None
    differences = [float(second) - float(first) for first, second in zip(before, after, strict=True)]
    return _pair_clustered(plain, differences, clusters, crossed)


def _pair_clustered(
    plain: Estimate, differences: Sequence[float], clusters: Sequence[Hashable], crossed: Cells
) -> tuple[Estimate, float | None]:
    """Turns count for as many as would give the clustered variance, and t takes the place of z and of mid-P."""
    count = len(set(clusters))
    if min(differences) == max(differences):
        shrunk = Crossed(*(cell * count / plain.n for cell in crossed))
        return _bound(plain, newcombe_paired(shrunk), count, count - 1.0), None
    spread, alone = spread_of_mean(differences, clusters), spread_of_mean(differences, range(plain.n))
    design = max(spread.variance / alone.variance, 1.0)
    bounds = newcombe_paired(Crossed(*(cell / design for cell in crossed)), t_quantile(spread.df))
    p_value = two_sided_p(float(plain.value or 0) / sqrt(spread.variance), spread.df)
    return _bound(plain, bounds, count, spread.df), p_value


def _cross(before: Sequence[bool], after: Sequence[bool]) -> Cells:
    counts = Counter(zip(before, after, strict=True))
    return counts[True, True], counts[True, False], counts[False, True], counts[False, False]


def _contrast(sides: Sides, before: Sequence[bool], after: Sequence[bool]) -> tuple[Estimate, float | None]:
    """The same for different turns; whether the interval holds 0 is the only test, so that there is no p-value."""
    for side, which in ((before, "the baseline"), (after, "this run")):
        if not side:
            return Estimate(n=0, undefined=f"no turn of {which} was scored"), None
    shares = Fraction(sum(before), len(before)), Fraction(sum(after), len(after))
    by, clusters = choose_clusters(sides.after)
    plain = Estimate(value=shares[1] - shares[0], n=len(after), by=by)
    one, other = share_interval(before, choose_clusters(sides.before)[1]), share_interval(after, clusters)
    if one is None or other is None:
        return plain.model_copy(update={"undefined": "one side has a single unit, which gives no interval"}), None
    bounds = newcombe_unpaired((float(shares[0]), one), (float(shares[1]), other))
    return _bound(plain, bounds, min(one.clusters, other.clusters), None), None


def _bound(plain: Estimate, bounds: tuple[float, float], clusters: int, df: float | None) -> Estimate:
    low, high = (round(bound, _DECIMALS) for bound in bounds)
    freedom = None if df is None else round(df, _DECIMALS)
    return plain.model_copy(update={"low": low, "high": high, "clusters": clusters, "df": freedom})
