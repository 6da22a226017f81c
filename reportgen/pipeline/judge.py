"""Turns -> a finished run: the judge is asked, each verdict is kept as it comes, then the run is scored and sealed."""

import asyncio
import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import chain
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.pricing import used_prices
from reportgen.archive.journal import Journal
from reportgen.archive.store import (
    DRAFT,
    VERDICTS,
    close_run,
    create_folder,
    is_finished,
    load_draft,
    read_records,
    save_draft,
)
from reportgen.errors import CaptureError, InterruptionError, ReportgenError, TermsError
from reportgen.judging.attempts import Surroundings
from reportgen.judging.backends import open_backend, require_batches
from reportgen.judging.batch_contract import BatchPolicy
from reportgen.judging.pacing import TIMEOUT, Policy
from reportgen.judging.progress import NOTHING, JudgingTotals
from reportgen.judging.prompts import build_system
from reportgen.model.batch import count_batches
from reportgen.model.canary import Canary
from reportgen.model.price import Price
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, RunFile
from reportgen.model.verdict import Judge, Verdict
from reportgen.pipeline.asking import OnProgress, Question, ask_for_verdicts
from reportgen.pipeline.batches import describe_open
from reportgen.pipeline.begin import (
    choose_run_id,
    find_unfinished,
    name_parent,
    require_plain_id,
    require_same_terms,
    require_unchanged_rubric,
    require_unclosed,
)
from reportgen.pipeline.budget import Budget
from reportgen.pipeline.finish import finish_run
from reportgen.pipeline.intake import Intake, take_in
from reportgen.pipeline.plan import NO_EXTRAS, Extras, Plan, build_plan
from reportgen.pipeline.predecessor import find_predecessor
from reportgen.pipeline.terms import Closed, build_terms, require_pinned
from reportgen.prices import load_prices
from reportgen.publishing.printing import plural
from reportgen.rubrics import load_rubric


@dataclass(frozen=True, slots=True)
class JudgeOrder:
    """What is to be judged, by whom, and where the run is kept.

    `parent` is the run whose turns, in `source`, are judged again. `fixed_clock` says why the times of the run are not
    the true ones. `produced` is how many turns the assistant produced; None if that is not given. `prices` is a price
    file of the user's, `max_cost` the most that the run may cost, in US dollars. `batch` says how to ask in batches,
    None to ask one by one. `timeout` is how many seconds one attempt may take. `closed` is there where an open run
    becomes this one. `timezone` is that of the days of the run.
    """

    source: Path
    judge: str
    effort: str | None
    rubric: str | Rubric
    concurrency: int
    rows: int
    runs: Path
    run_id: str | None = None
    resume: bool = False
    skip_bad: bool = False
    limit: int | None = None
    produced: int | None = None
    parent: RunFile | None = None
    fixed_clock: str | None = None
    prices: Path | None = None
    max_cost: Fraction | None = None
    extras: Extras = NO_EXTRAS
    batch: BatchPolicy | None = None
    timeout: float = TIMEOUT
    closed: Closed | None = None
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Judged:
    """A finished run: its folder, and what the judging came to."""

    folder: Path
    totals: JudgingTotals


def judge_capture(
    order: JudgeOrder,
    clock: Callable[[], datetime],
    on_progress: OnProgress,
    say: Callable[[str], None] = lambda _line: None,
) -> Judged:
    """Judges captured turns and keeps the finished run.

    Args:
        order: What is to be done.
        clock: Tells the time, with its zone.
        on_progress: Is told how far it is.
        say: Prints a line for a person, about the batches that are sent and awaited.

    Raises:
        ReportgenError: The turns, the rubric, the judge or the disk do not allow it; what was paid for is kept.
    """
    rubric = rubric_of(order)
    require_unchanged_rubric(order.runs, rubric)
    return asyncio.run(_judge(order, rubric, clock, on_progress, say))


def rubric_of(order: JudgeOrder) -> Rubric:
    """The rubric to judge by, read where the order only names it.

    Raises:
        RubricError: It cannot be read, or is wrong.
    """
    return order.rubric if isinstance(order.rubric, Rubric) else load_rubric(order.rubric)


async def _judge(
    order: JudgeOrder,
    rubric: Rubric,
    clock: Callable[[], datetime],
    on_progress: OnProgress,
    say: Callable[[str], None],
) -> Judged:
    prices = load_prices(order.prices)
    budget = Budget(order.max_cost, prices)
    backend = open_backend(order.judge, order.effort, order.timeout)
    if order.batch is not None:
        require_batches(backend)
    async with backend:
        budget.require_price(backend.judge, clock())
        folder = _choose_folder(order, rubric, backend.judge, clock())
        opened = Journal(folder, order.closed.way_on) if order.closed else Journal(folder)
        with opened as journal, _kept_for_resume(folder, journal, order):
            require_unclosed(folder)
            if is_finished(folder):
                # It was killed right after its seal.
                close_run(folder)
                return Judged(folder, NOTHING)
            manifest = _prepare(folder, order, rubric, backend.judge, clock())
            plan = build_plan(folder, manifest, rubric, order.extras)
            # Where the clock is fixed, no request takes any time, so that the example comes out the same each time.
            passing = time.monotonic if order.fixed_clock is None else lambda: 0.0
            around = Surroundings(clock, passing, asyncio.sleep, random.random)
            total = plan.count()
            policy = Policy(order.concurrency, timeout=order.timeout)
            question = Question(folder, plan.requests, total, backend, budget, policy, order.batch, around, say)
            totals = await ask_for_verdicts(question, journal, on_progress)
            canaries = plan.settle(journal)
            journal.finish(plan.order())
            finish_run(folder, _priced(plan, prices, canaries or ()), rubric, system_prompts(rubric), clock(), canaries)
    return Judged(folder, totals)


def _priced(plan: Plan, prices: Sequence[Price], canaries: Sequence[Canary]) -> Manifest:
    """The manifest with the prices by which the answers of the run are charged; none of them where nobody was asked.

    It also says how many batches the answers came from.
    """

    def verdicts() -> Iterator[Verdict]:
        return chain(read_records(Verdict, plan.folder / VERDICTS), *(canary.verdicts for canary in canaries))

    used = used_prices(verdicts(), prices)
    return plan.manifest.model_copy(update={"prices": used or None, "batches": count_batches(verdicts())})


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
def _kept_for_resume(folder: Path, journal: Journal, order: JudgeOrder) -> Iterator[None]:
    """Where the work stops, a run with verdicts is kept and the error says how to go on.

    A folder without any goes again, if it was made by this very call.
    """
    try:
        yield
    except (ReportgenError, asyncio.CancelledError, KeyboardInterrupt) as error:
        kept, going_on = journal.answered, describe_open(folder)
        if not len(journal) and not going_on:
            if not order.resume:
                shutil.rmtree(folder, ignore_errors=True)
            way_on = "Nothing was judged yet; begin again."
        else:
            way_on = f"{plural(kept, 'verdict')} kept" + _say_way_on(folder, error, order)
            way_on += f"\n  {going_on}" if going_on else ""
        if not isinstance(error, ReportgenError):
            raise InterruptionError("Interrupted", way_on) from None
        if kept or going_on:
            error.fix += f"\n  {way_on}"
        raise


def _say_way_on(folder: Path, error: BaseException, order: JudgeOrder) -> str:
    """How to go on, where the same command can; an error in what is to be judged says by itself what has to change."""
    is_refusal = isinstance(error, CaptureError | TermsError)
    if order.closed and not is_refusal:
        return f"; {order.closed.way_on}"
    return "" if is_refusal else f"; go on with the same command and --resume --run-id {folder.name}"


def _prepare(folder: Path, order: JudgeOrder, rubric: Rubric, judge: Judge, now: datetime) -> Manifest:
    """Takes the turns in, or makes sure that they are those of the unfinished run, and keeps the draft."""
    intake = Intake(order.source, order.skip_bad, order.limit, order.produced)
    take_in(folder, intake)
    draft = load_draft(folder) if (folder / DRAFT).exists() else None
    parent, closed, terms = order.parent, order.closed, build_terms(rubric, judge, order.rows)
    manifest = Manifest(
        run_id=folder.name,
        program=f"reportgen {__version__}",
        **{name: value for name, value in terms if name != "format"},
        sources=parent.manifest.sources if parent else (intake.origin(),),
        capture=parent.manifest.capture if parent else intake.counts(),
        started_at=draft.started_at if draft else closed.opened_at if closed else now,
        parent=name_parent(parent, "rejudged") if parent else None,
        predecessor=draft.predecessor if draft else find_predecessor(order.runs, rubric.id, judge),
        fixed_clock=order.fixed_clock,
        seed=order.extras.seed_for(folder, judge),
        timezone=draft.timezone if draft else None if order.timezone == "UTC" else order.timezone,
        repeats=order.extras.repeats_of(parent.manifest.capture.turns if parent else intake.turns),
    )
    if draft:
        require_same_terms(draft, manifest)
    if closed and closed.terms:
        require_pinned(closed.terms, terms, closed.name)
    save_draft(folder, manifest)
    return manifest
