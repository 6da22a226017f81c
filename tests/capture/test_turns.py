"""Reading our own format: what is taken, what is refused, and in which words."""

import json
import tracemalloc

import pytest

from reportgen.capture.turns import BadLine, read_turns, save_bad_lines
from reportgen.errors import CaptureError


def line(**changes):
    data = {
        "format": "reportgen/turn/1",
        "id": "t-1",
        "captured_at": "2026-03-29T09:30:00Z",
        "question": "How many lamps were sold in May?",
        "answer": {"text": "12"},
        "agent": {"name": "lampbot"},
    }
    data.update(changes)
    return {name: value for name, value in data.items() if value is not ...}


def statement(**changes):
    return {
        "kind": "sql",
        "text": "select 1",
        "status": "ok",
        "columns": ["n"],
        "rows": [[1]],
        "row_count": 1,
    } | changes


@pytest.fixture
def write(tmp_path):
    def write(*lines, before=b""):
        path = tmp_path / "turns.jsonl"
        raw = [item if isinstance(item, bytes) else json.dumps(item).encode() for item in lines]
        path.write_bytes(before + b"\n".join(raw) + b"\n")
        return path

    return write


def refusal(path):
    with pytest.raises(CaptureError) as caught:
        list(read_turns(path))
    return str(caught.value)


def test_turns_come_in_the_order_of_the_file(write):
    assert [turn.id for turn in read_turns(write(line(id="b"), line(id="a")))] == ["b", "a"]


def test_blank_lines_and_a_byte_order_mark_are_passed_over(write):
    path = write(b"", line(id="a"), b"   ", b"\r", line(id="b"), before=b"\xef\xbb\xbf")
    assert [turn.id for turn in read_turns(path)] == ["a", "b"]


def test_line_ends_of_windows_are_read(tmp_path):
    path = tmp_path / "turns.jsonl"
    path.write_bytes(json.dumps(line()).encode() + b"\r\n")
    assert [turn.id for turn in read_turns(path)] == ["t-1"]


@pytest.mark.parametrize("question", ["2026-03-29", "42", "007", "1e5", "null", "true", "NaN", "=1+1", ""])
def test_questions_that_look_like_something_else_stay_text(write, question):
    (turn,) = read_turns(write(line(question=question)))
    assert turn.question == question


def test_a_line_without_timezone_is_refused_with_its_place(write):
    path = write(line(), line(id="t-2", captured_at="2026-03-29T09:30:00"))
    text = refusal(path)
    assert f"{path}, line 2: captured_at has no time zone" in text
    assert "Z or +02:00" in text
    assert "--skip-bad" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"question": 42}, "question must be text, but is the number 42"),
        ({"question": True}, "question must be text, but is true"),
        ({"question": None}, "question must be text, but is null"),
        ({"question": ...}, "question is missing"),
        ({"agent": {}}, "agent.name is missing"),
        ({"agent": "lampbot"}, 'agent must be an object, but is "lampbot"'),
        ({"labels": {"due date": 1}}, 'labels["due date"] must be text, but is the number 1'),
        ({"colour": "red"}, "colour is not a field of this format"),
        ({"id": ""}, "id must not be empty"),
        ({"id": "x" * 201}, "id must have at most 200 characters"),
        ({"answer": ...}, 'the line does not fit: "answer" is missing'),
        ({"answer": {}}, 'answer does not fit: give either "text" or "not_captured"'),
        ({"captured_at": "yesterday"}, "captured_at is not a date and time"),
        ({"captured_at": 1711670400}, "captured_at must be a date and time as text"),
        ({"captured_at": "1711670400"}, "captured_at is not a date and time"),
        ({"trajectory": [{"kind": "sqll"}]}, "trajectory[0] is of the kind 'sqll'"),
        ({"trajectory": [{}]}, 'trajectory[0] does not say its "kind"'),
        ({"trajectory": [statement(status="done")]}, "trajectory[0].status must be 'ok', 'error'"),
        ({"trajectory": [statement(row_count=-1)]}, "trajectory[0].row_count must be at least 0"),
        ({"trajectory": [statement(rows=[[{}]])]}, "trajectory[0].rows[0][0] must be text, a number"),
        (
            {"trajectory": [statement(rows=[[1, 2]])]},
            "trajectory[0] does not fit: row 1 has 2 cells for 1 columns",
        ),
        ({"format": "reportgen/turn/9"}, "this program is older than the file"),
        ({"format": "else/turn/1"}, 'format must be "reportgen/turn/1"'),
    ],
)
def test_a_bad_field_is_named_in_plain_words(write, changes, words):
    text = refusal(write(line(**changes)))
    assert words in text
    assert ", line 1: " in text
    assert "pydantic" not in text
    assert "Input should" not in text


def test_several_bad_fields_are_counted_behind_the_first(write):
    assert "(other places that do not fit: 1)" in refusal(write(line(question=1, colour="red")))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_not_finite_is_refused_with_its_field(write, word):
    raw = json.dumps(line(trajectory=[statement(rows=[[1], ["X"]], row_count=2)])).replace('"X"', word)
    text = refusal(write(raw.encode()))
    assert f"trajectory[0].rows[1][0] is {word}, which is not a finite number" in text


def test_nan_among_the_arguments_of_a_tool_is_refused_too(write):
    tool = {"kind": "tool", "name": "chart", "status": "ok", "arguments": {"limits": [0, "X"]}}
    raw = json.dumps(line(trajectory=[tool])).replace('"X"', "NaN")
    assert "trajectory[0].arguments.limits[1] is NaN" in refusal(write(raw.encode()))


def test_broken_utf_8_is_refused_with_its_byte_and_field(write):
    raw = json.dumps(line(question="Caf?")).encode().replace(b"Caf?", b"Caf\xe9")
    text = refusal(write(raw))
    assert f"question is not UTF-8: byte {raw.index(0xE9) + 1} of the line is 0xe9" in text


def test_half_a_character_is_refused_with_its_field(write):
    assert "question holds half of a character" in refusal(write(line(question="lamp \ud83d")))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"id": ', "the line is not JSON"),
        (b"[]", "the line is not a JSON object"),
        (b'"text"', "the line is not a JSON object"),
        (b"[" * 100_000, "the line is nested too deeply"),
        (b'{"id": "a", "id": "b"}', "id stands twice in one object"),
        (b'{"id": ' + b"9" * 5000 + b"}", "the line is not JSON that can be read"),
    ],
)
def test_a_line_that_is_no_object_is_refused(write, raw, words):
    assert words in refusal(write(raw))


def test_a_duplicate_id_is_refused_with_the_line_where_it_stood_first(write):
    text = refusal(write(line(), b"", line(id="t-2"), line()))
    assert 'line 4: id "t-1" stands twice; it stood first on line 1' in text


def test_the_id_of_a_segment_must_not_be_that_of_another_turn(write):
    part = {"question": "Why?", "events": [0, 0], "answer": {"text": "So."}}
    bundle = line(answer=..., segments=[part, part])
    assert 'gives a segment the id "t-1#2", which the turn on line 1' in refusal(write(line(id="t-1#2"), bundle))
    assert 'id "t-1#2" stands twice; it stood first on line 1' in refusal(write(bundle, line(id="t-1#2")))
    assert "leaves no room" in refusal(write(bundle | {"id": "x" * 199}))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_a_file_without_turns_is_refused(tmp_path, content):
    path = tmp_path / "turns.jsonl"
    path.write_bytes(content)
    assert "holds no turns" in refusal(path)


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    assert "cannot be read" in refusal(tmp_path / "absent.jsonl")
    assert "cannot be read" in refusal(tmp_path)


def test_bad_lines_are_set_aside_and_reading_goes_on(write):
    bad: list[BadLine] = []
    path = write(line(), b"{", line(), line(id="t-2", question=7), line(id="t-3"))
    assert [turn.id for turn in read_turns(path, bad.append)] == ["t-1", "t-3"]
    assert [(item.line, item.field) for item in bad] == [(2, ""), (3, "id"), (4, "question")]
    assert bad[0].raw == b"{"


def test_an_id_of_a_line_that_was_set_aside_is_free_again(write):
    path = write(line(question=7), line())
    assert [turn.id for turn in read_turns(path, lambda bad: None)] == ["t-1"]


def test_a_file_of_nothing_but_bad_lines_holds_no_turns(write):
    bad: list[BadLine] = []
    with pytest.raises(CaptureError, match="all 2 lines with text in them are bad"):
        list(read_turns(write(b"{", b"}"), bad.append))
    assert len(bad) == 2


def test_lines_set_aside_are_saved_with_their_place_and_text(write, tmp_path):
    bad: list[BadLine] = []
    path = write(line(), b'{"id": "caf\xe9"}')
    list(read_turns(path, bad.append))
    saved = tmp_path / "bad.jsonl"
    assert save_bad_lines(saved, bad) == 1
    entry = json.loads(saved.read_text(encoding="utf-8"))
    assert entry == {
        "file": str(path),
        "line": 2,
        "field": "id",
        "problem": "is not UTF-8: byte 12 of the line is 0xe9",
        "raw": '{"id": "caf\\xe9"}',
    }


def test_memory_does_not_grow_with_the_size_of_the_turns(tmp_path):
    path = tmp_path / "turns.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(400):
            file.write(json.dumps(line(id=f"t-{number}", question="lamp " * 10_000)) + "\n")
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_turns(path)) == 400
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000 < path.stat().st_size
