"""What the figures need of each turn; everything else stays on disk."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Protocol

from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.score import Score
from reportgen.model.turn import Drawn, Latency
from reportgen.scoring.metrics import score_alone


class Grouped(Protocol):
    """A turn as far as it depends on others: by its labels and its conversation."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def labels(self) -> Mapping[str, str]:
        """Its labels with their values."""
        ...

    @property
    def conversation(self) -> str | None:
        """What it was asked in; None where it stands alone."""
        ...


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn as the analysis sees it.

    `conversation` is what the turn was asked in; for parts of a bundle without one, the bundle. `beyond_sample` counts
    its statements that returned more rows than the judge was shown, `unknown_count` those whose full count is not
    known, `cuts` the places where its evidence was shortened for the judge. `quotes` are those that the judge gave,
    `unsupported` those of them that do not stand in the evidence.
    """

    id: str
    conversation: str | None
    captured_at: datetime
    time_assumed: bool
    labels: Mapping[str, str]
    score: Score
    relayed: bool
    answered: bool
    looks_bundled: bool
    split: bool
    statements: int
    beyond_sample: int
    unknown_count: int
    cuts: int
    quotes: int
    unsupported: int
    addressed_judge: bool
    retrievals: int = 0
    addresses: tuple[str, ...] = ()
    """The places in which a program found text that addresses a grader."""
    answer_length: int | None = None
    """In characters; None where the answer was not captured."""
    by_judge: tuple[Fraction | None, ...] = ()
    """What each judge of a panel gives alone; empty where one judge read the turn."""
    scores_by_judge: tuple[Score, ...] = ()
    """The same in full, by a rubric without a composite, where each metric is looked at alone."""
    drawn: Drawn | None = None
    """That it was drawn from a larger capture, and how."""
    agent: str = ""
    """How the assistant calls itself: its name, its version, and the label `model` where there is one."""
    latency: Latency | None = None
    """How long it took, as the capture states it."""
    knobs: Mapping[str, str] = field(default_factory=dict)
    """What may be changed about how it is answered, beside its labels: engine, strategy, top_k, model."""
    content: str = ""
    """The digest of question, trajectory and answer; turns that share it are readings of the same thing."""

    @property
    def weight(self) -> Fraction:
        """How many captured turns it stands for; 1 where no sample was drawn."""
        return Fraction(self.drawn.population, self.drawn.drawn) if self.drawn else Fraction(1)


def stand_alone(rows: Iterable[TurnRow], dimension: Dimension, rubric: Rubric) -> list[TurnRow]:
    """The turns as if they had been scored by that dimension alone, in percent of its scale.

    So each metric of a rubric without a composite has all figures that a score has.
    """
    return [_stand_alone(row, dimension, rubric) for row in rows]


def _stand_alone(row: TurnRow, dimension: Dimension, rubric: Rubric) -> TurnRow:
    by_judge = tuple(score_alone(score, dimension, rubric).score for score in row.scores_by_judge)
    return replace(row, score=score_alone(row.score, dimension, rubric), by_judge=by_judge)


def find_span(times: Iterable[datetime]) -> tuple[datetime | None, datetime | None]:
    """The earliest and the latest of these times; None where there are none."""
    found = list(times)
    return min(found, default=None), max(found, default=None)
