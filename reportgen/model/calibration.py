"""A calibration: a judge's scores beside those of people on the same turns, from which all agreement is computed."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from reportgen.model.derivation import Count, Digest
from reportgen.model.rubric import Percent
from reportgen.model.turn import Name
from reportgen.model.verdict import Category
from reportgen.record import Exact, Moment, Record

FORMAT: Final = "reportgen/calibration/1"

GateState = Literal["pass", "provisional", "fail", "not-estimable"]
"""Whether the judge agrees well enough with people, as far as the labels tell."""

Positive = Annotated[int, Field(ge=1)]


class HumanVerdict(Record):
    """What one labeller made of a turn.

    `labeller` is a number from 1 on, since who it was stands with the labels and is not published. `subscores` hold
    None for a dimension that does not apply. `score` follows from them by the rubric, with the caps of the turn; None
    where the labeller did not give all of them. `band` is that of the score, or without one what the labeller gave the
    whole turn, which is `overall`.
    """

    labeller: Positive
    subscores: dict[Name, Exact | None] = {}
    score: Exact | None = None
    overall: Category | None = None
    band: Category


class CalibrationPair(Record):
    """One turn with what the judge and what people made of it.

    `stratum` is the place of its stratum in the calibration, from 0; `weight` says how many scored turns it stands for
    as one of production. `ceilings` are those of all caps whose fact holds for it.
    """

    turn: Name
    stratum: Count
    weight: Exact
    judge_score: Exact
    judge_band: Category
    judge_subscores: dict[Name, Exact | None]
    ceilings: tuple[Percent, ...] = ()
    people: Annotated[tuple[HumanVerdict, ...], Field(min_length=1)]


class CalibrationStratum(Record):
    """A stratum of the labelled turns: how many scored turns it stands for, and how many of it were labelled."""

    band: Category | None = None
    population: Exact
    labelled: Count


class Calibration(Record):
    """A run's judge beside people, as of the labels that stood then.

    `drawn` says that the labelled turns are those of a calibration sample, so that they can be weighted back to
    production. `left_out` counts labels that could not be used, by the reason.
    """

    format: Literal["reportgen/calibration/1"] = FORMAT
    seal: Digest
    rubric: Digest
    made_at: Moment
    program: str
    drawn: bool
    labellers: Positive
    strata: Annotated[tuple[CalibrationStratum, ...], Field(min_length=1)]
    pairs: Annotated[tuple[CalibrationPair, ...], Field(min_length=1)]
    left_out: dict[str, Positive] = {}

    @model_validator(mode="after")
    def _check_pairs(self) -> Self:
        counts = [0] * len(self.strata)
        for pair in self.pairs:
            if pair.stratum >= len(counts):
                raise ValueError(f"turn {pair.turn} is of stratum {pair.stratum}, and there are {len(counts)}")
            if pair.weight <= 0:
                raise ValueError(f"turn {pair.turn} stands for nothing")
            counts[pair.stratum] += 1
        if counts != [stratum.labelled for stratum in self.strata]:
            raise ValueError("strata: not as many turns are labelled as they say")
        if len({pair.turn for pair in self.pairs}) < len(self.pairs):
            raise ValueError("pairs: a turn stands there twice")
        return self
