"""Which figures an answer has, and which of them stood in another text before: in its question, or in a statement."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from reportgen.analysis.figure_check.figures import Figure
from reportgen.analysis.figure_check.reading import read_figures
from reportgen.model.turn import SqlStatement, Turn

FIGURES = 1_000
"""Of an answer, so many different figures are checked."""

READ = 10_000
"""Of an answer, so many figures are read, repeats counted; of the question as many, and of all statements together."""

_TEXT_READ = 50_000
_STATEMENTS = 50


@dataclass(frozen=True, slots=True)
class Mention:
    """A figure of an answer, how often it is printed, and whether the question has it too.

    `statement` is the first event whose SQL states the figure, such as a limit in a condition; None if none does.
    """

    figure: Figure
    times: int
    asked: bool
    statement: int | None = None


@dataclass(frozen=True, slots=True)
class Mentions:
    """The different figures of an answer in reading order; `is_cut` says that it has more than are checked."""

    all: tuple[Mention, ...]
    is_cut: bool

    @property
    def own(self) -> tuple[Mention, ...]:
        """The figures that the question does not have."""
        return tuple(mention for mention in self.all if not mention.asked)


class Said:
    """The figures of a text, to tell whether another's stand in it too, however they are written.

    >>> said = Said("between 2026-07-06 and 2026-07-12, over 10 minutes")
    >>> [figure in said for figure in read_figures("from 6 July on, 10.0 of 12")]
    [True, True, False]
    """

    def __init__(self, text: str, most: int = READ) -> None:
        self._values: set[object] = set()
        self.read = 0
        for figure in islice(read_figures(text[:_TEXT_READ]), most):
            self.read += 1
            self._values |= {(reading.value, figure.kind == "percent") for reading in figure.readings[:1]}
            self._values.add(figure.time)
            for year, month, day in figure.dates:
                self._values |= {(year, month, day), (None, month, day), (year, month, None), (year, None, None)}
        self._values -= {None, (None, None, None)}

    def __contains__(self, figure: Figure) -> bool:
        if any(date in self._values for date in figure.dates) or figure.time in self._values:
            return True
        return any((reading.value, figure.kind == "percent") in self._values for reading in figure.readings[:1])


def find_mentions(turn: Turn) -> Mentions:
    """The figures of the turn's answer."""
    first, times, is_cut = _count(read_figures((turn.answer.text if turn.answer else None) or ""))
    if not first:
        return Mentions((), is_cut)
    asked, stated = Said(turn.question), _read_statements(turn)
    return Mentions(
        tuple(
            Mention(
                figure,
                times[figure.identity],
                figure in asked,
                next((event for event, said in stated if figure in said), None),
            )
            for figure in first
        ),
        is_cut,
    )


def _read_statements(turn: Turn) -> list[tuple[int, Said]]:
    """The figures that the SQL of each statement states, with the number of its event."""
    numbered = enumerate(turn.trajectory, start=1)
    texts = {number: event.text for number, event in numbered if isinstance(event, SqlStatement)}
    said, room = [], READ
    for number, text in islice(texts.items(), _STATEMENTS):
        said.append((number, Said(text, room)))
        room -= said[-1][1].read
    return said


def _count(figures: Iterable[Figure]) -> tuple[list[Figure], dict[object, int], bool]:
    """The different figures, how often each stands there, and whether there are more than are checked."""
    first: list[Figure] = []
    times: dict[object, int] = {}
    for number, figure in enumerate(figures):
        is_new = figure.identity not in times
        if number == READ or (is_new and len(first) == FIGURES):
            return first, times, True
        if is_new:
            first.append(figure)
        times[figure.identity] = times.get(figure.identity, 0) + 1
    return first, times, False
