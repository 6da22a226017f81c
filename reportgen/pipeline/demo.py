"""The bundled examples: turns that were really played, with verdicts that were written for them."""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reportgen.judging.pacing import Policy
from reportgen.pipeline.asking import OnProgress
from reportgen.pipeline.judge import JudgeOrder, judge_capture
from reportgen.pipeline.publish import Published, ReportOrder, publish_report
from reportgen.pipeline.revising import Terms
from reportgen.publishing.look.look import Look
from reportgen.resources import resource


@dataclass(frozen=True, slots=True)
class Example:
    """A folder of `examples` with turns and recorded verdicts, its rubric, and the moment that its run is made at."""

    rubric: str
    moment: datetime

    @property
    def run_id(self) -> str:
        """The id of its run."""
        return f"{self.moment:%Y-%m-%dT%H%MZ}-{self.rubric}-example-verdicts"

    @property
    def fixed_clock(self) -> str:
        """Why the times of its run are all the same."""
        return (
            f"All times of this run are fixed at {self.moment:%Y-%m-%d %H:%M} UTC, so that the example gives the same "
            "bytes on each machine."
        )


EXAMPLES = {
    "sql": Example("sql-agent-1", datetime(2026, 8, 1, 6, 0, tzinfo=UTC)),
    "rag": Example("rag-1", datetime(2026, 9, 21, 6, 0, tzinfo=UTC)),
}
"""Each example by the name of its folder."""


def make_demo(
    out: Path, formats: tuple[str, ...], title: str, look: Look, on_progress: OnProgress, *, name: str = "sql"
) -> tuple[Path, Published]:
    """Judges the turns of an example with recorded verdicts, and writes run and report into a folder.

    An example run that is there from before is made anew.
    """
    example = EXAMPLES[name]
    order = _order(resource("examples") / name, example, out / "runs")
    shutil.rmtree(order.runs / example.run_id, ignore_errors=True)
    judged = judge_capture(order, lambda: example.moment, on_progress)
    report = ReportOrder(formats, title, out, terms=Terms(generated_at=example.moment), look=look)
    return judged.folder, publish_report(judged.folder, report, example.moment)


def _order(folder: Path, example: Example, runs: Path) -> JudgeOrder:
    return JudgeOrder(
        source=folder / "turns.jsonl",
        judge=f"recorded:{folder / 'example-verdicts.jsonl'}",
        effort=None,
        rubric=example.rubric,
        concurrency=Policy().concurrency,
        rows=20,
        runs=runs,
        run_id=example.run_id,
        fixed_clock=example.fixed_clock,
    )
