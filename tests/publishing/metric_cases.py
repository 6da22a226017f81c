"""Turns that retrieve passages, judged by two metrics without a composite."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from reportgen.model.turn import Answer, Latency, Passage, Retrieval, Turn
from reportgen.model.verdict import Outcome, Reply, Verdict
from reportgen.publishing.report import Report
from reportgen.rubrics import load_rubric
from tests.publishing.conftest import BEGIN, make_report_by, make_turn, make_verdict

RUBRIC = load_rubric("rag-1")
RELEVANCE, FAITHFULNESS = "context-relevance", "faithfulness"
MetricCase = tuple[Turn, tuple[Verdict, ...]]


def make_rag_turn(number: int = 1, **changes: Any) -> Turn:
    """A turn that looked up two passages; four turns a day."""
    until = 20 + number / 100
    passages = (
        Passage(rank=1, id="p-1", source="hours.md", score=0.81, text=f"The ferry runs until {until:.2f}."),
        Passage(rank=2, id="p-2", source="fares.md", score=0.44, text="A day ticket costs 9 euros."),
    )
    retrieval = Retrieval(query="ferry hours", strategy="dense", top_k=2, status="ok", passages=passages)
    fields: dict[str, Any] = {
        "captured_at": BEGIN + timedelta(hours=6 * number),
        "question": "Until when does the ferry run?",
        "trajectory": (retrieval,),
        "answer": Answer(text=f"It runs until {until:.2f}."),
        "labels": {"collection": "ferries" if number % 3 else "buses", "engine": "dense"},
        "model": "answering-model",
        "latency": Latency(total_ms=2_450.0, retrieval_ms=180.0, generation_ms=2_200.0),
    }
    return make_turn(number, **(fields | changes))


def judge(turn: Turn, relevance: float | str | None, faithfulness: float | str | None) -> tuple[Verdict, ...]:
    """The verdicts of both calls; a text is how a call failed."""
    return _verdict(turn, RELEVANCE, relevance), _verdict(turn, FAITHFULNESS, faithfulness)


def _verdict(turn: Turn, name: str, value: float | str | None) -> Verdict:
    fields: dict[str, Any] = {"call": name, "rubric": RUBRIC.digest}
    if isinstance(value, str):
        outcome: Outcome = value  # type: ignore[assignment]
        return make_verdict(turn, **fields, outcome=outcome, reason="The judge declined.", reply=None)
    said = Reply(
        quotes=("The ferry runs until",),
        explanation=f"What was looked at is {name}.",
        scores={name: value},
        verdict="good" if value is None or value >= 0.8 else "partial" if value >= 0.5 else "poor",
        addressed_judge=False,
    )
    return make_verdict(turn, **fields, reply=said)


def make_metric_cases() -> list[MetricCase]:
    """A week: sound turns, each other corner, one call failed, both failed, and one without an answer's text."""
    values: list[tuple[float | str | None, float | str | None]] = [
        *[(round(0.9 + 0.05 * (number % 3), 2), round(1 - 0.05 * (number % 4), 2)) for number in range(18)],
        *[(0.95, 0.3), (0.8, 0.45)],
        *[(0.2, 0.9), (0.3, 1), (0.65, 0.95)],
        (0.1, 0.2),
        ("refused", 0.85),
        (0.7, "gave_up"),
        ("truncated", "refused"),
    ]
    cases = [(turn := make_rag_turn(number), judge(turn, *pair)) for number, pair in enumerate(values, start=1)]
    silent = make_rag_turn(len(cases) + 1, answer=Answer(not_captured="another program answers"))
    return [*cases, (silent, judge(silent, 0.75, None))]


def make_metric_report(cases: Sequence[MetricCase] | None = None) -> Report:
    return make_report_by(RUBRIC, make_metric_cases() if cases is None else cases)
