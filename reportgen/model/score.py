"""A score: the whole arithmetic of one turn, line by line, in exact numbers."""

from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.verdict import Category, Number, Outcome
from reportgen.record import Exact, Record

FORMAT: Final = "reportgen/score/1"


class Subscore(Record):
    """One dimension of one turn.

    `given` is what the judge said, `used` what went into the sum. `effective_weight` is the share of the weight after
    renormalising (0 to 1), `contribution` what it adds to the raw score (0 to 100). `note` says why the used value
    differs from the given one or is absent. Where the turn was read several times, `samples` are the subscores of
    the single readings and `given` is their median.
    """

    dimension: str
    given: Number | None = None
    used: Exact | None = None
    weight: int
    effective_weight: Exact | None = None
    contribution: Exact | None = None
    note: str | None = None
    failure: str | None = None
    """Where each dimension is a metric of its own: the outcome of the judge call that gave none, such as `refused`."""
    samples: tuple[Number | None, ...] | None = None


class Readings(Record):
    """How often one turn was read: by one judge several times, or by the judges of a panel.

    Of `asked` readings `usable` gave subscores; `failures` counts the others by their outcome.
    """

    by: Literal["samples", "judges"]
    asked: Annotated[int, Field(ge=2)]
    usable: Annotated[int, Field(ge=0)]
    failures: dict[Outcome | Literal["missing"], int] = {}


class AppliedCap(Record):
    """A cap whose fact holds for the turn; `lowered` says whether it changed the score."""

    id: str
    ceiling: int
    lowered: bool


class Score(Record):
    """The score of one turn, 0 to 100, or the reason why it has none.

    By a rubric without a composite no turn has one: its subscores stand alone, and `unscored` says that a judge call
    failed.
    """

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
    readings: Readings | None = None
    """None where the turn was read once."""
