"""Finished runs -> the statistics of a run, or of a collection over all of its runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

from reportgen.analysis.comparability import find_breaks
from reportgen.analysis.statistics import Query, build_query, build_statistics
from reportgen.archive.copies import list_finished
from reportgen.archive.records import Records, open_records, require_intact
from reportgen.errors import RunError
from reportgen.model.audience import audience_of
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.opening import LABEL
from reportgen.model.run import Manifest
from reportgen.model.turn import Turn
from reportgen.pipeline.periods import find_zone
from reportgen.pipeline.revising import is_withdrawn
from reportgen.publishing.statistics import statistics_data
from reportgen.record import digest


@dataclass(frozen=True, slots=True)
class Found:
    """The statistics as JSON values, and the runs with turns of the collection that are not in them."""

    data: dict[str, Any]
    left_out: tuple[str, ...] = ()


def read_statistics(records: Records, zone: str, collection: str | None = None) -> Found:
    """The statistics of a run, or of those of its turns that bear a collection.

    Raises:
        PublicationError: There is no such time zone.
        RunError: No turn bears the collection.
    """
    return Found(measure([records], zone, collection))


def read_collection(collection: str, runs: Path, zone: str) -> Found:
    """The statistics of all turns that bear a collection, over the runs of one instrument.

    The instrument is that of the latest run with such turns. Runs that were rescored, rejudged, combined or derived
    from others hold turns of other runs and are left out; so a turn counts once, and where several runs hold the very
    same one, as the latest of them has it.

    Raises:
        PublicationError: There is no such time zone.
        RunError: No turn of any run bears the collection, or a run is damaged.
    """
    bearing = [records for records in _open_originals(runs) if _bears(records, collection)]
    if not bearing:
        raise _no_turn(collection, str(runs))
    alike = keep_alike([instrument_of(item.run.manifest) for item in bearing])
    left_out = tuple(item.run.manifest.run_id for item, is_alike in zip(bearing, alike, strict=True) if not is_alike)
    return Found(measure(list(compress(bearing, alike)), zone, collection), left_out)


def keep_alike(instruments: Sequence[Instrument]) -> list[bool]:
    """Of each of several instruments, in order of time, whether it is the latest one."""
    return [not find_breaks(item, instruments[-1]) for item in instruments]


def _open_originals(runs: Path) -> list[Records]:
    """The finished runs that judged turns of their own, in the order in which they began."""
    opened = [open_records(folder) for folder in list_finished(runs)]
    kept = [item for item in opened if is_original(item.run.manifest)]
    return sorted(kept, key=lambda item: (item.run.manifest.started_at, item.run.manifest.run_id))


def is_original(manifest: Manifest) -> bool:
    """Whether a run judged turns of its own, for the publisher's own people, and was not made of other runs."""
    is_made_of_others = manifest.parent is not None or manifest.panel is not None
    return not is_made_of_others and audience_of(manifest).kind == "internal"


def _bears(records: Records, collection: str) -> bool:
    return any(turn.labels.get(LABEL) == collection for turn in records.turns())


def measure(found: Sequence[Records], zone: str, collection: str | None) -> dict[str, Any]:
    """The statistics of runs of one instrument, in order of time, or of those of their turns that bear a collection.

    Raises:
        PublicationError: There is no such time zone.
        RunError: No turn bears the collection, or a run is damaged.
    """
    for records in found:
        if records.folder is not None:
            require_intact(records.folder)
    clock, rubric = find_zone(zone), found[-1].run.rubric
    statistics = build_statistics(_read_queries(found, collection), rubric, clock)
    if collection is not None and not statistics.total:
        raise _no_turn(collection, found[-1].place)
    data = statistics_data(statistics, zone, [records.run.manifest.run_id for records in found])
    return {**data, "withdrawn_runs": [records.run.manifest.run_id for records in found if is_withdrawn(records)]}


def _read_queries(found: Sequence[Records], collection: str | None) -> Iterator[Query]:
    """The turns run by run; of one that several runs hold, the latest run has its say."""
    several = enumerate(found) if len(found) > 1 else ()
    latest = {identify(turn): number for number, records in several for turn in records.turns()}
    for number, records in enumerate(found):
        for turn, score in zip(records.turns(), records.scores(), strict=True):
            is_asked = collection is None or turn.labels.get(LABEL) == collection
            if is_asked and (not latest or latest[identify(turn)] == number):
                yield build_query(turn, score, records.run.rubric)


def identify(turn: Turn) -> str:
    """The same for two captures of one exchange, whatever labels they bear."""
    return digest(turn.model_dump(mode="json", include={"id", "captured_at", "question", "trajectory", "answer"}))


def _no_turn(collection: str, place: str) -> RunError:
    return RunError(
        f"No turn in {place} bears the label {LABEL} with the value {collection}",
        "Turns get it when they are captured or imported; formats.md in the documentation shows labels.",
    )
