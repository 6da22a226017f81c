"""Agreement of ratings for a terminal, or as JSON."""

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from reportgen.analysis.calibration.agreement import CategoryAgreement, ValueAgreement
from reportgen.analysis.calibration.ceiling import Ceiling
from reportgen.analysis.calibration.coefficients import Coefficient
from reportgen.analysis.calibration.ratings import RatingsAgreement
from reportgen.publishing.agreement_figures import (
    print_coefficient,
    print_coefficient_interval,
    print_distance,
    print_distance_interval,
    print_part,
    print_part_interval,
)
from reportgen.publishing.printing import plural, print_count
from reportgen.publishing.text import shorten

_NAME_SHOWN = 40


def agreement_data(found: RatingsAgreement) -> dict[str, Any]:
    """The agreement as plain JSON values."""
    plain = TypeAdapter(RatingsAgreement).dump_python(found, mode="json")
    return {"format": "reportgen/agreement/1", **plain}


def render_agreement(found: RatingsAgreement) -> Iterator[str]:
    """The lines of the agreement of ratings, with plain spaces."""
    return (line.replace("\u00a0", " ") for line in _render(found))


def _render(found: RatingsAgreement) -> Iterator[str]:
    yield f"{_name(found.judge)} against {_name(found.reference)}: {plural(found.both, 'unit')} rated by both"
    alone = print_count(found.only_judge), print_count(found.only_reference)
    yield f"only by the judge {alone[0]}, only by the reference {alone[1]}"
    if found.no_majority:
        yield f"left out: {plural(found.no_majority, 'unit')} without a majority"
    for why, counts in (("not applicable", found.not_applicable), ("off the scale", found.off_scale)):
        for rater, values in counts.items():
            said = ", ".join(f"{_name(value) or '(empty)'} {print_count(count)}" for value, count in values.items())
            yield f"left out, {why}: {_name(rater)}: {said}"
    yield from render_table(found.categories, found.scale)
    yield from render_categories(found.categories, ordered=found.ordered)
    if found.values is not None:
        yield from render_values(found.values)
    if found.ceiling is not None:
        yield from render_ceiling(found.ceiling)


def render_table(
    found: CategoryAgreement, scale: tuple[str, ...], title: str = "judge by line, reference by column"
) -> Iterator[str]:
    """The confusion matrix."""
    names = [_name(category) for category in scale]
    width = max(8, *(len(name) + 2 for name in names))
    yield ""
    yield title.ljust(36) + "".join(name.rjust(width) for name in names)
    for category, name in zip(scale, names, strict=True):
        cells = (print_count(found.table[category][other]).rjust(width) for other in scale)
        yield name.rjust(36) + "".join(cells)
    yield ""


def render_categories(found: CategoryAgreement, *, ordered: bool = True) -> Iterator[str]:
    """The figures of agreement on categories; without those that an order is needed for, where there is none."""
    yield _line("same category", print_part(found.agreement), print_part_interval(found.agreement))
    yield _coefficient("kappa", found.kappa)
    if ordered:
        yield _coefficient("kappa, linear weights", found.kappa_linear)
        yield _coefficient("kappa, quadratic weights", found.kappa_quadratic)
        yield _coefficient("alpha, ordinal", found.alpha)
    yield _coefficient("AC1", found.ac1)
    if ordered:
        band, low, high = found.detection.band, found.detection.sensitivity, found.detection.specificity
        yield _line(f"sensitivity for {_name(band)}", print_part(low), print_part_interval(low))
        yield _line(f"specificity for {_name(band)}", print_part(high), print_part_interval(high))


def render_values(found: ValueAgreement) -> Iterator[str]:
    """The figures of agreement on numbers."""
    yield _coefficient("rho", found.rho)
    yield _coefficient("alpha, interval", found.alpha)
    bias = found.bias
    yield _line("judge less reference", print_distance(bias.mean.value, 2), print_distance_interval(bias.mean, 2))
    if bias.lower_limit is not None and bias.upper_limit is not None:
        limits = f"{print_distance(bias.lower_limit, 2)} to {print_distance(bias.upper_limit, 2)}"
        yield _line("limits of agreement", limits, "95 of 100 differences")


def render_ceiling(found: Ceiling) -> Iterator[str]:
    """How far people agree among themselves."""
    yield ""
    mean = print_coefficient(Coefficient(found.kappa))
    yield f"people among themselves ({len(found.raters)} raters, {plural(found.units, 'unit')} rated twice or more)"
    yield _line("mean kappa of their pairs", mean, plural(len(found.pairs), "pair"))
    yield _coefficient("alpha", found.alpha)


def _coefficient(name: str, found: Coefficient) -> str:
    return _line(name, print_coefficient(found, 3), print_coefficient_interval(found, 3))


def _line(name: str, value: str, interval: str) -> str:
    return f"  {name:<28}{value:>10}   {interval}"


def _name(text: str) -> str:
    return str(shorten(text, _NAME_SHOWN))
