"""Turns -> a finished run: the judge is asked, each verdict is kept as it comes, then the run is scored and sealed."""

import asyncio
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen import __version__
from reportgen.archive.journal import Journal
from reportgen.archive.store import DRAFT, TURNS, create_folder, load_draft, read_records, save_draft
from reportgen.errors import InterruptionError, ReportgenError
from reportgen.judging.attempts import Surroundings
from reportgen.judging.backends import open_backend
from reportgen.judging.contract import Backend
from reportgen.judging.engine import judge_turns
from reportgen.judging.pacing import Policy
from reportgen.judging.progress import JudgingTotals, Progress
from reportgen.judging.prompts import JudgeRequest, build_requests, build_system
from reportgen.model.rubric import Rubric
from reportgen.model.run import EvidenceLimits, Manifest, RunFile
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge
from reportgen.pipeline.begin import (
    choose_run_id,
    find_unfinished,
    name_parent,
    require_plain_id,
    require_unchanged_rubric,
)
from reportgen.pipeline.finish import finish_run
from reportgen.pipeline.intake import Intake, take_in
from reportgen.record import text_digest
from reportgen.rubrics import load_rubric

OnProgress = Callable[[int, int, str | None], None]
"""Is told how many verdicts are there, how many there will be, and what just went wrong, if anything."""


@dataclass(frozen=True, slots=True)
class JudgeOrder:
    """What is to be judged, by whom, and where the run is kept.

    `parent` is the run whose turns, in `source`, are judged again. `fixed_clock` says why the times of the run are not
    the true ones.
    """

    source: Path
    judge: str
    effort: str | None
    rubric: str
    concurrency: int
    rows: int
    runs: Path
    run_id: str | None = None
    resume: bool = False
    skip_bad: bool = False
    limit: int | None = None
    parent: RunFile | None = None
    fixed_clock: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A finished run: its folder, and what the judging came to."""

    folder: Path
    totals: JudgingTotals


def judge_capture(order: JudgeOrder, clock: Callable[[], datetime], on_progress: OnProgress) -> Judged:
    """Judges captured turns and keeps the finished run.

    Args:
        order: What is to be done.
        clock: Tells the time, with its zone.
        on_progress: Is told how far it is.

    Raises:
        ReportgenError: The turns, the rubric, the judge or the disk do not allow it; what was paid for is kept.
    """
    rubric = load_rubric(order.rubric)
    require_unchanged_rubric(order.runs, rubric)
    return asyncio.run(_judge(order, rubric, clock, on_progress))


@dataclass(frozen=True, slots=True)
class _Begun:
    """A run that has begun: everything that its requests follow from."""

    folder: Path
    manifest: Manifest
    rubric: Rubric

    def requests(self) -> Iterator[JudgeRequest]:
        """All requests of the run, in the order of its turns, one by one."""
        turns = read_records(Turn, self.folder / TURNS)
        return build_requests(turns, self.rubric, self.manifest.judge, self.manifest.evidence)


async def _judge(order: JudgeOrder, rubric: Rubric, clock: Callable[[], datetime], on_progress: OnProgress) -> Judged:
    async with open_backend(order.judge, order.effort) as backend:
        folder = _choose_folder(order, rubric, backend.judge, clock())
        with Journal(folder) as journal, _kept_for_resume(folder, journal):
            run = _Begun(folder, _prepare(folder, order, rubric, backend.judge, clock()), rubric)
            monotonic = time.monotonic if order.fixed_clock is None else lambda: 0.0
            around = Surroundings(clock, monotonic, asyncio.sleep, random.random)
            policy = Policy(order.concurrency)
            totals = await _ask(run, backend, journal, policy=policy, surroundings=around, on_progress=on_progress)
            journal.finish((request.turn, request.key) for request in run.requests())
            finish_run(folder, run.manifest, rubric, system_prompts(rubric), clock())
    return Judged(folder, totals)


def system_prompts(rubric: Rubric) -> dict[str, str]:
    """For each judge call the system prompt as it is sent."""
    return {call.id: build_system(rubric, call) for call in rubric.calls}


def _choose_folder(order: JudgeOrder, rubric: Rubric, judge: Judge, now: datetime) -> Path:
    if order.resume:
        return find_unfinished(order.runs, order.run_id, rubric, judge)
    run_id = order.run_id or choose_run_id(order.runs, now, rubric, judge)
    require_plain_id(run_id)
    return create_folder(order.runs, run_id)


@contextmanager
def _kept_for_resume(folder: Path, journal: Journal) -> Iterator[None]:
    """Where the work stops, a run with verdicts is kept and the error says how to go on; one without any goes."""
    try:
        yield
    except (ReportgenError, asyncio.CancelledError, KeyboardInterrupt) as error:
        kept = journal.answered
        if not len(journal):
            shutil.rmtree(folder, ignore_errors=True)
        way_on = f"{kept} verdicts are kept; go on with the same command and --resume --run-id {folder.name}"
        if not isinstance(error, ReportgenError):
            raise InterruptionError("Interrupted", way_on if kept else "Nothing was judged yet; begin again.") from None
        if kept:
            error.fix += f"\n  {way_on}"
        raise


def _prepare(folder: Path, order: JudgeOrder, rubric: Rubric, judge: Judge, now: datetime) -> Manifest:
    """Takes the turns in, or makes sure that they are those of the unfinished run, and keeps the draft."""
    intake = Intake(order.source, order.skip_bad, order.limit)
    take_in(folder, intake)
    began = load_draft(folder).started_at if (folder / DRAFT).exists() else now
    parent = order.parent
    manifest = Manifest(
        run_id=folder.name,
        program=f"reportgen {__version__}",
        rubric=rubric.id,
        rubric_version=rubric.version,
        rubric_digest=rubric.digest,
        judge=judge,
        evidence=EvidenceLimits(rows=order.rows),
        prompts={call: text_digest(text) for call, text in system_prompts(rubric).items()},
        sources=parent.manifest.sources if parent else (intake.origin(),),
        capture=parent.manifest.capture if parent else intake.counts(),
        started_at=began,
        parent=name_parent(parent, "rejudged") if parent else None,
        fixed_clock=order.fixed_clock,
    )
    save_draft(folder, manifest)
    return manifest


def _say_trouble(progress: Progress) -> str | None:
    """What holds the judging up, in a few words."""
    if progress.trouble is None:
        return None
    wait = f"; all requests wait {progress.pause:.0f} s" if progress.pause >= 1 else ""
    return f"{progress.trouble}{wait}"


async def _ask(
    run: _Begun,
    backend: Backend,
    journal: Journal,
    *,
    policy: Policy,
    surroundings: Surroundings,
    on_progress: OnProgress,
) -> JudgingTotals:
    """Asks for each verdict that the journal does not hold yet."""
    total = run.manifest.capture.turns * len(run.rubric.calls)
    kept = sum(journal.is_answered(request.turn, request.key) for request in run.requests())
    on_progress(kept, total, None)
    return await judge_turns(
        (request for request in run.requests() if not journal.is_answered(request.turn, request.key)),
        backend,
        journal.append,
        policy=policy,
        surroundings=surroundings,
        on_progress=lambda progress: on_progress(kept + progress.answered, total, _say_trouble(progress)),
    )
