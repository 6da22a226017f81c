"""Erasing a person's texts from an archive: from each run that holds the turns, and from what was kept beside them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.archive.anchors import anchors_of
from reportgen.archive.annexes import read_revisions
from reportgen.archive.lock import locked
from reportgen.archive.open_runs import OpenRun
from reportgen.archive.store import TURNS, is_finished, list_folders, load_run, read_records
from reportgen.errors import RunError
from reportgen.model.derivation import Erasure
from reportgen.model.run import RunFile
from reportgen.model.turn import Turn
from reportgen.pipeline.audience import remove_unfinished
from reportgen.pipeline.erase_open import (
    ErasedOpen,
    Wanted,
    erase_open,
    erase_refused,
    find_in_open,
    find_wanted,
)
from reportgen.pipeline.erasing import erase_baselines, erase_texts, load_interrupted
from reportgen.withheld import CLIENT


@dataclass(frozen=True, slots=True)
class EraseOrder:
    """What is to be erased.

    `folder` is the run that names the turns; each run of `archive` that holds the same ones, by id and time of capture,
    loses their texts too, and so do frozen anchors; an open run loses the turns whole. A bundle's id stands for all its
    turns. The values of `labels` go with the texts.
    """

    folder: Path | OpenRun
    archive: Path
    turns: tuple[str, ...]
    reason: str
    labels: tuple[str, ...] = ()
    dry: bool = False


@dataclass(frozen=True, slots=True)
class ErasedRun:
    """A run from which turns were erased, or are to be; `after` is its new seal, None while nothing is changed.

    `revisions` is how many reports of it are known, which nobody can call back.
    """

    folder: Path
    turns: tuple[str, ...]
    before: str
    after: str | None
    revisions: int


def erase_turns(order: EraseOrder, now: datetime) -> tuple[list[ErasedRun], list[ErasedOpen]]:
    """Erases turns from all runs that hold them, oldest first, and from what was handed in; interrupted, goes on.

    Raises:
        RunError: The run has no such turn, an unfinished run holds one, a run is in use, is being closed or was
            changed, or the label `client` was named, on which intervals rest.
    """
    if CLIENT in order.labels:
        raise RunError("The label client cannot be erased: intervals rest on it", "Erase other labels, or texts alone.")
    run = order.folder
    named, own = (run, []) if isinstance(run, OpenRun) else (None, [run])
    wanted: Wanted = find_wanted(named, order.turns) if named else _find_wanted(own[0], order.turns)
    opened = find_in_open(order.archive, wanted, named)
    kept = [*list_folders(order.archive), *list_folders(anchors_of(order.archive))]
    folders = sorted({path.resolve() for path in (*own, *kept)})
    holding = [(folder, turns) for folder in folders if (turns := _find_in(folder, wanted))]
    _require_finished(folder for folder, _ in holding)
    with nullcontext() if order.dry else locked(order.archive):
        done = [_erase_from(folder, turns, order, now) for folder, turns in holding]
        if not order.dry:
            remove_unfinished(order.archive)
            _erase_elsewhere(folders, holding, order.labels)
            erase_open(opened, now, order.reason)
    handed_in = [ErasedOpen(held_by.folder, held) for held_by, held in opened]
    return [item for item in done if item is not None], [
        *handed_in,
        *erase_refused(order.archive, wanted, dry=order.dry),
    ]


def _erase_elsewhere(
    folders: Iterable[Path], holding: Sequence[tuple[Path, Sequence[str]]], labels: Collection[str]
) -> None:
    """What reports of other runs quote of the turns, which they were compared with."""
    seals = {seal for folder, _ in holding for seal in load_run(folder).seals}
    turns = {turn for _, found in holding for turn in found}
    for folder in folders:
        erase_baselines(folder, seals, turns, labels)


def _find_wanted(folder: Path, turns: Sequence[str]) -> dict[str, datetime]:
    """The turns to erase with their times of capture."""
    found: dict[str, datetime] = {}
    for turn in read_records(Turn, folder / TURNS):
        if {turn.id, turn.part_of.turn if turn.part_of else turn.id} & set(turns):
            found[turn.id] = turn.captured_at
    named = {*found, *(turn.rpartition("#")[0] for turn in found)}
    if missing := [turn for turn in turns if turn not in named]:
        raise RunError(
            f"The run {folder} has no turn {', '.join(missing)}", "Give the ids that turns have in that run."
        )
    return found


def _find_in(folder: Path, wanted: Wanted) -> tuple[str, ...]:
    """Which of the turns a run holds: those of the same id that were captured at the same moment."""
    if not (folder / TURNS).exists():
        return ()
    return tuple(turn.id for turn in read_records(Turn, folder / TURNS) if wanted.get(turn.id) == turn.captured_at)


def _require_finished(folders: Iterator[Path]) -> None:
    for folder in folders:
        if not is_finished(folder):
            raise RunError(
                f"The run {folder} is unfinished and holds one of the turns",
                "Finish it by --resume, or delete its folder; then erase.",
            )


def _erase_from(folder: Path, turns: Sequence[str], order: EraseOrder, now: datetime) -> ErasedRun | None:
    """Erases from one run what is not erased yet, after what was interrupted; None where nothing is left to do."""
    run, interrupted = load_run(folder), load_interrupted(folder)
    if interrupted is not None and not order.dry:
        run = erase_texts(folder, interrupted)
    left = tuple(turn for turn in turns if not _is_erased(turn, run, order.labels))
    before = interrupted.seal if interrupted and interrupted.seal else run.seal
    named = left or (interrupted.turns if interrupted else ())
    if not named:
        return None
    if left and not order.dry:
        erasure = Erasure(turns=left, labels=order.labels, at=now.replace(microsecond=0), reason=order.reason)
        run = erase_texts(folder, erasure)
    return ErasedRun(folder, named, before, None if order.dry else run.seal, _count_reports(folder, run))


def _is_erased(turn: str, run: RunFile, labels: Collection[str]) -> bool:
    known = run.manifest.erased.get(turn)
    return known is not None and set(labels) <= set(known.labels)


def _count_reports(folder: Path, run: RunFile) -> int:
    return len(read_revisions(folder, *run.seals))
