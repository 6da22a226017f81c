"""The bundled example: real turns on a real database, with verdicts that were written for it."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from reportgen.judging.pacing import Policy
from reportgen.pipeline.asking import OnProgress
from reportgen.pipeline.judge import JudgeOrder, judge_capture
from reportgen.pipeline.publish import Published, ReportOrder, publish_report
from reportgen.pipeline.revising import Terms
from reportgen.publishing.look.look import Look
from reportgen.resources import resource

RUN_ID = "2026-08-01T0600Z-sql-agent-1-example-verdicts"
MOMENT = datetime(2026, 8, 1, 6, 0, tzinfo=UTC)
_WHY_FIXED = (
    "All times of this run are fixed at 2026-08-01 06:00 UTC, so that the example gives the same bytes on each machine."
)


def make_demo(
    out: Path, formats: tuple[str, ...], title: str, look: Look, on_progress: OnProgress
) -> tuple[Path, Published]:
    """Judges the example turns with recorded verdicts, and writes run and report into a folder.

    An example run that is there from before is made anew.
    """
    examples = resource("examples") / "sql"
    order = JudgeOrder(
        source=examples / "turns.jsonl",
        judge=f"recorded:{examples / 'example-verdicts.jsonl'}",
        effort=None,
        rubric="sql-agent-1",
        concurrency=Policy().concurrency,
        rows=20,
        runs=out / "runs",
        run_id=RUN_ID,
        fixed_clock=_WHY_FIXED,
    )
    shutil.rmtree(order.runs / RUN_ID, ignore_errors=True)
    judged = judge_capture(order, lambda: MOMENT, on_progress)
    report = ReportOrder(formats, title, out, terms=Terms(generated_at=MOMENT), look=look)
    return judged.folder, publish_report(judged.folder, report, MOMENT)
