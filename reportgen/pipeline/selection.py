"""The one run that a period is published from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.analysis.comparability import find_breaks
from reportgen.archive.records import open_records
from reportgen.archive.store import is_finished, list_folders
from reportgen.errors import PublicationError
from reportgen.model.instrument import instrument_of
from reportgen.model.run import RunFile
from reportgen.pipeline.periods import Period

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A run of which some turns lie in the period; `outside` names a turn that does not."""

    folder: Path
    run: RunFile
    outside: str | None


def find_run(runs: Path, period: Period) -> Path | None:
    """The finished run whose turns are those of the period; None where no run has any.

    Runs that were derived for others are passed over. Of a run and those that were rescored, rejudged or combined from
    it, the period's report cannot know which is meant, so one has to be named.

    Raises:
        PublicationError: There are several, or a run reaches beyond the period.
    """
    found = [item for folder in list_folders(runs) if is_finished(folder) and (item := _look_at(folder, period))]
    if len(found) > 1:
        raise PublicationError(_describe_several(found, period), "Name the one to publish by --run.")
    if not found:
        return None
    require_within(found[0].folder, period)
    return found[0].folder


def require_within(folder: Path, period: Period) -> None:
    """Makes sure that a run has turns, and that all of them were captured in the period.

    Raises:
        PublicationError: It has none, or one was captured at another time.
    """
    candidate = _look_at(folder, period)
    if candidate is None:
        raise PublicationError(f"No turn of the run {folder} was captured in {period}", "Name another run or period.")
    if candidate.outside is not None:
        raise PublicationError(
            f"The run {folder} reaches beyond {period}: {candidate.outside}",
            "Judge the turns of the period by themselves, or publish this run by `reportgen report`.",
        )


def _look_at(folder: Path, period: Period) -> _Candidate | None:
    records = open_records(folder)
    if records.run.manifest.derived is not None:
        return None
    inside, outside = False, None
    for turn in records.turns():
        if turn.captured_at in period:
            inside = True
        elif outside is None:
            outside = f"{turn.id} was captured at {turn.captured_at.isoformat()}"
    return _Candidate(folder, records.run, outside) if inside else None


def _describe_several(found: Sequence[_Candidate], period: Period) -> str:
    """Which runs there are, and in what their instruments differ."""
    names = ", ".join(item.folder.name for item in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    first = found[0].run.manifest
    differences = dict.fromkeys(
        f"{item.key} is {item.before} in {first.run_id} and {item.after} in {other.run_id}"
        for other in (item.run.manifest for item in found[1:])
        for item in find_breaks(instrument_of(first), instrument_of(other))
    )
    said = "".join(f"\n  {line}" for line in list(differences)[:_SHOWN])
    return f"Several runs hold turns of {period}: {names}{said}"
