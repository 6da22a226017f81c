"""A turn is redacted in every field, consistently, and so that no score changes."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.config import RedactionConfig
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.redaction.places import IDS, NAMES, count_marks, texts_of
from reportgen.redaction.rules import build_rules
from reportgen.redaction.turns import redact_turn
from reportgen.scoring.caps import FACTS

RULES = build_rules(
    RedactionConfig(columns=("surname", "salary"), labels=("user",), names=("Ada Lovelace",)), ["Otherco"]
)


def make_turn(**fields):
    data = {"id": "t-1", "captured_at": "2026-07-01T09:00:00Z", "question": "How many?", "agent": {"name": "a"}}
    return Turn.from_data({**data, "answer": {"text": "17."}, **fields})


def make_verdict(**fields):
    judge = {"provider": "fake", "model": "m"}
    data = {"key": "k", "turn": "t-1", "call": "turn", "judge": judge, "rubric": "r", "evidence": "e", "outcome": "ok"}
    return Verdict.from_data({**data, **fields})


def sql(columns, rows, **fields):
    return {"kind": "sql", "text": "SELECT 1", "status": "ok", "columns": columns, "rows": rows, **fields}


def redact(turn, *verdicts, rules=RULES):
    redacted = redact_turn(turn, verdicts, rules)
    return redacted.turn.to_data(), [verdict.to_data() for verdict in redacted.verdicts]


SECRET = "ada@mail.example"


def everywhere():
    """A turn and a verdict with a secret in every field that can hold one."""
    event = {"status": "error", "error": SECRET, "notes": [SECRET]}
    turn = make_turn(
        id=SECRET,
        conversation=SECRET,
        question=SECRET,
        labels={SECRET: SECRET, "more": f"x {SECRET}"},
        notes=[SECRET],
        agent={"name": SECRET, "version": SECRET},
        model=SECRET,
        part_of={"turn": SECRET, "number": 1, "count": 2},
        drawn={"strata": [SECRET], "population": 9, "drawn": 3, "seed": SECRET, "source": SECRET},
        answer={"text": f"It is {SECRET}."},
        trajectory=[
            {
                **event,
                "kind": "sql",
                "text": f"SELECT 1 -- {SECRET}",
                "dialect": SECRET,
                "columns": [SECRET],
                "rows": [[SECRET]],
            },
            {**event, "kind": "tool", "name": SECRET, "arguments": {SECRET: [{"a": SECRET}]}, "output": SECRET},
            {**event, "kind": "schema", "target": SECRET, "output": json.dumps({"a": SECRET}).replace("@", "\\u0040")},
            {"kind": "guardrail", "rule": SECRET, "message": SECRET},
            {
                **event,
                "kind": "retrieval",
                "query": SECRET,
                "strategy": SECRET,
                "engine": SECRET,
                "passages": [{"rank": 1, "id": SECRET, "source": SECRET, "score": 0.5, "text": f"By {SECRET}."}],
            },
        ],
    )
    attempt = {
        "outcome": "refused",
        "reason": SECRET,
        "asked_at": "2026-07-01T09:00:00Z",
        "seconds": 1,
        "model": SECRET,
    }
    reply = {"quotes": [SECRET], "explanation": SECRET, "scores": {"a": 1}, "verdict": "good", "addressed_judge": False}
    verdict = make_verdict(turn=SECRET, reply=reply, reason=SECRET, text=SECRET, attempts=[attempt])
    return turn, verdict


def test_nothing_of_a_secret_is_left_in_any_field_and_what_is_withheld_is_counted_by_place():
    turn, verdict = everywhere()
    data, (said,) = redact(turn, verdict)
    assert SECRET not in json.dumps([data, said])
    assert SECRET not in json.loads(data["trajectory"][2]["output"])["a"]
    expected = {place for place, _ in texts_of(turn.to_data(), "")} | {
        "verdicts." + place for place in ("turn", "reason", "text", "reply.quotes", "reply.explanation")
    }
    expected |= {"verdicts.attempts.reason", "verdicts.attempts.model"}
    counts = count_marks(data) + count_marks(said, "verdicts")
    assert {place for _, place in counts} == expected
    assert {kind for kind, _ in counts} == {"email"}


def test_the_secret_is_planted_in_every_field_that_a_turn_can_have():
    turn, _ = everywhere()
    fields = {name for event in turn.trajectory for name in type(event).model_fields} | set(Turn.model_fields)
    without_text = {"kind", "status", "duration_ms", "row_count", "format", "captured_at", "captured_at_assumed"}
    without_text |= {"question_source", "segments", "latency", "top_k"}
    planted = {part for place, text in texts_of(turn.to_data(), "") if SECRET in text for part in place.split(".")}
    assert fields - without_text <= planted | {"trajectory"}


def test_a_field_of_a_passage_with_the_name_of_a_column_is_withheld():
    rules = build_rules(RedactionConfig(columns=("source",)), [])
    passage = {"rank": 1, "source": "ada.md", "score": 0.5, "text": "From ada.md, page 2."}
    turn = make_turn(trajectory=[{"kind": "retrieval", "status": "ok", "passages": [passage]}])
    (found,) = redact_turn(turn, (), rules).turn.retrievals[0].passages
    assert (found.rank, found.score) == (1, 0.5)
    assert "ada.md" not in f"{found.source} {found.text}"


def test_a_segment_is_redacted_like_a_turn():
    segments = [{"question": SECRET, "events": [0, 0], "answer": {"text": SECRET}}]
    segments.append({"question": "x", "events": [0, 0], "answer": {"not_captured": SECRET}})
    data, _ = redact(Turn.from_data({**make_turn().to_data(), "answer": None, "segments": segments}))
    assert SECRET not in json.dumps(data)


def test_values_of_a_column_are_withheld_numbers_too_and_wherever_the_turn_or_a_verdict_repeats_them():
    turn = make_turn(
        question="What does Okonkwo earn?",
        trajectory=[sql(["surname", "salary", "n"], [["Okonkwo", 1234567, 1], [None, 1234.5, 1234567]])],
        answer={"text": "OKONKWO earns 1,234,567 or 1.234.567, the other 1,234.50; not 12345678."},
    )
    verdict = make_verdict(
        reply={
            "quotes": ["Okonkwo 1234567"],
            "explanation": "x",
            "scores": {},
            "verdict": "good",
            "addressed_judge": False,
        }
    )
    data, (said,) = redact(turn, verdict)
    mark = "[column value withheld]"
    assert data["trajectory"][0]["rows"] == [[mark, mark, 1], [None, mark, mark]]
    assert data["question"] == f"What does {mark} earn?"
    assert data["answer"]["text"] == f"{mark} earns {mark} or {mark}, the other {mark}; not 12345678."
    assert said["reply"]["quotes"] == [f"{mark} {mark}"]


def test_a_short_value_is_withheld_in_its_column_and_left_elsewhere():
    turn = make_turn(trajectory=[sql(["salary"], [[17]])])
    data, _ = redact(turn)
    assert data["trajectory"][0]["rows"] == [["[column value withheld]"]]
    assert data["answer"]["text"] == "17."


def test_values_that_sql_json_and_arguments_give_to_a_column_are_withheld():
    turn = make_turn(
        trajectory=[
            {"kind": "sql", "text": "SELECT 1 WHERE surname = 'Okonkwo' OR p.\"salary\" = 51000", "status": "error"},
            {
                "kind": "tool",
                "name": "t",
                "arguments": {"q": {"surname": ["Adeyemi"]}},
                "status": "ok",
                "output": '{"salary": 51001',
            },
        ],
        answer={"text": "Okonkwo and Adeyemi."},
    )
    text = json.dumps(redact(turn)[0])
    assert [value for value in ("Okonkwo", "Adeyemi", "51000", "51001") if value in text] == []


def test_labels_names_and_other_clients_are_withheld_as_whole_words_in_any_case():
    turn = make_turn(
        labels={"user": "u-4711", "client": "Us"}, question="ADA\u00a0LOVELACE (u-4711) of otherco, not Othercos"
    )
    data, _ = redact(turn)
    assert data["labels"] == {"user": "[label value withheld]", "client": "Us"}
    assert data["question"] == "[name withheld] ([label value withheld]) of [other client withheld], not Othercos"


def test_a_name_in_a_script_without_spaces_is_found():
    data, _ = redact(make_turn(question="山田太郎は東京"), rules=build_rules(RedactionConfig(names=("山田太郎",))))
    assert data["question"] == "[name withheld]は東京"


def test_a_name_is_found_in_either_form_of_its_letters():
    for named, written in [("Zo\u00eb", "Zoe\u0308"), ("Zoe\u0308", "Zo\u00eb")]:
        data, _ = redact(make_turn(question=f"Did {written} call?"), rules=build_rules(RedactionConfig(names=(named,))))
        assert data["question"] == "Did [name withheld] call?"


def test_two_labels_whose_names_are_withheld_both_stay():
    data, _ = redact(make_turn(labels={"a@x.example": "1", "b@x.example": "2"}))
    assert data["labels"] == {"[email withheld]": "1", "[email withheld] 2": "2"}


def test_a_name_that_grows_too_long_becomes_one_mark():
    data, _ = redact(make_turn(agent={"name": "a@b.example " * 16}))
    assert data["agent"]["name"] == "[email withheld]"


def test_each_field_of_limited_length_is_known_as_one():
    schema = Turn.model_json_schema()
    objects = [schema, *schema["$defs"].values()]
    fields = [(name, field) for item in objects for name, field in item.get("properties", {}).items()]
    limited = {name for name, field in fields if '"maxLength": 200' in json.dumps(field)}
    assert limited == {place.rpartition(".")[2] for place in NAMES | IDS}


def test_a_password_that_one_place_gives_away_is_withheld_in_all():
    turn = make_turn(question="connect to ftp://bob:tr0ub4dor@host", answer={"text": "tr0ub4dor works"})
    assert redact(turn)[0]["answer"]["text"] == "[password withheld] works"


def test_a_turn_without_anything_to_withhold_stays_as_it_is():
    turn = make_turn(trajectory=[sql(["n", "at"], [[17, "2026-07-01"]], row_count=1, duration_ms=12.5)])
    assert redact_turn(turn, (), RULES).turn == turn


PIECES = st.text(alphabet=st.sampled_from("ab1@.-: [],'\n"), max_size=30) | st.sampled_from(
    [SECRET, "Ada Lovelace", "", " … ", "+44 20 7946 0958", "Otherco", "[email withheld]", '{"surname": "x"}']
)
VALUES = st.recursive(
    PIECES | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PIECES | st.just("surname"), inner, max_size=3),
    max_leaves=6,
)
EVENTS = st.one_of(
    st.builds(
        lambda status, text: {"kind": "sql", "text": text, "status": status}, st.sampled_from(["ok", "error"]), PIECES
    ),
    st.builds(lambda cell, text: sql(["surname", text], [[cell, text]]), PIECES | st.integers() | st.none(), PIECES),
    st.builds(
        lambda arguments: {"kind": "tool", "name": "t", "status": "ok", "arguments": arguments},
        st.dictionaries(PIECES, VALUES, max_size=3),
    ),
    st.builds(lambda text: {"kind": "tool", "name": "t", "status": "error", "output": text}, PIECES),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(EVENTS, max_size=3), PIECES)
def test_no_fact_for_a_cap_changes_and_the_same_turn_gives_the_same_marks(events, answer):
    turn = make_turn(trajectory=events, answer={"text": answer})
    redacted = redact_turn(turn, (), RULES).turn
    for name, fact in FACTS.items():
        assert fact(redacted) == fact(turn), name
    assert redact_turn(turn, (), RULES).turn == redacted
    assert SECRET not in json.dumps(redacted.to_data())


@pytest.mark.parametrize("length", [100_000])
def test_a_hostile_cell_and_thousands_of_rows_take_a_time_that_grows_with_their_size(length):
    def seconds(rows):
        cells = [[f"Person {i}", i * 10_007, f"p{i}@mail.example", "word " * 5] for i in range(rows)]
        turn = make_turn(
            trajectory=[sql(["surname", "salary", "e", "w"], cells)],
            answer={"text": "Person 4999 " * (length * rows // 5_000 // 12)},
        )
        began = time.process_time()
        redact_turn(turn, (), RULES)
        return time.process_time() - began

    assert seconds(5_000) < 10 * seconds(1_250)
