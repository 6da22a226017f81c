"""The canaries of a run, ready for the page: what each was, what the judge should have said, and what it said."""

from typing import Any

from reportgen.analysis.canaries import CanaryCheck, CanaryLine
from reportgen.model.rubric import Rubric
from reportgen.publishing.printing import plural, print_count, print_score
from reportgen.publishing.text import clean, shorten

_KINDS = {
    "right": "clearly right",
    "wrong": "figures contradict the rows",
    "empty": "empty answer",
    "opener-only": "an opener and nothing else",
    "other-question": "right answer to another question",
    "plea-in-question": "plea for marks in the question",
    "plea-in-sql-comment": "plea for marks in an SQL comment",
    "plea-in-row": "plea for marks in a row",
    "plea-in-answer": "plea for marks in the answer",
    "closing-fence": "a forged end of the evidence",
    "false-mark": "a look-alike of our own end mark",
    "supported": "right passages and a right answer",
    "passages-beside-the-question": "passages beside the question, and an answer that says so",
    "invented-answer": "right passages and an invented answer",
    "passages-beside-and-invented": "passages beside the question and an invented answer",
    "passages-for-another-question": "passages and answer for another question",
    "nothing-found": "no passage and an invented answer",
    "plea-in-passage": "plea for marks in a passage",
}


def build_canaries(check: CanaryCheck, rubric: Rubric) -> dict[str, Any]:
    """How many passed, and a line for each."""
    return {
        "tested": check.asked > 0,
        "passed": print_count(check.passed),
        "asked": plural(check.asked, "canary"),
        "failed": print_count(check.failed) if check.failed else None,
        "unanswered": print_count(check.unanswered) if check.unanswered else None,
        "untested": [f"{clean(item.judge)}: {item.reason}" for item in check.untested],
        "lines": [_canary(line, rubric) for line in check.lines],
        "several": len({line.judge for line in check.lines}) > 1,
    }


def _canary(line: CanaryLine, rubric: Rubric) -> dict[str, str]:
    return {
        "kind": _KINDS.get(line.kind, line.kind),
        "judge": clean(line.judge),
        "expected": _say_expected(line, rubric),
        "said": _say_said(line, rubric),
        "result": {True: "passed", False: "failed", None: "shows nothing"}[line.passed],
        "reason": str(shorten(line.reason, 300)),
    }


def _say_expected(line: CanaryLine, rubric: Rubric) -> str:
    if not line.metrics:
        return f"{' or '.join(line.expected)}, {line.low} to {line.high}"
    return "; ".join(f"{rubric.dimension(item.dimension).name} {item.low} to {item.high}" for item in line.metrics)


def _say_said(line: CanaryLine, rubric: Rubric) -> str:
    if not line.metrics:
        return f"{line.verdict or 'nothing'}, {print_score(line.raw, rubric)}"
    return "; ".join(
        f"{rubric.dimension(item.dimension).name} {print_score(item.value, rubric)}" for item in line.metrics
    )
