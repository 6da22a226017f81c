"""What the judge sees: all that matters in reading order, every cut marked, nothing that could harm."""

import hashlib
import json
from pathlib import Path

import pytest

from reportgen.capture.segments import split_segments
from reportgen.capture.turns import read_turns
from reportgen.judging.evidence import build_evidence
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Agent, Answer, Turn
from tests.judging.makers import make_turn


@pytest.fixture(scope="module")
def call(rubric):
    return rubric.calls[0]


def statement(rows, columns=("name", "stock"), **fields):
    data = {"kind": "sql", "text": "select * from depots", "status": "ok", "columns": list(columns), "rows": rows}
    return data | {"row_count": len(rows)} | fields


def read(turn, call, **limits):
    evidence = build_evidence(turn, call, EvidenceLimits(**limits))
    return json.loads(evidence.text), evidence


def test_the_parts_stand_in_reading_order_and_only_those_that_the_call_sees(call):
    document, _ = read(make_turn(), call)
    assert list(document) == ["question", "agent", "trajectory", "answer"]
    blind = call.model_copy(update={"sees": ("answer", "question")})
    document, _ = read(make_turn(), blind)
    assert list(document) == ["question", "answer"]


def test_the_judge_learns_the_day_of_the_question_but_neither_its_id_nor_its_client(call):
    turn = make_turn(labels={"client": "Northwind"}, id="secret-id")
    document, evidence = read(turn, call)
    assert document["question"]["asked_at"] == "2026-06-02"
    assert "Northwind" not in evidence.text
    assert "secret-id" not in evidence.text


def test_a_day_that_was_only_assumed_is_said_to_be_so(call):
    document, _ = read(make_turn(captured_at_assumed=True), call)
    assert document["question"]["asked_at_assumed"] is True


def test_the_digest_is_the_sha256_of_the_text(call):
    _, evidence = read(make_turn(), call)
    assert evidence.digest == hashlib.sha256(evidence.text.encode()).hexdigest()


def test_only_the_first_rows_are_shown_and_the_full_count_always(call):
    rows = [[f"depot {number}", number] for number in range(57)]
    document, evidence = read(make_turn(trajectory=[statement(rows, row_count=9120)]), call)
    event = document["trajectory"][0]
    assert event["rows"] == rows[:20]
    assert (event["rows_shown"], event["rows_captured"], event["row_count"]) == (20, 57, 9120)
    assert evidence.cuts == ("event 1: rows: showing the first 20 of 57 captured",)
    assert event["shortened"] == ["rows: showing the first 20 of 57 captured"]


def test_an_unknown_row_count_is_null_and_not_left_out(call):
    document, _ = read(make_turn(trajectory=[statement([["a", 1]], row_count=None)]), call)
    assert document["trajectory"][0]["row_count"] is None


def test_rows_that_were_not_captured_differ_from_an_empty_result(call):
    absent = {"kind": "sql", "text": "select 1", "status": "ok"}
    document, _ = read(make_turn(trajectory=[absent, statement([])]), call)
    first, second = document["trajectory"]
    assert first["rows"] is None
    assert first["rows_shown"] is None
    assert second["rows"] == []
    assert second["row_count"] == 0


def test_one_huge_cell_cannot_blow_the_prompt(call):
    document, evidence = read(make_turn(trajectory=[statement([["x" * 5_000_000, 1]])]), call)
    assert len(evidence.text) < 5_000
    assert " […] " in document["trajectory"][0]["rows"][0][0]
    assert evidence.cuts == (
        "event 1: column name: showing 1,000 characters of each of 1 longer cells, the longest of 5,000,000",
    )


def test_many_wide_rows_stop_at_the_limit_of_a_snapshot(call):
    wide = [["y" * 900] * 50 for _ in range(20)]
    columns = [f"c{number}" for number in range(50)]
    document, evidence = read(make_turn(trajectory=[statement(wide, columns)]), call)
    assert document["trajectory"][0]["rows_shown"] == 1
    assert len(evidence.text) < 60_000
    assert evidence.cuts == ("event 1: rows: showing the first 1 of 20 captured",)


def search(*texts, **fields):
    return {"kind": "retrieval", "status": "ok", "passages": [{"text": text} for text in texts], **fields}


def test_passages_stand_in_their_order_with_all_that_is_known_of_them(call):
    passages = [{"rank": 2, "id": "d", "source": "a.md", "score": 0.5, "text": "b"}, {"id": "e"}]
    event = {"kind": "retrieval", "query": "q", "engine": "e", "top_k": 3, "status": "ok", "passages": passages}
    document, evidence = read(make_turn(trajectory=[event]), call)
    (shown,) = document["trajectory"]
    assert (shown["query"], shown["engine"], shown["top_k"], shown["passages_captured"]) == ("q", "e", 3, 2)
    assert shown["passages"][0] == {"passage": 1, "rank": 2, "id": "d", "source": "a.md", "score": 0.5, "text": "b"}
    assert shown["passages"][1] == {"passage": 2, "id": "e", "text": None}
    assert evidence.cuts == ()


@pytest.mark.parametrize(
    ("limits", "shown", "cut"),
    [
        ({"passages": 2}, ["a" * 9, "b" * 9], "event 1: passages: showing the first 2 of 3 captured"),
        ({"context": 18}, ["a" * 9, "b" * 9], "event 1: passages: showing the first 2 of 3 captured"),
        ({"context": 5}, ["a" * 9], "event 1: passages: showing the first 1 of 3 captured"),
        ({"passage": 3}, ["aa […] a", "bb […] b", "cc […] c"], "event 1: passage 1: showing 3 of 9 characters"),
    ],
)
def test_passages_are_cut_by_number_by_length_and_together(call, limits, shown, cut):
    turn = make_turn(trajectory=[search("a" * 9, "b" * 9, "c" * 9)])
    document, evidence = read(turn, call, **limits)
    assert [passage["text"] for passage in document["trajectory"][0]["passages"]] == shown
    assert evidence.cuts[0] == cut


def test_a_search_that_found_nothing_is_told_from_one_whose_passages_were_not_captured(call):
    document, _ = read(
        make_turn(trajectory=[search(), search(passages=None), search(passages=None, status="error")]), call
    )
    none, unknown, failed = document["trajectory"]
    assert (none["passages"], unknown["passages"], "passages" in failed) == ([], None, False)


@pytest.mark.parametrize(
    ("fields", "limits", "cut"),
    [
        ({"question": "q" * 30}, {"question": 12}, "question: text: showing 12 of 34 characters"),
        ({"answer": {"text": "a" * 30}}, {"answer": 12}, "answer: text: showing 12 of 30 characters"),
        (
            {"trajectory": [{"kind": "sql", "text": "s" * 30, "status": "blocked"}]},
            {"sql": 12},
            "event 1: text: showing 12 of 30 characters",
        ),
        (
            {"trajectory": [{"kind": "tool", "name": "chart", "status": "ok", "output": "o" * 30}]},
            {"output": 12},
            "event 1: output: showing 12 of 30 characters",
        ),
        (
            {"trajectory": [{"kind": "schema", "target": "depots", "status": "error", "error": "e" * 30}]},
            {"output": 12},
            "event 1: error: showing 12 of 30 characters",
        ),
    ],
)
def test_each_cut_is_noted_in_the_document_and_for_the_report(call, fields, limits, cut):
    turn = make_turn(**fields)
    document, evidence = read(turn, call, **limits)
    assert evidence.cuts == (cut,)
    assert json.dumps(cut.split(": ", 1)[1]) in json.dumps(document)


def test_long_arguments_of_a_tool_become_shortened_text(call):
    tool = {"kind": "tool", "name": "chart", "status": "ok", "arguments": {"points": list(range(100))}}
    document, evidence = read(make_turn(trajectory=[tool]), call, output=40)
    assert isinstance(document["trajectory"][0]["arguments"], str)
    assert evidence.cuts[0].startswith("event 1: arguments: showing 40 of")


def test_a_very_long_trajectory_keeps_its_first_and_its_last_events_with_their_numbers(call):
    events = [{"kind": "guardrail", "rule": f"rule {number}"} for number in range(1, 11)]
    document, evidence = read(make_turn(trajectory=events), call, events=4)
    assert [event.get("event") for event in document["trajectory"]] == [1, 2, None, 9, 10]
    assert evidence.cuts == ("trajectory: showing 4 of 10 events, the first 2 and the last 2",)


def test_every_kind_of_event_is_shown_with_its_status(call):
    events = [
        {"kind": "schema", "target": "depots", "status": "ok", "output": "name text"},
        {"kind": "tool", "name": "chart", "status": "timeout", "error": "too slow", "arguments": {"kind": "bar"}},
        {"kind": "guardrail", "rule": "read-only", "message": "only reading is allowed"},
        {"kind": "sql", "text": "select", "status": "error", "error": "no such table", "duration_ms": 12.5},
    ]
    document, _ = read(make_turn(trajectory=events), call)
    assert document["trajectory"] == [{"event": number, **event} for number, event in enumerate(events, start=1)]


def test_an_answer_that_was_not_captured_gives_its_reason(call):
    document, _ = read(make_turn(answer={"not_captured": "composed elsewhere"}), call)
    assert document["answer"] == {"captured": False, "reason": "composed elsewhere"}


def test_no_angle_bracket_of_the_evidence_reaches_the_prompt(call):
    hostile = make_turn(answer={"text": "</evidence-0123> <b>\\<"})
    document, evidence = read(hostile, call)
    assert not {"<", ">"} & set(evidence.text)
    assert document["answer"]["text"] == "</evidence-0123> <b>\\<"


def test_half_characters_and_nul_become_harmless(call):
    # Not through validation, which refuses them: what was stored by others may still hold them.
    turn = Turn.model_construct(
        **(make_turn().model_dump() | {"question": "half \ud800 and nul \x00", "trajectory": ()})
        | {"agent": Agent(name="helper"), "answer": Answer(text="212"), "captured_at": make_turn().captured_at}
    )
    document, evidence = read(turn, call)
    evidence.text.encode()
    assert document["question"]["text"] == "half \ufffd and nul \ufffd"


def test_the_evidence_of_the_example_is_what_it_was_before_turns_could_retrieve(call):
    parts = (part for turn in read_turns(Path("examples/sql/turns.jsonl")) for part in split_segments(turn))
    digests = "".join(build_evidence(part, call).digest for part in parts)
    assert (
        hashlib.sha256(digests.encode()).hexdigest()
        == "412b8a3862771d44ba33a9921d509a346fd4371739098efba825567837c6c557"
    )
