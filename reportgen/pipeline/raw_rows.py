"""A finished run -> its raw rows in JSON: a page of them, or all pages as files."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from reportgen.archive.files import write_whole
from reportgen.archive.records import Records
from reportgen.archive.store import SCORES, TURNS, parse
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.pipeline.revising import is_withdrawn
from reportgen.publishing.raw_rows import Page, render_page

PAGE = 100
"""Rows of a file on a site."""


def render_rows(records: Records, offset: int, limit: int) -> Iterator[str]:
    """A page of the rows of a run, piece by piece."""
    return render_page(Page(records.run, is_withdrawn(records), offset, limit, partial(_read, records)))


def save_pages(records: Records, folder: Path) -> Iterator[Path]:
    """Writes all rows of a run as files of so many rows each, and names them."""
    starts = range(0, max(records.run.summary.turns, 1), PAGE)
    for number, start in enumerate(starts, start=1):
        path = folder / f"records-{number:04}.json"
        write_whole(path, map(str.encode, render_rows(records, start, PAGE)))
        yield path


def _read(records: Records, start: int, stop: int) -> Iterator[tuple[Turn, Score]]:
    """The turns of these places with their scores; lines before them are passed over unread."""
    turns, scores = (islice(records.lines(name), start, stop) for name in (TURNS, SCORES))
    for number, (turn, score) in enumerate(zip(turns, scores, strict=True), start=start + 1):
        place = f"{records.place}: line {number}"
        yield parse(Turn, turn, place), parse(Score, score, place)
