"""A judge in memory, and a clock that only moves when somebody sleeps."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

from reportgen.judging.contract import BackendReply
from reportgen.model.verdict import Judge


def good_text(request):
    """A reply that is right in every field."""
    scores = dict.fromkeys(request.expected.dimensions, 8)
    reply = {"quotes": ["212"], "explanation": "It counts late orders.", "scores": scores}
    return json.dumps(reply | {"verdict": "good", "addressed_judge": False})


class ScriptedJudge:
    """Answers each turn by its script, one item an asking: a text, a reply, or an error; then properly."""

    def __init__(self, scripts=(), delay=0.0):
        self.judge = Judge(provider="fake", model="judge-1")
        self.scripts = {turn: list(items) for turn, items in dict(scripts).items()}
        self.delay = delay
        self.asked = []
        self.rooms = []
        self.in_flight = 0
        self.history = []

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc):
        pass

    async def ask(self, request, max_tokens):
        self.asked.append(request.turn)
        self.rooms.append(max_tokens)
        self.in_flight += 1
        self.history.append(self.in_flight)
        try:
            await asyncio.sleep(self.delay)
            return self._answer(request)
        finally:
            self.in_flight -= 1

    def _answer(self, request):
        script = self.scripts.get(request.turn)
        item = script.pop(0) if script else good_text(request)
        if isinstance(item, Exception):
            raise item
        return BackendReply(item, usage={"input_tokens": 10}) if isinstance(item, str) else item


class FakeClock:
    """Time that passes only in `sleep`; `slept` tells each of them."""

    def __init__(self):
        self.seconds = 0.0
        self.slept = []

    def now(self):
        return datetime(2026, 7, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self):
        return self.seconds

    async def sleep(self, seconds):
        self.slept.append(round(seconds, 3))
        await asyncio.sleep(0)
        self.seconds += seconds

    @property
    def surroundings(self):
        """To be given to `judge_with`."""
        return {"now": self.now, "monotonic": self.monotonic, "sleep": self.sleep, "chance": lambda: 0.0}
