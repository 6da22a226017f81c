"""Asking for the verdicts of a run that are still to come: one by one, or in batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from reportgen.archive.batch_journal import BatchJournal
from reportgen.archive.journal import Journal
from reportgen.archive.store import VERDICTS, read_records
from reportgen.judging.attempts import Surroundings
from reportgen.judging.batch_contract import BatchPolicy
from reportgen.judging.contract import Backend
from reportgen.judging.engine import judge_turns
from reportgen.judging.keeping import Sync
from reportgen.judging.pacing import Policy
from reportgen.judging.progress import JudgingTotals, Progress
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Verdict
from reportgen.pipeline.batches import BatchSession, Phase, Tell, ask_batches, collect_batches, run_phases
from reportgen.pipeline.budget import Budget

OnProgress = Callable[[int, int, str | None], None]
"""Is told how many verdicts are there, how many there will be, and what just went wrong, if anything."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be asked, whom, and within which limits.

    `requests` gives all requests of the run, from the first on, as often as it is called; `total` is how many they are.
    `batch` is None where each request is to go by itself. `say` prints a line for a person.
    """

    folder: Path
    requests: Callable[[], Iterator[JudgeRequest]]
    total: int
    backend: Backend
    budget: Budget
    policy: Policy
    batch: BatchPolicy | None
    around: Surroundings
    say: Callable[[str], None]


async def ask_for_verdicts(question: Question, journal: Journal, on_progress: OnProgress) -> JudgingTotals:
    """Asks for each verdict that the journal does not hold yet; what open batches bring is not asked again.

    Raises:
        JudgeError: The judge cannot be asked any more.
        CostLimitError: The limit on the cost did not allow to ask for all.
        RunError: Verdicts cannot be kept.
    """
    session, budget = _open_session(question, journal), question.budget
    budget.count(read_records(Verdict, question.folder / VERDICTS))
    kept = sum(map(session.is_answered, question.requests()))
    on_progress(kept, question.total, None)

    async def ask_one_by_one(tell: Tell) -> JudgingTotals:
        return await judge_turns(
            session.within(request for request in question.requests() if not session.is_answered(request)),
            session.backend,
            session.keep,
            policy=question.policy,
            surroundings=session.around,
            on_progress=tell,
        )

    phases: list[Phase] = [partial(collect_batches, session)] if session.log.open else []
    phases.append(partial(ask_batches, session) if question.batch else ask_one_by_one)
    totals = await run_phases(
        phases, lambda progress: on_progress(kept + progress.answered, question.total, _say_trouble(progress))
    )
    budget.require_whole()
    return totals


def _say_trouble(progress: Progress) -> str | None:
    """What holds the judging up, in a few words."""
    if progress.trouble is None:
        return None
    wait = f"; all requests wait {progress.pause:.0f} s" if progress.pause >= 1 else ""
    return f"{progress.trouble}{wait}"


def _open_session(question: Question, journal: Journal) -> BatchSession:
    budget = question.budget

    def keep_collected(verdicts: Sequence[Verdict]) -> Sync:
        # Their requests were not drawn through the budget of this session.
        budget.count(verdicts)
        return journal.append(verdicts)

    return BatchSession(
        run=question.folder.name,
        requests=question.requests,
        within=budget.within,
        backend=question.backend,
        kept=journal,
        keep=budget.counting(journal.append),
        keep_collected=keep_collected,
        log=BatchJournal(question.folder),
        policy=question.batch or BatchPolicy(),
        around=question.around,
        say=question.say,
    )
