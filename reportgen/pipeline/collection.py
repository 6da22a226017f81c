"""Indexed runs -> the turns of one collection: its statistics, and its rows a page at a time."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

from reportgen.archive.records import open_records
from reportgen.archive.store import load_run
from reportgen.pipeline.revising import is_withdrawn
from reportgen.pipeline.statistics import keep_alike, measure
from reportgen.pipeline.turn_index import TurnIndex, read_pairs
from reportgen.publishing.raw_rows import bound_page, build_raw_row, render_list

FORMAT = "reportgen/collection-records/1"


@dataclass(frozen=True, slots=True)
class Collection:
    """The turns that bear a collection, of the runs that its statistics are over, in order of time.

    `places` are for each run the numbers of those of its turns that count; of one that several runs hold, the latest
    has it. `failed` is of how many of them a judge call failed. `left_out` are runs by another instrument.
    """

    name: str
    runs: tuple[TurnIndex, ...]
    places: "tuple[array[int], ...]"
    failed: int
    left_out: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many turns count."""
        return sum(map(len, self.places))


def find_collection(name: str, runs: Sequence[TurnIndex]) -> Collection | None:
    """The collection of that name; None where no turn bears it.

    Args:
        name: The value of the label `collection`.
        runs: The runs that judged turns of their own, in order of time.
    """
    bearing = [index for index in runs if name in index.collections]
    if not bearing:
        return None
    alike = keep_alike([index.instrument for index in bearing])
    kept = tuple(compress(bearing, alike))
    places = _place(name, kept)
    failed = sum(index.failed[number] for index, numbers in zip(kept, places, strict=True) for number in numbers)
    left_out = tuple(index.run_id for index, is_alike in zip(bearing, alike, strict=True) if not is_alike)
    return Collection(name, kept, places, failed, left_out)


def _place(name: str, runs: Sequence[TurnIndex]) -> "tuple[array[int], ...]":
    """The numbers of the turns that count, of each run; a turn that a later run holds too is that one's."""
    later: set[bytes] = set()
    places = []
    for index in reversed(runs):
        own = index.collections.index(name)
        bearing = (number for number, borne in enumerate(index.bears) if borne == own)
        places.append(array("L", (number for number in bearing if index.identity(number) not in later)))
        if len(runs) > 1:
            later.update(index.identity(number) for number in range(len(index.bears)))
    return tuple(reversed(places))


def measure_collection(collection: Collection, zone: str) -> dict[str, Any]:
    """The statistics of a collection as JSON values, with the ids of the runs that are left out.

    Raises:
        PublicationError: There is no such time zone.
        RunError: A run is damaged, or was changed since it was indexed.
    """
    records = [open_records(index.folder) for index in collection.runs]
    return {**measure(records, zone, collection.name), "left_out_runs": list(collection.left_out)}


def render_collection(collection: Collection, offset: int, limit: int) -> Iterator[str]:
    """A page of the rows of a collection as JSON, piece by piece.

    Raises:
        RunError: A run is damaged, or was changed since it was indexed.
    """
    head = {
        "format": FORMAT,
        "collection": collection.name,
        "runs": [index.run_id for index in collection.runs],
        "withdrawn_runs": [index.run_id for index in collection.runs if is_withdrawn(open_records(index.folder))],
        "total": collection.total,
        "scored": collection.total - collection.failed,
        **bound_page(collection.total, offset, limit),
    }
    return render_list(head, "records", _read_rows(collection, offset, limit))


def _read_rows(collection: Collection, offset: int, limit: int) -> Iterator[dict[str, Any]]:
    """The rows of these places, counted over all runs."""
    for index, numbers in zip(collection.runs, collection.places, strict=True):
        asked = numbers[min(offset, len(numbers)) : offset + limit]
        offset, limit = max(offset - len(numbers), 0), limit - len(asked)
        if asked:
            rubric = load_run(index.folder).rubric
            for turn, score in read_pairs(index, asked):
                yield {"run": index.run_id, **build_raw_row(turn, score, rubric)}
