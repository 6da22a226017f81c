"""What a labeller is shown: the rubric's words and the evidence of each turn, and nothing of what the judge said."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.run import EvidenceLimits, RunFile
from reportgen.model.turn import Turn
from reportgen.publishing.answers import AnswerText
from reportgen.publishing.text import Shown, shorten
from reportgen.publishing.trajectory import Trajectory, build_trajectory
from reportgen.publishing.turns import (
    LABEL_SHOWN,
    QUESTION_SHOWN,
    list_facts,
    list_notes,
    say_no_answer,
    say_question_source,
    show_answer,
)

RADIOS_AT_MOST = 21
"""A scale of more values is given as a number, not chosen from a row of them."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn as a labeller sees it; `number` is its place in the labeller's own order."""

    number: str
    id: str
    question: Shown
    question_source: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    trajectory: Trajectory
    answer: AnswerText | None
    no_answer: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A dimension to be scored; `levels` are values of the scale with what they mean, the highest first."""

    id: str
    name: str
    asks: str
    levels: tuple[tuple[str, str], ...]
    may_not_apply: bool


@dataclass(frozen=True, slots=True)
class LabellingForm:
    """All that a labeller is given. `turns` stand in the labeller's own order; `labeller` is empty if not known yet."""

    run: RunFile
    turns: tuple[Turn, ...]
    labeller: str
    drawn_at: datetime


def show_turns(form: LabellingForm) -> Iterable[ShownTurn]:
    """The turns as the labeller sees them, one at a time."""
    limits = form.run.manifest.evidence
    return (_show_turn(number, turn, limits) for number, turn in enumerate(form.turns, start=1))


def _show_turn(number: int, turn: Turn, limits: EvidenceLimits) -> ShownTurn:
    return ShownTurn(
        number=str(number),
        id=str(shorten(turn.id, LABEL_SHOWN)),
        question=shorten(turn.question, QUESTION_SHOWN),
        question_source=say_question_source(turn),
        facts=tuple(list_facts(turn)),
        notes=list_notes(turn),
        trajectory=build_trajectory(turn.trajectory, limits, ()),
        answer=show_answer(turn.answer),
        no_answer=say_no_answer(turn.answer),
    )


def build_choices(rubric: Rubric) -> tuple[Choice, ...]:
    """The dimensions of a rubric as a labeller scores them."""
    return tuple(map(_build_choice, rubric.dimensions))


def _build_choice(dimension: Dimension) -> Choice:
    levels = sorted(dimension.levels.items(), key=lambda level: -float(level[0]))
    applies = dimension.not_applicable_when is None
    return Choice(dimension.id, dimension.name, dimension.asks, tuple(levels), not applies)


def list_values(rubric: Rubric) -> tuple[str, ...]:
    """The values of the scale as text, ascending."""
    return tuple(f"{value:g}" for value in rubric.scale.values)
