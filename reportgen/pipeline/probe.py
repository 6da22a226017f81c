"""Probes on a finished run: does the order of the evidence matter, and the length of the answer?"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.drawing import draw_turns, stratum_of
from reportgen.analysis.pricing import used_prices
from reportgen.analysis.probes import measure_probe
from reportgen.analysis.rows import TurnRow
from reportgen.archive.annexes import ANNEXES, append_annex
from reportgen.archive.journal import Journal
from reportgen.archive.records import Records, open_records
from reportgen.archive.store import VERDICTS, read_records
from reportgen.assembly import read_rows
from reportgen.errors import InterruptionError, JudgeError, ReportgenError, RunError
from reportgen.judging.attempts import Surroundings
from reportgen.judging.backends import open_backend
from reportgen.judging.contract import Backend
from reportgen.judging.engine import judge_turns
from reportgen.judging.pacing import TIMEOUT, Policy
from reportgen.judging.probes import build_order_request, build_pair
from reportgen.judging.prompts import JudgeRequest, build_prompt
from reportgen.model.price import Price
from reportgen.model.probe import Pair, Probe, ProbeKind
from reportgen.model.run import Manifest
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.pipeline.asking import OnProgress
from reportgen.pipeline.budget import Budget
from reportgen.prices import load_prices
from reportgen.scoring.readings import is_same

JOURNAL = ANNEXES / "order-probe"
"""Where verdicts on reordered evidence are kept as they come, so that none is paid for twice."""


@dataclass(frozen=True, slots=True)
class ProbeOrder:
    """Which probe of which finished run; all but the kind matters to the order probe only.

    `prices` is a price file of the user's, `max_cost` the most that probing this run may cost, in US dollars,
    `timeout` how many seconds one attempt may take.
    """

    folder: Path
    kind: ProbeKind
    turns: int
    concurrency: int
    prices: Path | None = None
    max_cost: Fraction | None = None
    timeout: float = TIMEOUT


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The turns that are judged again, with their scores in the run."""

    turns: tuple[Turn, ...]
    scores: tuple[Score, ...]


def probe_run(order: ProbeOrder, clock: Callable[[], datetime], on_progress: OnProgress) -> Probe:
    """Probes a finished run and keeps the result in its annexes.

    Raises:
        JudgeError: The judge of the run cannot be asked.
        CostLimitError: The limit on the cost did not allow to ask for all; what was paid for is kept.
        RunError: The run cannot be read, or its annexes not be written.
    """
    records = open_records(order.folder)
    rows = read_rows(records)
    pairs, prices = tuple[Pair, ...](), load_prices(order.prices)
    if order.kind == "order":
        _require_one_judge(records.run.manifest)
        pairs = asyncio.run(_judge_again(order, records, prices, clock, on_progress))
    probe = _build(order.kind, records, rows, pairs, clock())
    used = used_prices((verdict for pair in pairs for verdict in pair.verdicts), prices)
    probe = probe.model_copy(update={"prices": used or None})
    append_annex(order.folder, probe)
    return probe


def _build(kind: ProbeKind, records: Records, rows: Sequence[TurnRow], pairs: tuple[Pair, ...], now: datetime) -> Probe:
    found = measure_probe(kind, pairs, rows, records.run.rubric)
    return Probe(
        kind=kind,
        seal=records.run.seal,
        asked_at=now.replace(microsecond=0),
        program=f"reportgen {__version__}",
        estimate=found.estimate,
        flips=found.flips,
        metrics=found.metrics,
        pairs=pairs,
    )


def _require_one_judge(manifest: Manifest) -> None:
    """Makes sure that the run has a judge that can be asked again in the same way.

    Raises:
        JudgeError: Its verdicts were replayed.
        RunError: It combines or rescores other runs.
    """
    if manifest.judge.provider == "recorded":
        raise JudgeError(
            f"The verdicts of {manifest.run_id} were replayed from a file; there is no judge to ask again",
            "Probe a run in which a judge model was asked, or probe the length of the answers.",
        )
    if manifest.panel or manifest.is_rescored:
        raise RunError(
            f"No judge was asked in the run {manifest.run_id}, which was made from other runs",
            "Probe the run in which the judge was asked.",
        )


async def _judge_again(
    order: ProbeOrder, records: Records, prices: Sequence[Price], clock: Callable[[], datetime], on_progress: OnProgress
) -> tuple[Pair, ...]:
    drawn, judge = _draw(records, order.turns), records.run.manifest.judge
    async with open_backend(f"{judge.provider}:{judge.model}", judge.effort, order.timeout) as backend:
        if not is_same(backend.judge, judge):
            raise JudgeError(
                f"The judge of the run was {judge.name} with other parameters than it would have now",
                "Ask it where and how it was asked for the run.",
            )
        budget = Budget(order.max_cost, prices)
        budget.require_price(backend.judge, clock())
        asked = _build_requests(drawn, records)
        with _open_journal(order.folder) as journal:
            budget.count(read_records(Verdict, order.folder / JOURNAL / VERDICTS))
            requests = [request for group in asked.values() for request in group]
            open_ones = [request for request in requests if not journal.is_answered(request.turn, request.key)]
            done = len(requests) - len(open_ones)
            await _ask(
                open_ones,
                backend,
                journal,
                budget,
                Policy(order.concurrency, timeout=order.timeout),
                clock,
                lambda kept: on_progress(done + kept, len(requests), None),
            )
            return tuple(_read_pairs(drawn, asked, journal, records))


def _build_requests(drawn: _Drawn, records: Records) -> dict[str, list[JudgeRequest]]:
    """For each drawn turn the requests with its evidence in another order."""
    manifest, rubric = records.run.manifest, records.run.rubric
    prompts = [build_prompt(rubric, call, manifest.judge) for call in rubric.calls]
    return {
        turn.id: [build_order_request(turn, prompt, manifest.evidence) for prompt in prompts] for turn in drawn.turns
    }


def _draw(records: Records, wanted: int) -> _Drawn:
    """Scored turns, drawn by client and surface; the seed is that of the run, or else its seal."""
    run = records.run
    erased = run.manifest.erased
    scored = {score.turn: score for score in records.scores() if score.unscored is None and score.turn not in erased}
    places = ((turn.id, stratum_of(turn.labels)) for turn in records.turns() if turn.id in scored)
    chosen = draw_turns(run.manifest.seed or run.seal, places, wanted)
    turns = tuple(turn for turn in records.turns() if turn.id in chosen)
    return _Drawn(turns, tuple(scored[turn.id] for turn in turns))


def _open_journal(folder: Path) -> Journal:
    try:
        (folder / JOURNAL).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(
            f"{folder / JOURNAL} cannot be made: {error.strerror}", "Copy the run to a folder that can be written."
        ) from None
    return Journal(folder / JOURNAL)


async def _ask(  # noqa: PLR0917 - what the engine needs
    requests: Sequence[JudgeRequest],
    backend: Backend,
    journal: Journal,
    budget: Budget,
    policy: Policy,
    clock: Callable[[], datetime],
    tell: Callable[[int], None],
) -> None:
    """Asks what the journal does not hold yet; what is interrupted goes on when the probe is asked for again.

    Raises:
        ReportgenError: The judge cannot be asked, the disk does not allow it, or the work was interrupted.
    """
    tell(0)
    try:
        await judge_turns(
            budget.within(iter(requests)),
            backend,
            budget.counting(journal.append),
            policy=policy,
            surroundings=Surroundings(clock, time.monotonic, asyncio.sleep, random.random),
            on_progress=lambda progress: tell(progress.answered),
        )
        budget.require_whole()
    except ReportgenError as error:
        error.fix += f"\n  {_WAY_ON}"
        raise
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise InterruptionError("Interrupted", _WAY_ON) from None


_WAY_ON = "What was judged is kept; the same command goes on with it."


def _read_pairs(
    drawn: _Drawn, asked: Mapping[str, Sequence[JudgeRequest]], journal: Journal, records: Records
) -> Iterator[Pair]:
    for turn, score in zip(drawn.turns, drawn.scores, strict=True):
        verdicts = [journal.read(request.turn, request.key) for request in asked[turn.id]]
        yield build_pair(turn, score, verdicts, records.run.rubric)
