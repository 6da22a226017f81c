"""The metrics of one turn, by a rubric without a composite, ready for the page."""

from dataclasses import dataclass

from reportgen.analysis.quadrants import corner_of
from reportgen.model.rubric import Cell, Rubric
from reportgen.model.score import Score, Subscore
from reportgen.publishing.outcomes import OUTCOMES
from reportgen.publishing.printing import NONE, print_given, print_score
from reportgen.publishing.text import shorten
from reportgen.scoring.metrics import score_alone

_NOTE_SHOWN = 300


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One metric of a turn: as the judge gave it, in percent of the scale, and its band; or why it has no value."""

    name: str
    given: str
    value: str
    band: str | None
    note: str | None


def build_metric_lines(score: Score, rubric: Rubric) -> tuple[MetricLine, ...]:
    """A line for each metric; none where a composite stands for them, or nothing was judged."""
    if rubric.has_composite:
        return ()
    return tuple(_line(item, score, rubric) for item in score.subscores)


def _line(item: Subscore, score: Score, rubric: Rubric) -> MetricLine:
    alone = score_alone(score, rubric.dimension(item.dimension), rubric)
    why = f"{OUTCOMES.get(item.failure, item.failure)}: {item.note}" if item.failure else item.note
    return MetricLine(
        name=rubric.dimension(item.dimension).name,
        given=print_given(item.given),
        value=NONE if alone.score is None else print_score(alone.score, rubric),
        band=alone.band,
        note=str(shorten(why, _NOTE_SHOWN)) if why else None,
    )


def say_corner(score: Score, rubric: Rubric) -> str | None:
    """In which corner of the quadrants the turn lies, and what that means; None where it lies in none."""
    cell = _find_cell(score, rubric)
    return f"{cell.name}. {cell.means}" if cell else None


def name_corner(score: Score, rubric: Rubric) -> str | None:
    """The name of that corner."""
    cell = _find_cell(score, rubric)
    return cell.name if cell else None


def _find_cell(score: Score, rubric: Rubric) -> Cell | None:
    corner = corner_of(score, rubric)
    return rubric.quadrants.cell(corner) if corner and rubric.quadrants else None
