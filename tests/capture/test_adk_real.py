"""The ADK importer on a real capture, which is not part of the repository."""

import json
import re
from collections import Counter

import pytest

from reportgen.capture.importers import ImportReport, load_importer
from reportgen.model.turn import SchemaLookup, ToolCall, Turn
from tests.adk_capture import OPTIONS

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def imported(adk_capture):
    report = ImportReport()
    return list(load_importer("adk").read_turns(adk_capture, OPTIONS, report)), report


@pytest.fixture(scope="module")
def samples(adk_capture):
    return json.loads(adk_capture.read_text(encoding="utf-8"))["samples"]


def statements(turns):
    return [statement for turn in turns for statement in turn.statements]


def test_the_ten_runs_become_ten_turns_with_their_questions(imported, samples):
    turns, _ = imported
    assert [turn.id for turn in turns] == [sample["task_id"] for sample in samples]
    for turn, sample in zip(turns, samples, strict=True):
        assert turn.question
        assert turn.question in sample["adk_events"][0]["message"]
        assert not turn.question.startswith("Database")
        assert turn.labels == {"database": sample["database"]}
        assert turn.captured_at_assumed


def test_all_statements_are_there_in_order_and_none_that_was_handed_in(imported, samples):
    turns, _ = imported
    sent = [
        part["args"]["sql"]
        for sample in samples
        for event in sample["adk_events"][1:]
        for part in event["content"]["parts"]
        if part["type"] == "function_call" and part["name"] == "execute_sql"
    ]
    assert [statement.text for statement in statements(turns)] == sent
    assert len(sent) == 55
    assert "submit_sql" not in "".join(turn.model_dump_json() for turn in turns)


def test_every_call_of_a_tool_is_taken_or_left(imported, samples):
    turns, report = imported
    in_stream = Counter(
        part["name"]
        for sample in samples
        for event in sample["adk_events"][1:]
        for part in event["content"]["parts"]
        if part["type"] == "function_call"
    )
    taken = Counter(
        event.name if isinstance(event, ToolCall) else event.target.partition("(")[0]
        for turn in turns
        for event in turn.trajectory
        if isinstance(event, ToolCall | SchemaLookup)
    )
    taken["execute_sql"] = len(statements(turns))
    taken["submit_sql"] = report.left["calls of submit_sql with their results: it belongs to the test harness"]
    assert taken == in_stream
    assert in_stream.total() == 145


def test_every_text_of_the_assistant_is_taken_or_left(imported, samples):
    turns, report = imported
    texts = sum(
        part["type"] == "text"
        for sample in samples
        for event in sample["adk_events"][1:]
        for part in event["content"]["parts"]
    )
    answers = sum(turn.answer.text is not None for turn in turns)
    left = report.left["texts of the assistant that are not its answer (commentary between calls)"]
    notices = report.left["notices in place of a final answer, quoted as the reason why there is none"]
    assert (answers, notices) == (1, 9)
    assert answers + notices + left == texts


def test_each_statement_ends_with_rows_or_an_error(imported):
    turns, _ = imported
    assert Counter(statement.status for statement in statements(turns)) == {"ok": 52, "error": 3}
    for statement in statements(turns):
        if statement.status == "error":
            assert statement.error.startswith("SQL Error:")
            assert statement.rows is None
        else:
            assert statement.rows is not None


def test_the_empty_result_is_empty(imported):
    turns, _ = imported
    empty = [statement for statement in statements(turns) if statement.rows == ()]
    assert [(statement.columns, statement.row_count) for statement in empty] == [((), 0)]


def test_results_that_were_cut_have_no_row_count_and_say_so(imported):
    turns, _ = imported
    ended = [statement for statement in statements(turns) if statement.status == "ok"]
    cut = [statement for statement in ended if any("cut off" in note for note in statement.notes)]
    assert len(cut) == 7
    assert all(statement.row_count is None for statement in cut)
    assert all(statement.row_count == len(statement.rows) for statement in ended if statement not in cut)


def test_what_was_read_as_rows_can_be_found_in_the_capture_word_for_word(imported, samples):
    turns, _ = imported
    for turn, sample in zip(turns, samples, strict=True):
        captured = re.sub(r"\s+", " ", json.dumps(sample["adk_events"]).replace("\\\\n", " "))
        for statement in turn.statements:
            for row in statement.rows or ():
                line = " | ".join("None" if cell is None else str(cell) for cell in row)
                tight = re.sub(r"\s+", " ", line)
                assert tight in re.sub(r" +\|", " |", captured), (turn.id, line)


def test_nothing_of_the_harness_and_no_outcome_reaches_a_turn(imported):
    turns, report = imported
    text = "".join(turn.model_dump_json() for turn in turns)
    for word in ("[SYSTEM NOTE", "bird-coin", "Reward:", "Phase 1 correct", "is not correct", "total_reward"):
        assert word not in text
    # 116 notes stand in the capture, 17 of them in results of submit_sql, which are left whole.
    assert report.left["notes of the test harness at the end of results"] == 99


def test_the_turns_read_back_the_same(imported):
    turns, _ = imported
    assert [Turn.from_data(turn.to_data()) for turn in turns] == turns


def test_a_capture_without_final_responses_reads_the_same(imported, samples, tmp_path):
    turns, _ = imported
    bare = [{name: value for name, value in sample.items() if name != "final_response"} for sample in samples]
    path = tmp_path / "bare.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "samples": bare}), encoding="utf-8")
    assert list(load_importer("adk").read_turns(path, OPTIONS, ImportReport())) == [
        turn.model_copy(update={"notes": turn.notes}) for turn in turns
    ]
