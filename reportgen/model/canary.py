"""A canary: a made-up turn with a known right verdict, judged along with the real ones."""

from typing import Annotated

from pydantic import Field

from reportgen.model.rubric import Percent, Slug
from reportgen.model.turn import Turn
from reportgen.model.verdict import Category, Verdict
from reportgen.record import Exact, Record


class Expectation(Record):
    """What a judge that can be trusted says of a canary: one of these words, and a raw score in this range."""

    verdicts: Annotated[tuple[Category, ...], Field(min_length=1)]
    low: Percent
    high: Percent


class Canary(Record):
    """One canary with what the judge said of it; it is no turn of the run and enters no statistic.

    `raw` is the score before caps, since a cap would hide what the judge did. `passed` is None where the judge gave no
    usable reply, which shows nothing; `reason` says in a sentence why it passed, failed or shows nothing.
    """

    kind: Slug
    turn: Turn
    expects: Expectation
    verdicts: tuple[Verdict, ...] = ()
    raw: Exact | None = None
    passed: bool | None = None
    reason: str
