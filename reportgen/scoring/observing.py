"""Readings -> a subscore: as it was given, and as it is used."""

from reportgen.model.rubric import Dimension
from reportgen.model.score import Subscore
from reportgen.model.turn import Turn
from reportgen.scoring.caps import FACTS
from reportgen.scoring.readings import Gathered

_NOT_APPLICABLE = "not applicable"


def observe_dimension(dimension: Dimension, turn: Turn, gathered: Gathered) -> Subscore:
    """The subscore as given and, on the scale, as used; what it weighs in a sum comes later."""
    observed = gathered.observed[dimension.id]
    given, used, note = observed.given, observed.used, None
    fact = dimension.not_applicable_when
    if fact and FACTS[fact](turn):
        note = _NOT_APPLICABLE if given is None else f"{_NOT_APPLICABLE}: {given} was given and is not used"
        used = None
    elif observed.off_scale:
        note = f"clamped from {', '.join(str(value) for value in observed.off_scale)}"
    samples = observed.samples if gathered.readings else None
    return Subscore(dimension=dimension.id, given=given, weight=dimension.weight, used=used, note=note, samples=samples)


def is_left_out(item: Subscore) -> bool:
    """Whether the dimension does not apply to the turn, by the rubric."""
    return (item.note or "").startswith(_NOT_APPLICABLE)
