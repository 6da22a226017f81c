"""A provider of batches in memory, with a clock of its own, so that days pass in no time."""

import asyncio
import json
import random
from datetime import UTC, datetime, timedelta

from reportgen.archive.batch_journal import BatchJournal
from reportgen.archive.journal import Journal
from reportgen.judging.attempts import Surroundings
from reportgen.judging.batch_contract import BatchInfo, BatchPolicy, BatchResult
from reportgen.judging.batch_desk import Desk, custom_id
from reportgen.judging.batches import Batching
from reportgen.judging.contract import BackendReply, Retryable, Unanswerable
from reportgen.judging.pacing import Policy
from reportgen.judging.prompts import build_requests
from reportgen.model.verdict import Judge
from reportgen.rubrics import load_rubric
from tests.judging.makers import make_turn

JUDGE = Judge(provider="anthropic", model="claude-opus-5-5", effort="low")
RUBRIC = load_rubric("sql-agent-1")
SMALL = BatchPolicy(size=3, group=2, streak=3, retry=Policy(wait=1.0))


class Clock:
    """Time that passes only where somebody sleeps; `sleeps` says for how long."""

    def __init__(self):
        self.sleeps = []

    def now(self):
        return datetime(2026, 7, 1, tzinfo=UTC) + timedelta(seconds=self.monotonic())

    def monotonic(self):
        return sum(self.sleeps)

    async def sleep(self, seconds):
        self.sleeps.append(seconds)
        await asyncio.sleep(0)

    def surroundings(self):
        return Surroundings(self.now, self.monotonic, self.sleep, lambda: 0.5)


class Crash(BaseException):
    """The process is gone."""


class Steps:
    """Counts the steps that a session takes, and crashes at one of them."""

    def __init__(self, crash_at=0):
        self.taken, self.crash_at = 0, crash_at

    def __call__(self):
        self.taken += 1
        if self.taken == self.crash_at:
            raise Crash


def ok():
    scores = {dimension.id: 7 for dimension in RUBRIC.dimensions}
    reply = {"quotes": [], "explanation": "Fine.", "scores": scores, "verdict": "good", "addressed_judge": False}
    return BackendReply(json.dumps(reply), model=JUDGE.model, usage={"output_tokens": 9, "service_tier": "batch"})


def truncated():
    return BackendReply("{", stop="truncated", usage={"output_tokens": 12_000, "service_tier": "batch"})


def expired():
    return Retryable("expired")


def rejected():
    return Unanswerable("invalid_request_error: no")


class Provider:
    """Answers batches after `looks` looks.

    Attributes:
        fates: For a turn what comes of its requests, one after the other; afterwards, and for other turns, `ok`.
        creating: What becomes of the next creations: `kept` breaks the line after it, `lost` before it; an exception is
            raised instead.
        made: All batches: their infos and items.
    """

    def __init__(self, clock, looks=2, **fates):
        self.clock, self.looks = clock, looks
        self.fates = {turn: list(fate) for turn, fate in fates.items()}
        self.creating, self.downloading = [], []
        self.made, self.results_of, self.looked = {}, {}, {}
        self.gone, self.canceled = set(), set()
        self.steps = Steps()

    async def create(self, items):
        self.steps()
        fault = self.creating.pop(0) if self.creating else None
        if isinstance(fault, Exception):
            raise fault
        if fault == "lost":
            raise Retryable("the connection failed")
        info = self.add(items)
        self.steps()
        if fault == "kept":
            raise Retryable("the connection failed")
        return info

    def add(self, items):
        name = f"batch-{len(self.made) + 1}"
        self.made[name] = (BatchInfo(name, "in_progress", len(items), self.clock.now()), list(items))
        self.results_of[name] = [self._result(item) for item in items]
        return self.made[name][0]

    def _result(self, item):
        fates = self.fates.get(item.request.turn)
        fate = fates.pop(0) if fates else ok
        return BatchResult(item.custom_id, fate())

    async def retrieve(self, batch):
        self.steps()
        self.looked[batch] = self.looked.get(batch, 0) + 1
        if batch not in self.made:
            raise Retryable("HTTP 404", status=404)
        return self._info(batch)

    def _info(self, batch):
        info, _ = self.made[batch]
        if self.looked.get(batch, 0) < self.looks and batch not in self.canceled:
            return info
        ended = info.created_at + timedelta(minutes=10)
        return BatchInfo(info.id, "ended", info.count, info.created_at, ended, batch not in self.gone)

    async def newest(self):
        self.steps()
        for name in reversed(self.made):
            self.looked[name] = self.looked.get(name, 0) + 1
            yield self._info(name)

    async def results(self, batch):
        lines = list(self.results_of[batch])
        random.Random(batch).shuffle(lines)
        fault = self.downloading.pop(0) if self.downloading else None
        for number, line in enumerate(lines):
            self.steps()
            if fault == ("cut", number):
                raise Retryable("the connection failed")
            if fault == ("short", number):
                return
            yield line

    async def cancel(self, batch):
        self.canceled.add(batch)
        trouble = Retryable("cancelled")
        self.results_of[batch] = [
            BatchResult(result.custom_id, trouble, canceled=True) if number % 2 else result
            for number, result in enumerate(self.results_of[batch])
        ]
        return self.made[batch][0]

    @property
    def sent(self):
        """The custom ids of all requests of all batches."""
        return [item.custom_id for _, items in self.made.values() for item in items]


class Stepping:
    """A journal of batches each call of which may be the last, before or after it."""

    def __init__(self, log, steps):
        self._log, self._steps = log, steps

    def __getattr__(self, name):
        found = getattr(self._log, name)
        if not callable(found):
            return found

        def call(*arguments):
            self._steps()
            result = found(*arguments)
            self._steps()
            return result

        return call


class Bench:
    """A run of some turns in a folder, judged in one session after the other."""

    def __init__(self, folder, turns=7, clock=None, **fates):
        self.folder, self.clock = folder, clock or Clock()
        self.turns = [make_turn(number) for number in range(1, turns + 1)]
        self.provider = Provider(self.clock, **fates)
        self.said, self.drawn = [], 0
        folder.mkdir(parents=True, exist_ok=True)

    def requests(self):
        for request in build_requests(self.turns, RUBRIC, JUDGE):
            self.drawn += 1
            yield request

    def session(self, policy=SMALL, crash_at=0, within=lambda requests: requests):
        """One session; returns its totals."""
        self.provider.steps = steps = Steps(crash_at)
        return asyncio.run(self._session(policy, steps, within))

    async def _session(self, policy, steps, within):
        with Journal(self.folder) as journal:

            def keep(verdicts):
                steps()
                sync = journal.append(verdicts)
                steps()
                return sync

            log, around = Stepping(BatchJournal(self.folder), steps), self.clock.surroundings()
            desk = Desk("r", self.provider, JUDGE, journal, keep, log, policy, around, self.said.append)
            batching = Batching(self.requests, desk, within, lambda _progress: None)
            try:
                await batching.collect()
                await batching.ask()
            finally:
                await batching.close()
            return batching.totals()

    def verdicts(self):
        """The verdicts by turn, each with all its attempts, as a finished run has them."""
        with Journal(self.folder) as journal:
            journal.finish((request.turn, request.key) for request in build_requests(self.turns, RUBRIC, JUDGE))
        lines = (self.folder / "verdicts.jsonl").read_text().splitlines()
        return {verdict["turn"]: verdict for verdict in map(json.loads, lines)}

    def id_of(self, number):
        return custom_id("r", next(iter(build_requests([self.turns[number - 1]], RUBRIC, JUDGE))))

    def steps(self):
        """The steps of the journal of batches."""
        path = self.folder / "batches.jsonl"
        return [json.loads(line)["step"] for line in path.read_text().splitlines()] if path.exists() else []


def outcomes(verdict):
    return [attempt["outcome"] for attempt in verdict["attempts"]]
