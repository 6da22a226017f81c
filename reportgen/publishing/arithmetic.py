"""How the score of one turn came about, line by line, ready for the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model.rubric import Rubric
from reportgen.model.score import AppliedCap, Score, Subscore
from reportgen.publishing.printing import NONE, print_exact, print_given, print_score

_TIMES = "\u00d7"


@dataclass(frozen=True, slots=True)
class Line:
    """One dimension: what was given, what was used, and what it adds."""

    dimension: str
    given: str
    used: str
    weight: str
    effective: str
    contribution: str
    note: str | None


@dataclass(frozen=True, slots=True)
class CapLine:
    """A cap whose fact holds, and what it did to the score."""

    id: str
    ceiling: str
    sentence: str
    effect: str


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The whole way from subscores to band.

    `formula` is the weighted mean in one line, `rounded` says whether the printed score is not the exact one.
    """

    lines: tuple[Line, ...]
    formula: str
    raw: str
    caps: tuple[CapLine, ...]
    exact: str
    printed: str
    rounded: bool
    band: str
    band_rule: str


def build_arithmetic(score: Score, rubric: Rubric) -> Arithmetic | None:
    """The arithmetic of a scored turn; None for an unscored one."""
    if score.raw is None or score.score is None or score.band is None:
        return None
    return Arithmetic(
        lines=tuple(_line(item, rubric) for item in score.subscores),
        formula=_formula(score.subscores, rubric),
        raw=print_exact(score.raw),
        caps=build_cap_lines(score, rubric),
        exact=print_exact(score.score),
        printed=print_score(score.score, rubric),
        rounded=Fraction(print_score(score.score, rubric)) != score.score,
        band=score.band,
        band_rule=_band_rule(score.band, rubric),
    )


def _line(item: Subscore, rubric: Rubric) -> Line:
    weight = None if item.effective_weight is None else 100 * item.effective_weight
    return Line(
        dimension=rubric.dimension(item.dimension).name,
        given=print_given(item.given),
        used=print_exact(item.used),
        weight=f"{item.weight}\u00a0%",
        effective=NONE if weight is None else f"{print_exact(weight)}\u00a0%",
        contribution=print_exact(item.contribution),
        note=item.note,
    )


def _formula(subscores: Sequence[Subscore], rubric: Rubric) -> str:
    observed = [(item.weight, item.used) for item in subscores if item.used is not None]
    top = " + ".join(f"{weight} {_TIMES} {print_exact(used)}" for weight, used in observed)
    total = sum(weight for weight, _ in observed)
    raw = sum((100 * weight * used for weight, used in observed), Fraction(0)) / (total * rubric.scale.maximum)
    printed = print_exact(raw)
    equals = "" if printed.startswith("≈") else "= "
    return f"100 {_TIMES} ({top}) ÷ ({rubric.scale.maximum} {_TIMES} {total}) {equals}{printed}"


def build_cap_lines(score: Score, rubric: Rubric) -> tuple[CapLine, ...]:
    """The caps whose fact holds for the turn, in the rubric's order."""
    sentences = {cap.id: cap.sentence for cap in rubric.caps}
    return tuple(
        CapLine(cap.id, str(cap.ceiling), sentences.get(cap.id, ""), _effect(cap, score)) for cap in score.caps
    )


def _effect(cap: AppliedCap, score: Score) -> str:
    if score.raw is None:
        return "holds; there is no score to lower"
    return f"lowers the score to {cap.ceiling}" if cap.lowered else "holds; the score is not above it"


def _band_rule(band_id: str, rubric: Rubric) -> str:
    above: int | None = None
    for band in rubric.bands:
        if band.id == band_id:
            upper = "100" if above is None else f"below {above}"
            return f"from {band.at_least} to {upper}"
        above = band.at_least
    return ""
