"""Facts over the statuses of a trajectory: each with what triggers it and what must not."""

import pytest

from reportgen.model.turn import Turn
from reportgen.scoring.caps import FACTS

ANSWER = {"text": "There were 12."}
ABSENT = {"not_captured": "composed elsewhere"}
BLOCK = {"kind": "guardrail", "rule": "read-only"}


def sql(status):
    return {"kind": "sql", "text": "select 1", "status": status}


def tool(output, status="ok"):
    return {"kind": "tool", "name": "chart", "status": status, "output": output}


def facts(trajectory, answer=ANSWER):
    turn = Turn.from_data(
        {
            "id": "t1",
            "captured_at": "2026-07-01T09:00:00Z",
            "question": "How many?",
            "agent": {"name": "helper"},
            "trajectory": trajectory,
            "answer": answer,
        }
    )
    return {name for name, holds in FACTS.items() if holds(turn)}


@pytest.mark.parametrize(
    ("trajectory", "holds"),
    [
        ([sql("error")], True),
        ([sql("timeout"), sql("error")], True),
        ([sql("error"), sql("blocked")], True),
        ([sql("error"), sql("ok")], False),
        ([sql("ok"), sql("error")], False),
        ([sql("blocked"), BLOCK], False),
        ([sql("cancelled")], False),
        ([], False),
    ],
)
def test_all_sql_failed_counts_only_statements_that_were_executed(trajectory, holds):
    assert ("all-sql-failed" in facts(trajectory)) is holds


@pytest.mark.parametrize(
    ("trajectory", "answer", "holds"),
    [
        ([sql("ok"), sql("timeout")], ABSENT, True),
        ([sql("error")], {"text": " \n"}, True),
        ([tool(None, "error")], ABSENT, True),
        ([sql("error")], ANSWER, False),
        ([sql("error"), sql("ok")], ABSENT, False),
        ([sql("blocked")], ABSENT, False),
        ([sql("error"), BLOCK], ABSENT, False),
        ([], ABSENT, False),
    ],
)
def test_ended_in_error_looks_at_the_last_event_and_at_the_answer(trajectory, answer, holds):
    assert ("ended-in-error" in facts(trajectory, answer)) is holds


@pytest.mark.parametrize(
    ("text", "holds"), [("", True), (" \n\t", True), ("...", True), ("—\u200b!", True), ("0", False), ("✓", False)]
)
def test_an_answer_of_white_space_and_punctuation_is_empty(text, holds):
    assert ("empty-answer" in facts([sql("ok")], {"text": text})) is holds


def test_an_answer_that_was_not_captured_is_not_an_empty_one():
    assert facts([sql("ok")], ABSENT) == {"answer-not-captured"}


@pytest.mark.parametrize(
    ("trajectory", "answer", "holds"),
    [
        ([], ABSENT, True),
        ([], {"text": ""}, True),
        ([tool("  ")], ABSENT, True),
        ([], ANSWER, False),
        ([tool("42")], ABSENT, False),
        ([BLOCK], ABSENT, False),
        ([sql("cancelled")], ABSENT, False),
        ([{"kind": "schema", "target": "tables", "status": "ok", "output": "a, b"}], ABSENT, False),
    ],
)
def test_nothing_done_means_no_sql_no_output_no_block_and_no_answer(trajectory, answer, holds):
    assert ("nothing-done" in facts(trajectory, answer)) is holds
