"""Turns, and ways to judge them with the engine as it is."""

import asyncio
import random
import time
from datetime import UTC, datetime

from reportgen.judging.attempts import Surroundings
from reportgen.judging.engine import judge_turns
from reportgen.judging.pacing import Policy
from reportgen.judging.prompts import build_requests
from reportgen.model.turn import Turn

QUICK = Policy(concurrency=8, wait=0.01, grace=5)


def make_turn(number=1, question="How many orders shipped late in May?", **fields):
    """A turn with one statement and an answer; `fields` replace or add."""
    data = {
        "id": f"t{number}",
        "captured_at": "2026-06-02T09:30:00+02:00",
        "question": f"{question} ({number})",
        "labels": {"client": "Northwind"},
        "agent": {"name": "helper", "version": "3"},
        "trajectory": [
            {
                "kind": "sql",
                "text": "select count(*) from orders where shipped_at > due_at",
                "dialect": "sqlite",
                "status": "ok",
                "columns": ["late_orders"],
                "rows": [[212]],
                "row_count": 1,
            }
        ],
        "answer": {"text": "212 orders shipped late in May."},
    }
    return Turn.from_data(data | fields)


def make_faulty(fault, number=1, **fields):
    """A turn whose judging meets a fault of the loopback judge, such as `429-seconds` or `once half`."""
    return make_turn(number, f"How many? [fault {fault}]", **fields)


def surroundings(**replaced):
    """The real time, and chance from a fixed seed."""
    real = {
        "now": lambda: datetime.now(UTC),
        "monotonic": time.monotonic,
        "sleep": asyncio.sleep,
        "chance": random.Random(7).random,
    }
    return Surroundings(**(real | replaced))


def keep_in(kept):
    """Keeps verdicts in a list, where they are safe at once."""

    def keep(verdicts):
        kept.extend(verdicts)
        return lambda: None

    return keep


async def judge_with(backend, turns, rubric, *, policy=QUICK, keep=None, progress=None, **replaced):
    """Judges turns; returns the verdicts as they were kept, and the totals."""
    kept = []
    async with backend as judge:
        totals = await judge_turns(
            build_requests(turns, rubric, judge.judge),
            judge,
            keep or keep_in(kept),
            policy=policy,
            surroundings=surroundings(**replaced),
            on_progress=progress or (lambda _progress: None),
        )
    return kept, totals
