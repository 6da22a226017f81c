"""Which runs of an archive stand before a run: the same assistant and readers, other turns, captured earlier."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.analysis.comparability import find_breaks
from reportgen.analysis.findings import find_period
from reportgen.analysis.trend.runs import headline_metrics
from reportgen.archive.records import Records, open_records, require_intact
from reportgen.archive.store import TURNS, is_finished, list_folders
from reportgen.model.audience import audience_of
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.revision import EarlierRun


@dataclass(frozen=True, slots=True)
class _Captured:
    """When the turns of a run were captured, and the names of their assistants."""

    first: datetime | None
    last: datetime | None
    names: frozenset[str]


def find_earlier(records: Records, runs: Path) -> tuple[EarlierRun, ...]:
    """The headlines of the earlier runs, oldest first.

    Left out are runs that were rescored, rejudged or combined from others, and runs for other readers: with a run for a
    client go runs for that client, with one for the public those for the public, with a whole run whole runs. Of
    several over the same turns one stays: the latest with the run's own instrument, else the latest.

    Raises:
        RunError: A run of the archive is damaged.
    """
    this = _read_captured(records)
    if this.last is None:
        return ()
    own = records.run.manifest
    found: dict[str, tuple[Records, _Captured]] = {}
    for other in _open_candidates(records, runs):
        captured = _read_captured(other)
        if captured.last is not None and captured.last < this.last and _share(captured.names, this.names):
            _keep_one(found, other, captured, instrument_of(own))
    points = [_summarise(other, captured) for other, captured in found.values()]
    return tuple(sorted(points, key=lambda point: (point.last or this.last, point.run)))


def _open_candidates(records: Records, runs: Path) -> Iterator[Records]:
    """The finished runs that judged turns of their own for the same readers, in the order in which they began."""
    opened = [open_records(folder) for folder in list_folders(runs) if is_finished(folder)]
    for other in sorted(opened, key=lambda item: (item.run.manifest.started_at, item.run.manifest.run_id)):
        manifest = other.run.manifest
        is_made_of_others = manifest.parent is not None or manifest.panel is not None
        if is_made_of_others or other.run.seal == records.run.seal:
            continue
        if audience_of(manifest) == audience_of(records.run.manifest):
            require_intact(Path(other.place))
            yield other


def _keep_one(
    found: dict[str, tuple[Records, _Captured]], other: Records, captured: _Captured, own: Instrument
) -> None:
    same = next((turns for turns, (known, _) in found.items() if _is_same(known, other)), None)
    if same is None or _is_like(other, own) or not _is_like(found[same][0], own):
        found[same or other.run.files[TURNS]] = (other, captured)


def _is_same(one: Records, other: Records) -> bool:
    """Whether two runs hold the same turns; what was derived twice from a run may have lost different texts of them."""
    derived, again = one.run.manifest.derived, other.run.manifest.derived
    is_twin = derived is not None and again is not None and derived.parent == again.parent
    return is_twin or one.run.files[TURNS] == other.run.files[TURNS]


def _is_like(records: Records, instrument: Instrument) -> bool:
    return not find_breaks(instrument_of(records.run.manifest), instrument)


def _share(one: Collection[str], other: Iterable[str]) -> bool:
    return any(name in one for name in other)


def _read_captured(records: Records) -> _Captured:
    times, names = [], set()
    for turn in records.turns():
        times.append(turn.captured_at)
        names.add(turn.agent.name)
    return _Captured(*find_period(records.run.manifest, times), frozenset(names))


def _summarise(records: Records, captured: _Captured) -> EarlierRun:
    run = records.run
    return EarlierRun(
        run=run.manifest.run_id,
        seal=run.seal,
        instrument=instrument_of(run.manifest),
        first=captured.first,
        last=captured.last,
        turns=run.summary.turns,
        scored=run.summary.scored,
        mean=run.summary.mean,
        poor=run.summary.bands[-1].share,
        metrics=headline_metrics(run.summary),
    )
