"""Runs of the bundled examples, by the verdicts that were written for them."""

from datetime import datetime
from pathlib import Path

from reportgen.pipeline.demo import EXAMPLES
from reportgen.pipeline.judge import JudgeOrder, judge_capture
from reportgen.resources import resource


def judge_example(runs: Path, moment: datetime, *, name="sql", turns="turns.jsonl", limit=None) -> Path:
    folder = resource("examples") / name
    order = JudgeOrder(
        source=folder / turns,
        judge=f"recorded:{folder / 'example-verdicts.jsonl'}",
        effort=None,
        rubric=EXAMPLES[name].rubric,
        concurrency=4,
        rows=20,
        runs=runs,
        run_id="judged",
        limit=limit,
    )
    return judge_capture(order, lambda: moment, lambda done, total, trouble: None).folder
