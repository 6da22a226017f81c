"""All figures of agreement between two who judged the same turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.calibration.bias import Bias, measure_bias
from reportgen.analysis.calibration.coefficients import Coefficient, no_figure, to_stored
from reportgen.analysis.calibration.design import Design
from reportgen.analysis.calibration.kappa import cross, measure_kappa
from reportgen.analysis.calibration.many_raters import measure_alpha, measure_gwet
from reportgen.analysis.calibration.ranks import measure_rho
from reportgen.analysis.calibration.shares import Detection, measure_detection, measure_share


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """Agreement on ordered categories.

    `table[one][other]` counts turns, never weighted. `agreement` is the share of turns that got the same category.
    `detection` is for the lowest category.
    """

    n: int
    table: dict[str, dict[str, int]]
    agreement: Coefficient
    kappa: Coefficient
    kappa_linear: Coefficient
    kappa_quadratic: Coefficient
    ac1: Coefficient
    alpha: Coefficient
    detection: Detection


@dataclass(frozen=True, slots=True)
class ValueAgreement:
    """Agreement on numbers: rank correlation, bias with limits of agreement, Krippendorff's alpha for intervals."""

    n: int
    rho: Coefficient
    bias: Bias
    alpha: Coefficient


def compare_categories(
    ones: Sequence[str], others: Sequence[str], categories: Sequence[str], design: Design | None = None
) -> CategoryAgreement:
    """How two agree on categories.

    Args:
        ones: What the one gave each turn, such as the judge.
        others: What the other gave it, such as people, in the same order.
        categories: All categories, lowest first.
        design: How the turns were drawn; None where each stands for itself.
    """
    table = cross(ones, others, categories).astype(int).tolist()
    place = {category: float(number) for number, category in enumerate(categories)}
    units = [(place[one], place[other]) for one, other in zip(ones, others, strict=True)]
    same = [one == other for one, other in zip(ones, others, strict=True)]
    found = measure_detection(ones, others, categories[0], design)
    return CategoryAgreement(
        n=len(units),
        table={one: dict(zip(categories, line, strict=True)) for one, line in zip(categories, table, strict=True)},
        agreement=measure_share(same, None, design, "no turn has both").rounded(),
        kappa=measure_kappa(ones, others, categories, "nominal", design).rounded(),
        kappa_linear=measure_kappa(ones, others, categories, "linear", design).rounded(),
        kappa_quadratic=measure_kappa(ones, others, categories, "quadratic", design).rounded(),
        ac1=(measure_gwet(units, list(place.values()), "nominal", design) if units else _nothing()).rounded(),
        alpha=measure_alpha(units, "ordinal", design).rounded(),
        detection=Detection(found.band, found.sensitivity.rounded(), found.specificity.rounded()),
    )


def compare_values(ones: Sequence[float], others: Sequence[float], design: Design | None = None) -> ValueAgreement:
    """How two agree on numbers; likewise."""
    if not ones:
        return ValueAgreement(0, _nothing(), Bias(_nothing(), None, None, None), _nothing())
    bias = measure_bias([one - other for one, other in zip(ones, others, strict=True)], design)
    limits = (to_stored(bias.deviation), to_stored(bias.lower_limit), to_stored(bias.upper_limit))
    return ValueAgreement(
        n=len(ones),
        rho=measure_rho(ones, others, design).rounded(),
        bias=Bias(bias.mean.rounded(), *limits),
        alpha=measure_alpha(list(zip(ones, others, strict=True)), "interval", design).rounded(),
    )


def _nothing() -> Coefficient:
    return no_figure(0, "no turn has both")
