"""Records of question, passages and answer under the names in common use; nothing is lost unsaid, nothing invented."""

import gzip
import json
from datetime import UTC, datetime

import pytest

from reportgen.capture.drafts import NO_TIME, NO_ZONE
from reportgen.capture.importers import ImportOptions, ImportReport, load_importer
from reportgen.errors import CaptureError
from reportgen.model.turn import Answer, Latency

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


@pytest.fixture
def convert(tmp_path):
    def convert(*records, name="rag", captured_at=NOON, text=None, **options):
        path = tmp_path / "capture"
        path.write_text(text if text is not None else "\n".join(map(json.dumps, records)), encoding="utf-8")
        report = ImportReport()
        found = ImportOptions(captured_at=captured_at, **options)
        return list(load_importer(name).read_turns(path, found, report)), report

    return convert


def test_all_that_a_record_may_tell_comes_into_the_turn(convert):
    record = {
        "query_id": "q-7",
        "question": "When does the lamp room open?",
        "retrieved_contexts": [
            {
                "chunk_id": "c-1",
                "text": "It opens at nine.",
                "score": 0.75,
                "metadata": {"source": "hours.md", "page": 3},
            },
            "It closes at five.",
        ],
        "answer": "At nine.",
        "timestamp": "2026-07-03T09:30:00+02:00",
        "session_id": "s-1",
        "collection": "lamps",
        "engine": "opensearch",
        "retrieval_strategy": "hybrid",
        "topK": 2,
        "total_latency_ms": 2310,
        "retrieval_latency_ms": 88.5,
        "generation_time_s": 1.9,
        "model": "gpt-5",
        "search_query": "lamp room hours",
        "reference": "Nine.",
    }
    (turn,), report = convert(record, labels={"client": "Lumen"})
    assert (turn.id, turn.conversation, turn.model, turn.agent.name) == ("q-7", "s-1", "gpt-5", "gpt-5")
    assert turn.captured_at.isoformat() == "2026-07-03T09:30:00+02:00"
    assert not turn.captured_at_assumed
    assert turn.latency == Latency(total_ms=2310, retrieval_ms=88.5, generation_ms=1900)
    assert turn.labels == {
        "collection": "lamps", "engine": "opensearch", "strategy": "hybrid", "top_k": "2", "client": "Lumen"
    }  # fmt: skip
    (retrieval,) = turn.retrievals
    assert (retrieval.query, retrieval.top_k, retrieval.duration_ms) == ("lamp room hours", 2, 88.5)
    assert [(p.id, p.source, p.score, p.text) for p in retrieval.passages] == [
        ("c-1", "hours.md", 0.75, "It opens at nine."),
        (None, None, None, "It closes at five."),
    ]
    assert dict(report.taken) == {"turns": 1, "answers": 1, "retrievals": 1, "passages": 2}
    assert dict(report.left) == {
        "fields of passages that are not taken: page": 1,
        "fields that are no part of a turn: reference": 1,
    }


@pytest.mark.parametrize("asked", ["question", "user_input", "userInput", "query", "input", "prompt"])
@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ("contexts", "answer"),
        ("retrieved_contexts", "response"),
        ("retrievalContext", "actualOutput"),
        ("chunks", "output"),
        ("documents", "generated_answer"),
        ("retrieved_context", "completion"),
    ],
)
def test_the_names_in_common_use_are_known(convert, asked, given, answered):
    (turn,), _ = convert({asked: "How many?", given: ["12 lamps."], answered: "12"})
    assert (turn.question, turn.retrievals[0].passages[0].text, turn.answer.text) == ("How many?", "12 lamps.", "12")


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        ({"page_content": "t", "metadata": {"source": "a.md"}}, (None, "a.md", None, "t")),
        ({"document": {"id": 7, "content": "t", "score": 1, "metadata": '{"title": "A"}'}}, ("7", "A", 1.0, "t")),
        (
            {"node": {"id_": "n", "text": "t", "metadata": {"file_name": "a.pdf"}}, "score": 0.5},
            ("n", "a.pdf", 0.5, "t"),
        ),
        (
            {"document_id": "d", "text": "t", "url": "https://lamps.example/a"},
            ("d", "https://lamps.example/a", None, "t"),
        ),
        ({"doc_id": "d", "score": "nan"}, ("d", None, None, None)),
    ],
)
def test_passages_are_read_in_the_shapes_of_common_libraries(convert, passage, expected):
    (turn,), _ = convert({"question": "q", "contexts": [passage], "answer": "a"})
    (found,) = turn.retrievals[0].passages
    assert (found.id, found.source, found.score, found.text) == expected


def test_ranks_are_taken_where_they_count_from_one(convert):
    (turn,), report = convert(
        {"question": "q", "answer": "a", "contexts": [{"text": "t", "rank": 2}, {"text": "u", "rank": 0}]}
    )
    assert [passage.rank for passage in turn.retrievals[0].passages] == [2, None]
    assert report.left["fields of passages that are not taken: rank"] == 1


def test_no_passages_found_is_told_from_none_recorded(convert):
    empty, null, absent = convert(
        {"question": "a", "contexts": [], "answer": "x"},
        {"question": "b", "contexts": None, "answer": "x"},
        {"question": "c", "answer": "x"},
    )[0]
    assert [len(turn.retrievals) for turn in (empty, null, absent)] == [1, 0, 0]
    assert empty.retrievals[0].passages == ()


def test_an_empty_answer_is_told_from_none_recorded(convert):
    (empty, null, failed), report = convert(
        {"question": "a", "answer": ""},
        {"question": "b", "answer": None},
        {"question": "c", "error": "the model was busy"},
    )
    assert empty.answer == Answer(text="")
    assert null.answer == Answer(not_captured="the record holds no answer")
    assert failed.answer == Answer(not_captured="the record holds no answer, but an error: the model was busy")
    assert failed.notes[-1] == "the record tells of an error: the model was busy"
    assert report.left["turns without an answer in the record"] == 2


def test_of_a_list_of_messages_the_last_question_is_taken_and_what_was_before_is_quoted(convert):
    said = [
        {"speaker": "user", "text": "How many lamps?"},
        {"speaker": "agent", "text": "12."},
        {"speaker": "user", "text": "And last year?", "metadata": {"created_at": 1774778400}},
    ]
    (turn,), report = convert({"input": said, "predictions": [{"text": "11."}]})
    assert (turn.question, turn.answer.text) == ("And last year?", "11.")
    assert turn.captured_at == datetime(2026, 3, 29, 10, tzinfo=UTC)
    assert turn.notes == (
        "earlier in the conversation (2 messages, long ones cut):\nuser: How many lamps?\nassistant: 12.",
    )
    assert report.changed["earlier messages of a conversation, quoted in the notes of a turn"] == 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-07-03T09:30:00Z", "2026-07-03T09:30:00+00:00"),
        (1783071000, "2026-07-03T09:30:00+00:00"),
        (1783071000000, "2026-07-03T09:30:00+00:00"),
        ("1783071000123", "2026-07-03T09:30:00.123000+00:00"),
        (1783071000123456789, "2026-07-03T09:30:00.123456+00:00"),
    ],
)
def test_times_are_read_as_text_and_as_counts_since_1970(convert, given, expected):
    (turn,), _ = convert({"question": "q", "answer": "a", "created_at": given}, captured_at=None)
    assert (turn.captured_at.isoformat(), turn.captured_at_assumed, turn.notes) == (expected, False, ())


def test_a_time_without_a_zone_and_an_assumed_one_are_said_to_be_so(convert):
    (naive, none), report = convert(
        {"question": "q", "answer": "a", "date": "2026-07-03 09:30"}, {"question": "q", "answer": "a"}
    )
    assert (naive.captured_at.isoformat(), naive.captured_at_assumed) == ("2026-07-03T09:30:00+00:00", True)
    assert (naive.notes, none.notes) == ((NO_ZONE,), (NO_TIME,))
    assert none.captured_at == NOON
    assert len(report.changed) == 2


@pytest.mark.parametrize("given", ["yesterday", True, -5, 10**30, "9" * 30, [1], "0001-01-01T00:00:00Z"])
def test_a_time_that_is_none_is_refused_with_its_place(convert, given):
    with pytest.raises(CaptureError, match=r"line 1: the time .* is neither"):
        convert({"question": "q", "answer": "a", "timestamp": given})


def test_without_any_time_the_option_is_asked_for(convert):
    with pytest.raises(CaptureError, match="no time at which the question was asked") as caught:
        convert({"question": "q", "answer": "a"}, captured_at=None)
    assert "--captured-at" in caught.value.fix
    assert "rename that to captured_at" in caught.value.fix


def test_records_in_an_object_and_in_a_list_are_found_and_what_stands_beside_them_is_counted(convert):
    records = [{"question": "q", "answer": "a"}, {"question": "r", "answer": "b"}]
    turns, report = convert(text=json.dumps({"results": records, "metrics": {"f1": 0.5}}, indent=1))
    assert [turn.question for turn in turns] == ["q", "r"]
    assert dict(report.left)["fields beside the records: metrics"] == 1
    assert [turn.question for turn in convert(text=json.dumps(records, indent=1))[0]] == ["q", "r"]


def test_the_inputs_of_a_metric_are_taken_and_its_verdicts_left(convert):
    item = {"metric_input": {"user_input": "q", "response": "a"}, "metric_output": 1, "is_accepted": True}
    (turn,), report = convert({"answer_correctness": [item]})
    assert (turn.question, turn.answer.text) == ("q", "a")
    assert report.left["verdicts and annotations of others: metric_output"] == 1


def test_records_without_a_question_are_left_and_ids_that_stood_before_get_a_number(convert):
    same = {"id": "x", "question": "q", "answer": "a"}
    turns, report = convert(same, {"answer": "a"}, same, {**same, "id": "y" * 300})
    assert [turn.id for turn in turns[:2]] == ["x", "x-2"]
    assert len(turns[2].id) <= 200
    assert report.left["records without a question"] == 1
    assert report.changed["ids that stood before, made unique by a number"] == 1


def test_where_no_name_of_a_question_is_known_the_error_says_which_fields_there_are_and_which_were_looked_for(convert):
    with pytest.raises(CaptureError, match="left: 2 records without a question") as caught:
        convert({"ask": "q", "reply": "a", "empty": ""}, {"frage": "q"})
    assert "question (question, user_input," in caught.value.fix
    assert "the first record has ask, reply." in caught.value.fix
    with pytest.raises(CaptureError) as caught:
        convert({})
    assert "--from" in caught.value.fix


def test_numbers_that_are_none_are_unknown_and_counted(convert):
    (turn,), report = convert(
        text='{"question": "q", "answer": "a", "latency_ms": NaN, "contexts": [{"text": "t", "score": 1e999}]}'
    )
    assert (turn.latency, turn.retrievals[0].passages[0].score) == (None, None)
    assert report.changed["values that are no finite number (NaN, Infinity), read as unknown"] == 2


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"question": "q", "answer": "a"}\n{"question": ', "line 2"),
        ('{"question": "q", "answer": "a"}\n7', "line 2"),
        ('[{"question": "q", "answer": "a"},\n 7]', r"capture, \[1\]"),
        ('{"question": "q"}\n' + '{"a":' * 150 + "1" + "}" * 150, "line 2: is nested more than 100 levels deep"),
        ('{"question": "q", "question": "r"}', "question stands twice"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(convert, text, place):
    with pytest.raises(CaptureError, match=place):
        convert(text=text)


def test_json_within_a_text_that_is_nested_without_end_stays_a_text(convert):
    deep = "[" * 500 + "]" * 500
    (turn,), _ = convert({"question": "q", "contexts": deep, "answer": deep})
    assert (turn.retrievals[0].passages[0].text, turn.answer.text) == (deep, deep)


def test_lines_are_read_as_a_stream_also_under_gzip(tmp_path):
    path = tmp_path / "capture.gz"
    record = {"question": "q", "answer": "a", "timestamp": "2026-07-03T09:30:00Z"}
    path.write_bytes(gzip.compress(f"{json.dumps(record)}\n{json.dumps(record)}\nbroken".encode()))
    turns = load_importer("rag").read_turns(path, ImportOptions(), ImportReport())
    assert [next(turns).id, next(turns).id] == ["capture-1", "capture-2"]
    with pytest.raises(CaptureError, match="line 3"):
        next(turns)


def test_a_document_that_is_too_large_to_be_held_is_refused(convert, monkeypatch):
    monkeypatch.setattr("reportgen.capture.json_values.LONGEST", 40)
    with pytest.raises(CaptureError, match="one document of more than 40 bytes"):
        convert(text=json.dumps([{"question": "q", "answer": "a"}] * 3, indent=1))
    with pytest.raises(CaptureError, match="line 1: the lines up to here have more than 40 bytes"):
        convert(*[{"openinference.span.kind": "LLM", "input.value": "q"}] * 2, name="otel")


# The CSV of open-rag-eval

HEADER = "query_id,query,query_run,passage_id,passage,generated_answer"


def test_the_rows_of_a_run_become_one_turn_with_its_passages(convert):
    rows = [
        "q1,How many?,1,[1],12 lamps.,12 [1]",
        'q1,How many?,1,[2],"A lamp,\n\nlit.",',
        "q1,How many?,2,[1],12 lamps.,",
    ]
    (first, second), report = convert(text="\n".join([HEADER, *rows]), name="open-rag-eval")
    assert (first.id, first.labels, first.answer.text) == ("q1-1", {"query_run": "1"}, "12 [1]")
    assert [(p.id, p.text) for p in first.retrievals[0].passages] == [("[1]", "12 lamps."), ("[2]", "A lamp,\n\nlit.")]
    assert second.answer == Answer(not_captured="the file holds no text of an answer for this run of the query")
    assert first.captured_at_assumed
    assert dict(report.taken) == {"turns": 2, "retrievals": 2, "passages": 3, "answers": 1}


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (["q1,A?,1,1,p,a", "q2,B?,1,1,p,a", "q1,A?,1,2,p,"], "line 4: the rows of query 'q1' do not stand together"),
        (["q1,A?,1,1,p,a", "q1,B?,1,2,p,"], "line 3: the query differs"),
        (["q1,A?,1,1,p"], "line 2: there are 5 cells for 6 columns"),
        (['q1,"A?,1,1,p,a'], "line 2: unexpected end of data"),
    ],
)
def test_a_csv_file_that_contradicts_itself_is_refused_with_the_line(convert, rows, problem):
    with pytest.raises(CaptureError, match=problem):
        convert(text="\n".join([HEADER, *rows]), name="open-rag-eval")


def test_columns_that_are_no_part_of_a_turn_are_counted(convert):
    _, report = convert(text=f"{HEADER},score\nq1,A?,1,1,p,a,9", name="open-rag-eval")
    assert report.left["columns that are no part of a turn: score"] == 1
