"""What the captured rows of a turn say: every number, date and time in them with its place, ready to be looked up."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from reportgen.analysis.figure_check.figures import DateKey, TimeKey
from reportgen.analysis.figure_check.numerals import read_value
from reportgen.analysis.figure_check.reading import read_figures
from reportgen.analysis.figure_check.shelves import Number, Shelf
from reportgen.model.turn import Cell, Retrieval, SqlStatement, Turn

CELLS = 500_000
"""Of a turn, so many cells are looked at; rows beyond count as not captured."""

TEXT_READ = 2_000
"""Of the text in a cell, so many characters are read."""

TEXTS_READ = 500_000
"""Of all different texts in the cells of a turn together, so many characters are read for numbers within them."""

_LEAST = 50
"""A short text counts as so many characters, and so does each number within a text, since they take as long."""

_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})\b.{0,30})?)?|([0-9]{2}):([0-9]{2})(?::.{0,20})?"
)

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the event of the trajectory and, where they apply, row and column; counted from 1.

    `column` is the number of the column; its name may stand twice.
    """

    event: int
    row: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """The numbers of one column: each with its row. `complete` says that no row of the result is missing."""

    place: Place
    numbers: tuple[tuple[int, Number], ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the figures of an answer can be looked up in.

    `unseen` counts the rows that statements returned and that are not here; `is_unsure` says that for some statement it
    is not known how many it returned.
    """

    numbers: Shelf[Place]
    texts: dict[Fraction, Place]
    dates: dict[DateKey, Place]
    times: dict[TimeKey, Place]
    counts: dict[int, Place]
    columns: tuple[Column, ...]
    unseen: int
    is_unsure: bool
    names: dict[tuple[int, int], str]

    @property
    def has_rows(self) -> bool:
        """Whether a cell was captured, or a number, date or time in a passage."""
        return bool(self.columns or self.texts or self.dates or self.times)


@dataclass(slots=True)
class _Draft:
    """Facts in the making; `room` and `letters` are what is left of the bounds."""

    numbers: list[tuple[Number, Place]]
    texts: dict[Fraction, Place]
    dates: dict[DateKey, Place]
    times: dict[TimeKey, Place]
    counts: dict[int, Place]
    columns: list[Column]
    unseen: int = 0
    is_unsure: bool = False
    room: int = CELLS
    letters: int = TEXTS_READ
    read: set[str] = field(default_factory=set)


def build_facts(turn: Turn) -> Facts:
    """Every number, date and time in the captured rows and passages of the turn."""
    draft = _Draft([], {}, {}, {}, {}, [])
    names: dict[tuple[int, int], str] = {}
    for number, event in enumerate(turn.trajectory, start=1):
        if isinstance(event, SqlStatement) and event.status == "ok":
            names |= {(number, place): name for place, name in enumerate(event.columns or (), start=1)}
            _add_statement(draft, number, event)
        elif isinstance(event, Retrieval) and event.status == "ok":
            _add_passages(draft, number, event)
    return Facts(
        Shelf(draft.numbers),
        draft.texts,
        draft.dates,
        draft.times,
        draft.counts,
        tuple(draft.columns),
        draft.unseen,
        draft.is_unsure,
        names,
    )


def _add_statement(draft: _Draft, event: int, statement: SqlStatement) -> None:
    captured, width = statement.rows or (), len(statement.columns or ())
    rows = captured[: draft.room // max(width, 1)]
    draft.room -= len(rows) * width
    if statement.row_count is None:
        draft.is_unsure = True
        draft.unseen += len(captured) - len(rows)
    else:
        draft.unseen += statement.row_count - len(rows)
        draft.counts.setdefault(statement.row_count, Place(event))
    for column, cells in enumerate(zip(*rows, strict=True), start=1):
        numbers = tuple(_add_column(draft, event, column, cells))
        draft.columns.append(Column(Place(event, column=column), numbers, statement.row_count == len(rows)))


def _add_passages(draft: _Draft, event: int, retrieval: Retrieval) -> None:
    """What stands in the texts of the passages; one without a text may have held anything."""
    passages = retrieval.passages or ()
    draft.is_unsure |= retrieval.passages is None or any(passage.text is None for passage in passages)
    for row, passage in enumerate(passages, start=1):
        text, place = passage.text or "", Place(event, row)
        if len(text) > TEXT_READ:
            _read_long(draft, text, place)
        elif text and (number := _read_text(draft, text, place)) is not None:
            draft.numbers.append((number, place))


def _read_long(draft: _Draft, text: str, place: Place) -> None:
    """A passage that is longer than the text of a cell may be: as much of it as the bound allows."""
    part = text[: max(draft.letters, 0)]
    draft.is_unsure |= len(part) < len(text)
    if part not in draft.read and _DIGIT.search(part):
        draft.letters -= len(part)
        draft.read.add(part)
        _add_figures(draft, part, place)


def _add_column(draft: _Draft, event: int, column: int, cells: tuple[Cell, ...]) -> Iterator[tuple[int, Number]]:
    """Adds what stands in the cells; gives the numbers with their rows."""
    for row, cell in enumerate(cells, start=1):
        if cell is None or isinstance(cell, bool):
            continue
        number = _read_text(draft, cell, Place(event, row, column)) if isinstance(cell, str) else cell
        if number is not None:
            draft.numbers.append((number, Place(event, row, column)))
            yield row, number


def _read_text(draft: _Draft, cell: str, place: Place) -> Number | None:
    """The number that a text is; dates, times and numbers within it are added to the draft."""
    if moment := _MOMENT.fullmatch(cell):
        _add_moment(draft, moment, place)
        return None
    number = read_value(cell[:100]) if len(cell) <= 100 else None
    text = cell[:TEXT_READ]
    if number is None and draft.letters > 0 and text not in draft.read and _DIGIT.search(text):
        draft.letters -= max(len(text), _LEAST)
        draft.read.add(text)
        _add_figures(draft, text, place)
    return number


def _add_moment(draft: _Draft, moment: re.Match[str], place: Place) -> None:
    year, month, day, *clock = (None if part is None else int(part) for part in moment.groups())
    if year is not None:
        _add_date(draft, (year, month, day), place)
    for hour, minute in (clock[:2], clock[2:]):
        if hour is not None and minute is not None:
            draft.times.setdefault((hour, minute), place)


def _add_date(draft: _Draft, date: DateKey, place: Place) -> None:
    """The date under all that an answer may say of it: with and without the year, the month, the year alone."""
    year, month, day = date
    for key in ((year, month, day), (None, month, day), (year, month, None), (year, None, None)):
        draft.dates.setdefault(key, place)


def _add_figures(draft: _Draft, text: str, place: Place) -> None:
    for figure in islice(read_figures(text), draft.letters // _LEAST + 1):
        draft.letters -= _LEAST
        for date in figure.dates:
            _add_date(draft, date, place)
        if figure.time is not None:
            draft.times.setdefault(figure.time, place)
        for reading in figure.readings[:1]:
            draft.texts.setdefault(reading.value, place)
