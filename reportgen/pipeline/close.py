"""Closing an open run: its turns and verdicts become an ordinary run, which is finished and sealed like any other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from reportgen.archive.files import write_whole
from reportgen.archive.lock import locked
from reportgen.archive.open_marks import count_erased
from reportgen.archive.open_runs import OpenRun, clear_closed, find_open, name_closing
from reportgen.archive.open_turns import freeze_turns, list_turns, read_stored, thaw_turns
from reportgen.archive.open_verdicts import merge_journals
from reportgen.archive.store import DRAFT, VERDICTS, create_folder, is_closed, load_run
from reportgen.errors import StreamingError
from reportgen.judging.progress import NOTHING
from reportgen.model.opening import Closing, Terms
from reportgen.model.verdict import Judge
from reportgen.pipeline.asking import OnProgress
from reportgen.pipeline.begin import choose_run_id, require_plain_id
from reportgen.pipeline.budget import Budget
from reportgen.pipeline.judge import Judged, JudgeOrder, judge_capture, rubric_of
from reportgen.pipeline.opening import find_terms, require_collection
from reportgen.pipeline.periods import read_period
from reportgen.pipeline.stored import Unjudged, list_in_order
from reportgen.pipeline.terms import Closed, build_keys, require_pinned
from reportgen.prices import load_prices
from reportgen.publishing.printing import plural


@dataclass(frozen=True, slots=True)
class CloseOrder:
    """Which open run is closed. `finish`: turns without a verdict are judged now; `judging`: by whom, and how."""

    collection: str
    period: str
    finish: bool
    judging: JudgeOrder


def find_run(runs: Path, collection: str, period: str) -> OpenRun:
    """The open run of that collection and period, closed or not.

    Raises:
        StreamingError: There is none.
        PublicationError: It is no period.
    """
    require_collection(collection)
    run = find_open(runs, collection, read_period(period, "UTC").name)
    if run is None:
        raise StreamingError(
            f"There is no open run of {collection} for {period} in {runs}",
            "`reportgen queue` lists those that there are.",
        )
    return run


def close_run(
    order: CloseOrder, clock: Callable[[], datetime], on_progress: OnProgress, say: Callable[[str], None]
) -> Judged:
    """Closes an open run. Interrupted or killed at whatever moment, the same call goes on.

    Once it is known that it can be closed, no turn is accepted any more. The turns are put in order of the time of
    capture and then of the id, the verdicts of all workers into one journal; then the run is judged like any other,
    where only canaries and what is missing are left to be asked, and is sealed.

    Raises:
        StreamingError: There is no such open run, it has no turns, it is closed already, or verdicts are missing and
            are not to be asked for now.
        TermsError: The judge, the rubric or the limits are not those that it is pinned to.
        ReportgenError: As judging any capture.
    """
    run = find_run(order.judging.runs, order.collection, order.period)
    order = replace(order, judging=_limit(run, order.judging))
    with locked(run.folder):
        closing = run.closing
        if closing is not None and run.is_closed:
            raise StreamingError(
                f"The run of {run.opening} is closed as the run {closing.run}", f"`reportgen report {closing.run}`"
            )
        if closing is None:
            closing = _begin(run, order, clock())
        freeze_turns(run)
        return _finish(run, closing, order, clock, on_progress, say)


def _limit(run: OpenRun, judging: JudgeOrder) -> JudgeOrder:
    """What the open run may cost holds for closing it too, unless that is given a limit of its own."""
    if judging.max_cost is not None or run.limit is None:
        return judging
    return replace(judging, max_cost=run.limit.max_cost)


def _require_judge(run: OpenRun, judging: JudgeOrder, now: datetime) -> Terms:
    """The terms of the judge, who can be asked, and is the one that the run is pinned to."""
    terms = find_terms(judging, rubric_of(judging))
    if pinned := run.terms:
        require_pinned(pinned, terms, str(run.opening))
    Budget(judging.max_cost, load_prices(judging.prices)).require_price(terms.judge, now)
    return terms


def _begin(run: OpenRun, order: CloseOrder, now: datetime) -> Closing:
    """Ends the intake and names the run that the open one becomes; once it has a name there is no way back."""
    terms = _require_judge(run, order.judging, now)
    unjudged = Unjudged(run, build_keys(rubric_of(order.judging), terms))
    try:
        # Counted first while turns are taken in, since that reads all of them; afterwards only what is new is read.
        _require_ready(unjudged, order)
        freeze_turns(run)
        _require_ready(unjudged, order)
        return name_closing(run, Closing(run=_choose_id(order.judging, terms.judge, now)))
    except BaseException:
        if run.closing is None:
            thaw_turns(run)
        raise


def _choose_id(judging: JudgeOrder, judge: Judge, now: datetime) -> str:
    run_id = judging.run_id or choose_run_id(judging.runs, now, rubric_of(judging), judge)
    require_plain_id(run_id)
    if (judging.runs / run_id).exists():
        raise StreamingError(f"There is a run {run_id} already", "Choose another --run-id.")
    return run_id


def _require_ready(unjudged: Unjudged, order: CloseOrder) -> None:
    opening = unjudged.run.opening
    missing = sum(1 for _ in unjudged.find(final=True))
    if not unjudged.handed_in:
        raise StreamingError(f"No turn was handed in for {opening}", "There is nothing to close.")
    if missing and not order.finish:
        raise StreamingError(
            f"{plural(missing, 'turn')} of {unjudged.handed_in:,} for {opening} have no verdict yet",
            "Wait for the workers (`reportgen queue` shows how far they are), or judge the rest now by --finish.",
        )


def _finish(  # noqa: PLR0917 - what closing needs
    run: OpenRun,
    closing: Closing,
    order: CloseOrder,
    clock: Callable[[], datetime],
    on_progress: OnProgress,
    say: Callable[[str], None],
) -> Judged:
    folder = order.judging.runs / closing.run
    judged = Judged(folder, NOTHING)
    if not is_closed(folder):
        source = _gather(run, folder, say)
        judged = judge_capture(_build_order(run, closing, order, source), clock, on_progress, say)
    _source_of(run).unlink(missing_ok=True)
    clear_closed(run, closing.model_copy(update={"seal": load_run(folder).seal}))
    return judged


def _build_order(run: OpenRun, closing: Closing, order: CloseOrder, source: Path) -> JudgeOrder:
    opening = run.opening
    way_on = "go on with the same `reportgen close`"
    closed = Closed(str(opening), run.terms, opening.opened_at, way_on)
    judging = replace(order.judging, source=source, run_id=closing.run, resume=True)
    return replace(judging, closed=closed, timezone=opening.timezone)


def _gather(run: OpenRun, folder: Path, say: Callable[[str], None]) -> Path:
    """The turns as a capture, and the verdicts in the folder of the run, both whole or not at all."""
    source = _source_of(run)
    if erased := count_erased(run):
        say(f"{plural(erased, 'turn')} of what was handed in had been erased on request, and the run has none of it")
    if not source.exists():
        paths = list_in_order(run)
        write_whole(source, _read_all(paths))
        if torn := sum(1 for _ in list_turns(run)) - len(paths):
            say(f"{plural(torn, 'turn')} had not been accepted yet when the power went, and are left out")
    if not folder.exists():
        create_folder(folder.parent, folder.name)
    if not (folder / DRAFT).exists() and (dropped := merge_journals(run, folder / VERDICTS)):
        say(f"{plural(dropped, 'verdict')} had been given twice; the first of each is kept")
    return source


def _source_of(run: OpenRun) -> Path:
    """The turns of an open run as one capture, under the name that the run states as its source."""
    return run.folder / f"{run.opening.collection}-{run.opening.period}.jsonl"


def _read_all(paths: list[Path]) -> Iterator[bytes]:
    for path in paths:
        line = read_stored(path)
        assert line is not None
        yield line
