"""The pairs of a calibration as two sides: the judge's bands and scores, and those of people taken together."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.calibration.design import Design, build_design
from reportgen.analysis.exact import total_of
from reportgen.model.calibration import CalibrationPair
from reportgen.model.rubric import Rubric
from reportgen.scoring.bands import band_of


@dataclass(frozen=True, slots=True)
class Both:
    """One turn: the judge's score and band, and those of people; their score is None where they gave only bands."""

    turn: str
    judge: Fraction
    judge_band: str
    people: Fraction | None
    people_band: str
    labellers: int


def take_sides(pairs: Sequence[CalibrationPair], rubric: Rubric) -> list[Both]:
    """Each turn with people taken together: the mean of their scores and its band, or the median of their bands."""
    return [_take(pair, rubric) for pair in pairs]


def _take(pair: CalibrationPair, rubric: Rubric) -> Both:
    scores = [verdict.score for verdict in pair.people if verdict.score is not None]
    people = total_of(scores) / len(scores) if scores else None
    band = band_of(people, rubric.bands).id if people is not None else middle_band(pair, rubric)
    return Both(pair.turn, pair.judge_score, pair.judge_band, people, band, len(pair.people))


def middle_band(pair: CalibrationPair, rubric: Rubric) -> str:
    """The median of the bands that people gave, of an even number the lower of the two in the middle."""
    order = ascending_bands(rubric)
    ranks = sorted(order.index(verdict.band) for verdict in pair.people)
    return order[ranks[(len(ranks) - 1) // 2]]


def ascending_bands(rubric: Rubric) -> tuple[str, ...]:
    """The bands, lowest first."""
    return tuple(band.id for band in reversed(rubric.bands))


def design_of(pairs: Sequence[CalibrationPair], every: Sequence[CalibrationPair] = ()) -> Design:
    """How these turns were drawn; those of `every` that are none of them are stood for by the others of a stratum."""
    own = [float(pair.weight) for pair in pairs]
    if len(every) > len(pairs):
        wanted, held = _by_stratum(every), _by_stratum(pairs)
        own = [float(pair.weight * wanted[pair.stratum] / held[pair.stratum]) for pair in pairs]
    return build_design([pair.stratum for pair in pairs], own)


def _by_stratum(pairs: Sequence[CalibrationPair]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for pair in pairs:
        sums[pair.stratum] = sums.get(pair.stratum, Fraction(0)) + pair.weight
    return sums


def inapplicable(pair: CalibrationPair, rubric: Rubric) -> frozenset[str]:
    """The dimensions that the facts of the turn take out, which are those that have no subscore in its score."""
    return frozenset(item.id for item in rubric.dimensions if pair.judge_subscores.get(item.id) is None)


def mean_subscores(pair: CalibrationPair, dimension: str) -> Fraction | None:
    """The mean of people's subscores of a dimension, of those who gave one; None where nobody did."""
    given = [value for verdict in pair.people if (value := verdict.subscores.get(dimension)) is not None]
    return total_of(given) / len(given) if given else None
