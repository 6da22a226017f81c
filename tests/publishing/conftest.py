"""Small runs made by hand, and the reports of them."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reportgen.analysis.findings import Material, build_findings
from reportgen.assembly import build_entry
from reportgen.model.revision import Revision
from reportgen.model.rubric import Rubric
from reportgen.model.run import Capture, EvidenceLimits, Manifest, RunFile, Source
from reportgen.model.turn import Agent, Answer, SqlStatement, Turn
from reportgen.model.verdict import Category, Judge, Reply, Verdict
from reportgen.publishing.report import Report, TurnEntry
from reportgen.record import Record, canonical, digest
from reportgen.rubrics import load_rubric
from reportgen.scoring.composite import score_turn

Case = tuple[Turn, Verdict]

BEGIN = datetime(2026, 7, 1, 9, 0, tzinfo=UTC)
GENERATED = datetime(2026, 7, 20, 9, 30, tzinfo=UTC)
JUDGE = Judge(provider="recorded", model="by-hand", note="The verdicts were written by hand for a test.")
DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")


def make_statement(**changes: Any) -> SqlStatement:
    fields: dict[str, Any] = {
        "text": "SELECT name, delay FROM trips ORDER BY delay DESC LIMIT 2",
        "dialect": "sqlite",
        "status": "ok",
        "duration_ms": 41.0,
        "columns": ("name", "delay"),
        "rows": (("Northern", 12), ("Eastern", 7.5)),
        "row_count": 2,
    }
    return SqlStatement(**(fields | changes))


def make_turn(number: int = 1, **changes: Any) -> Turn:
    fields: dict[str, Any] = {
        "id": f"turn-{number}",
        "conversation": f"conversation-{number // 2}",
        "captured_at": BEGIN + timedelta(hours=number),
        "question": "Which two lines were late most often?",
        "labels": {"client": "Harbour Lines", "region": "north" if number % 2 else "south"},
        "trajectory": (make_statement(),),
        "answer": Answer(text="**Northern** was late 12 times, Eastern 7.5 times."),
        "agent": Agent(name="helper", version="1.0"),
    }
    return Turn(**(fields | changes))


def make_verdict(turn: Turn, scores: Sequence[int | None] = (9, 8, 10, 10), **changes: Any) -> Verdict:
    verdict: Category = "good"
    reply = Reply(
        quotes=("Northern",),
        explanation="The two lines are named with their figures.",
        scores=dict(zip(DIMENSIONS, scores, strict=True)),
        verdict=verdict,
        addressed_judge=False,
    )
    fields: dict[str, Any] = {
        "key": "0" * 64,
        "turn": turn.id,
        "call": "turn",
        "judge": JUDGE,
        "rubric": load_rubric("sql-agent-1").digest,
        "evidence": "1" * 64,
        "outcome": "ok",
        "reply": reply,
    }
    return Verdict(**(fields | changes))


def make_failure(turn: Turn) -> Verdict:
    return make_verdict(turn, outcome="refused", reason="The judge declined.", reply=None)


def make_report(cases: Sequence[Case]) -> Report:
    return make_report_by(load_rubric("sql-agent-1"), [(turn, (verdict,)) for turn, verdict in cases])


def make_report_by(rubric: Rubric, cases: Sequence[tuple[Turn, tuple[Verdict, ...]]]) -> Report:
    """A report by any rubric: each turn with a verdict for each judge call."""
    scores = [score_turn(turn, verdicts, rubric, JUDGE.name) for turn, verdicts in cases]
    manifest = make_manifest(rubric, len(cases))
    files = {
        "turns.jsonl": digest_of_lines(turn for turn, _ in cases),
        "verdicts.jsonl": digest_of_lines(verdict for _, verdicts in cases for verdict in verdicts),
        "scores.jsonl": digest_of_lines(scores),
    }
    entries = [
        build_entry(number, turn, verdicts, score, rubric, manifest.evidence)
        for number, ((turn, verdicts), score) in enumerate(zip(cases, scores, strict=True), start=1)
    ]
    rows = [entry.row for entry in entries]
    findings = build_findings(Material(rows, rubric, manifest, turns=lambda: iter([turn for turn, _ in cases])))
    run = make_run(manifest, rubric, findings.summary, files)
    revision = Revision(number=1, seal=run.seal, generated_at=GENERATED, program=manifest.program)
    return Report(run, findings, revision, as_source(entries))


def as_source(entries: list[TurnEntry]) -> Callable[[], Any]:
    return lambda: iter(entries)


def digest_of_lines(records: Iterable[Record]) -> str:
    return hashlib.sha256(b"".join(canonical(record.to_data()) + b"\n" for record in records)).hexdigest()


def make_manifest(rubric: Rubric, turns: int) -> Manifest:
    return Manifest(
        run_id="2026-07-20T0900Z-sql-agent-1-by-hand",
        program="reportgen 0.1.0",
        rubric=rubric.id,
        rubric_version=rubric.version,
        rubric_digest=rubric.digest,
        judge=JUDGE,
        evidence=EvidenceLimits(),
        prompts={"turn": "2" * 64},
        sources=(Source(name="turns.jsonl", sha256="3" * 64),),
        capture=Capture(captured=turns, turns=turns),
        started_at=datetime(2026, 7, 20, 9, 0, tzinfo=UTC),
        finished_at=datetime(2026, 7, 20, 9, 10, tzinfo=UTC),
    )


def make_run(manifest: Manifest, rubric: Rubric, summary: Any, files: dict[str, str]) -> RunFile:
    prompts = {"turn": "Judge only from the evidence."}
    content: dict[str, Any] = {
        "manifest": manifest,
        "rubric": rubric,
        "system_prompts": prompts,
        "summary": summary,
        "files": files,
    }
    unsealed = RunFile(**content, seal="0" * 64).to_data()
    del unsealed["seal"]
    return RunFile(**content, seal=digest(unsealed))


@pytest.fixture
def cases() -> list[Case]:
    """Twelve turns: good ones, weak ones, one without an answer, one that failed throughout, one unscored."""
    made: list[Case] = []
    for number in range(1, 10):
        turn = make_turn(number)
        made.append((turn, make_verdict(turn, (10, 10 - number % 4, 10 - number, 9))))
    silent = make_turn(10, answer=Answer(not_captured="the client's own program answers"))
    failed = make_turn(
        11,
        trajectory=(
            make_statement(status="error", error="no such table: trip", columns=None, rows=None, row_count=None),
        ),
    )
    refused = make_turn(12)
    return [
        *made,
        (silent, make_verdict(silent, (9, 9, 8, None))),
        (failed, make_verdict(failed, (8, 5, 3, 6))),
        (refused, make_failure(refused)),
    ]


@pytest.fixture
def report(cases: list[Case]) -> Report:
    return make_report(cases)
