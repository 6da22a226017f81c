"""Labels on whole turns -> what the review of the weights needs of them."""

from collections.abc import Sequence
from fractions import Fraction

from reportgen.analysis.calibration.sides import mean_subscores
from reportgen.analysis.calibration.weight_review import ReviewedTurn, WeightReview, review_weights
from reportgen.analysis.exact import total_of
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.units import choose_clusters
from reportgen.model.calibration import CalibrationPair
from reportgen.model.rubric import Rubric


def review_pairs(pairs: Sequence[CalibrationPair], rows: Sequence[TurnRow], rubric: Rubric) -> WeightReview:
    """Whether people's bands for whole turns contradict the weights by which their subscores are added up.

    Only turns without a cap, with a subscore of each dimension and a band for the whole enter: a score that people's
    subscores give follows from the weights and says nothing of them.

    Args:
        pairs: All labelled turns.
        rows: All turns of the run, for what they depend on one another by.
        rubric: That of the run.
    """
    clusters = _name_clusters(rows)
    turns = [turn for pair in pairs if (turn := _review(pair, clusters[pair.turn], rubric)) is not None]
    return review_weights(turns, {item.id: item.weight for item in rubric.dimensions})


def _review(pair: CalibrationPair, cluster: str, rubric: Rubric) -> ReviewedTurn | None:
    overall = [_middle(verdict.overall, rubric) for verdict in pair.people if verdict.overall is not None]
    means = [mean_subscores(pair, item.id) for item in rubric.dimensions]
    given = [mean for mean in means if mean is not None]
    if pair.ceilings or not overall or len(given) < len(means):
        return None
    subscores = tuple(float(mean / rubric.scale.maximum) for mean in given)
    return ReviewedTurn(cluster, subscores, float(total_of(overall) / len(overall)))


def _middle(band: str, rubric: Rubric) -> Fraction:
    """The middle of the scores of a band."""
    above = 100
    for item in rubric.bands:
        if item.id == band:
            return Fraction(item.at_least + above, 2)
        above = item.at_least
    return Fraction(50)


def _name_clusters(rows: Sequence[TurnRow]) -> dict[str, str]:
    """For each turn the name of what it depends on others by, which the folds follow from."""
    by, numbers = choose_clusters(rows)
    first: dict[int, str] = {}
    for row, number in zip(rows, numbers, strict=True):
        client = row.labels.get("client", "")
        name = client if by == "client" else f"{client}/{row.conversation}" if row.conversation else row.id
        first.setdefault(number, name)
    return {row.id: first[number] for row, number in zip(rows, numbers, strict=True)}
