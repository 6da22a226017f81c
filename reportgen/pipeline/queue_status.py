"""How far the open runs of an archive are."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reportgen.archive.aside import count_kept
from reportgen.archive.open_marks import count_erased
from reportgen.archive.open_runs import ASIDE, OPEN, OpenRun, list_open
from reportgen.config import StreamingConfig
from reportgen.errors import RunError
from reportgen.model.opening import Opening
from reportgen.pipeline.allowance import Allowance
from reportgen.pipeline.stored import Unjudged
from reportgen.pipeline.terms import build_keys, find_rubric
from reportgen.transport.broker import Unreachable, show_address
from reportgen.transport.queue import count_waiting


@dataclass(frozen=True, slots=True)
class OpenStatus:
    """How many turns were handed in for an open run, and how many have all their verdicts.

    `given_up` counts those of the rest on which the judge gave no answer so far; `pinned` names judge and rubric;
    `cost` says what is spent where there is a limit, `erased` counts what went on request. `became` is the
    run that it was closed as, `becoming` the one that closing has begun to make of it.
    """

    opening: Opening
    handed_in: int = 0
    judged: int = 0
    given_up: int = 0
    pinned: str | None = None
    cost: str | None = None
    erased: int = 0
    became: str | None = None
    becoming: str | None = None


def count_open(
    runs: Path,
    collection: str | None = None,
    on_damage: Callable[[RunError], None] | None = None,
    rubric: str | None = None,
) -> list[OpenStatus]:
    """The open runs of a collection, or of all, and those that were closed; see `list_open`.

    `rubric` names the configured one. A run that is pinned to it or to one of the program is counted by the content of
    its turns, another by their ids.
    """
    return [_count(run, rubric) for run in list_open(runs, collection, on_damage)]


def count_aside(runs: Path, collection: str | None = None) -> Iterator[tuple[Path, int]]:
    """The files of exchanges that were refused, each with how many it holds."""
    for path in sorted([*(runs / OPEN).glob(f"{collection or '*'}/{ASIDE}"), runs / OPEN / ASIDE]):
        if path.exists():
            yield path, count_kept(path)


def list_queues(settings: StreamingConfig, collections: Iterable[str]) -> Iterator[str]:
    """For each of these collections how many exchanges are in its queue, or that there is none."""
    if settings.redis is None:
        yield "no Redis is configured: exchanges are judged by one worker from the archive, or when the run is closed"
        return
    for name in sorted(set(collections)):
        try:
            waiting = count_waiting(settings.redis, name)
        except Unreachable as trouble:
            yield f"{trouble}"
            return
        yield f"{name}: {waiting} in the queue at {show_address(settings.redis)} or with a worker"


def _count(run: OpenRun, configured: str | None) -> OpenStatus:
    closing, terms = run.closing, run.terms
    if closing is not None and run.is_closed:
        return OpenStatus(run.opening, became=closing.run)
    # Without terms nobody has judged anything, and no turn is done by any calls.
    rubric = find_rubric(terms, configured) if terms else None
    find_keys = build_keys(rubric, terms) if rubric and terms else None
    unjudged = Unjudged(run, find_keys, terms.prompts if terms else ("",))
    missing = sum(1 for _ in unjudged.find(final=True))
    never = sum(1 for _ in unjudged.find())
    pinned = f"{terms.judge.name} by {terms.rubric}-{terms.rubric_version}" if terms else None
    cost, handed_in = Allowance(run).describe(), unjudged.handed_in
    return OpenStatus(
        run.opening,
        handed_in,
        handed_in - missing,
        missing - never,
        pinned,
        cost,
        count_erased(run),
        becoming=closing.run if closing else None,
    )
