"""A score: the whole arithmetic of one turn, line by line, in exact numbers."""

from typing import Final, Literal

from reportgen.model.verdict import Category, Number
from reportgen.record import Exact, Record

FORMAT: Final = "reportgen/score/1"


class Subscore(Record):
    """One dimension of one turn.

    `given` is what the judge said, `used` what went into the sum. `effective_weight` is the share of the weight after
    renormalising (0 to 1), `contribution` what it adds to the raw score (0 to 100). `note` says why the used value
    differs from the given one or is absent.
    """

    dimension: str
    given: Number | None = None
    used: Exact | None = None
    weight: int
    effective_weight: Exact | None = None
    contribution: Exact | None = None
    note: str | None = None


class AppliedCap(Record):
    """A cap whose fact holds for the turn; `lowered` says whether it changed the score."""

    id: str
    ceiling: int
    lowered: bool


class Score(Record):
    """The score of one turn, 0 to 100, or the reason why it has none."""

    format: Literal["reportgen/score/1"] = FORMAT
    turn: str
    judge: str
    rubric: str
    subscores: tuple[Subscore, ...] = ()
    raw: Exact | None = None
    caps: tuple[AppliedCap, ...] = ()
    score: Exact | None = None
    band: Category | None = None
    verdict: Category | None = None
    agrees: bool | None = None
    unscored: str | None = None
    """Why the turn has no score: an outcome of the judge, such as `refused`."""
    reason: str | None = None
    """The same in a sentence."""
