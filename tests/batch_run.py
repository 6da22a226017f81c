"""Judges turns in batches that are small and looked at often: `python -m tests.batch_run TURNS RUN_ID [MOST_OPEN]`.

For tests that kill it. It sends so many batches, three where nothing is said, and waits for one of them to end.
"""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from reportgen.cli import end_of
from reportgen.judging.batch_contract import BatchPolicy
from reportgen.judging.pacing import Policy
from reportgen.pipeline.judge import JudgeOrder, judge_capture

QUICK = BatchPolicy(
    size=25,
    group=5,
    first_look=0.02,
    longest_look=0.05,
    appear=0.3,
    missing=5,
    patience=20,
    retry=Policy(wait=0.01, longest_wait=0.1),
)


def make_order(turns, run_id, *, resume=False, batch=QUICK, **more):
    return JudgeOrder(
        source=Path(turns),
        judge="anthropic:claude-opus-5-5",
        effort="low",
        rubric="sql-agent-1",
        concurrency=4,
        rows=20,
        runs=Path("runs"),
        run_id=run_id,
        resume=resume,
        batch=batch,
        **more,
    )


def judge(order, say=lambda line: None):
    return judge_capture(order, lambda: datetime.now(UTC), lambda done, total, trouble: None, say)


if __name__ == "__main__":
    turns, run_id, most_open = [*sys.argv[1:], "3"][:3]
    policy = replace(QUICK, most_open=int(most_open))
    sys.exit(end_of(lambda: judge(make_order(turns, run_id, batch=policy), print)))
