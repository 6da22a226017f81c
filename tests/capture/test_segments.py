"""Bundles: marked ones are split, unmarked ones flagged."""

from datetime import UTC, datetime

import pytest

from reportgen.capture.segments import looks_bundled, segment_ids, split_segments
from reportgen.model.turn import Agent, Answer, PartOf, Segment, SqlStatement, Turn


def turn(question="How many lamps?", **changes):
    values = {
        "id": "t-1",
        "captured_at": datetime(2026, 3, 29, tzinfo=UTC),
        "question": question,
        "answer": Answer(text="12"),
        "agent": Agent(name="lampbot"),
    }
    return Turn(**(values | changes))


def bundle():
    return turn(
        question="How many lamps, and who bought them?",
        question_source="relayed",
        conversation="c-1",
        labels={"client": "Lumen"},
        notes=("a note",),
        captured_at_assumed=True,
        trajectory=tuple(SqlStatement(text=f"select {number}", status="ok") for number in range(3)),
        answer=None,
        segments=(
            Segment(question="How many lamps?", events=(0, 2), answer=Answer(text="12")),
            Segment(
                question="Who bought them?",
                question_source="verbatim",
                events=(2, 3),
                answer=Answer(not_captured="cut off"),
            ),
        ),
    )


def test_a_turn_without_segments_stays_as_it_is():
    whole = turn()
    assert split_segments(whole) == (whole,)
    assert segment_ids(whole) == ()


def test_a_bundle_becomes_one_turn_a_question_with_its_own_events_and_answer():
    first, second = split_segments(bundle())
    assert (first.id, second.id) == ("t-1#1", "t-1#2")
    assert (first.question, second.question) == ("How many lamps?", "Who bought them?")
    assert [event.text for event in first.trajectory] == ["select 0", "select 1"]
    assert [event.text for event in second.trajectory] == ["select 2"]
    assert (first.answer.text, second.answer.not_captured) == ("12", "cut off")
    assert first.part_of == PartOf(turn="t-1", number=1, count=2)


def test_a_part_inherits_what_its_segment_does_not_say():
    first, second = split_segments(bundle())
    assert (first.question_source, second.question_source) == ("relayed", "verbatim")
    for part in (first, second):
        assert part.labels == {"client": "Lumen"}
        assert (part.conversation, part.notes, part.captured_at_assumed) == ("c-1", ("a note",), True)
        assert part.segments == ()


@pytest.mark.parametrize(
    "question",
    [
        "How many lamps? And who bought them?",
        "How many lamps?? Who bought them?!",
        "How many lamps (in May?) Which shop?",
        "Please tell me:\n1. How many lamps were sold\n2. Which shop sold them",
        "- lamps sold?\n- shops?",
        "See https://example.org/a?b=c? And what is new?",
        "灯は何個ですか？誰が買いましたか？",  # noqa: RUF001
    ],
)
def test_an_unmarked_bundle_is_flagged(question):
    assert looks_bundled(turn(question))


@pytest.mark.parametrize(
    "question",
    [
        "How many lamps?",
        "How many lamps?!?",
        'Who asked "How many lamps?" and "Which shop?" in May?',
        "Who asked 'How many? Which?' in May?",
        "What does `select a? b?` do?",
        "What is at https://example.org/?a=1? ",
        "Is the lamp's price the shop's price? Surely!",
        "What is a?b:c in SQL?",
        "Show for each shop:\n1. lamps sold\n2. lamps returned",
        "Show lamps. Show shops.",
        "",
    ],
)
def test_a_single_question_is_not_flagged(question):
    assert not looks_bundled(turn(question))


def test_a_marked_bundle_and_its_parts_are_not_flagged():
    part = turn("Why? How?", part_of=PartOf(turn="t-1", number=1, count=2))
    assert not looks_bundled(bundle())
    assert not looks_bundled(part)


@pytest.mark.parametrize("text", ["?" * 200_000 + "x", "'" * 200_000, "https://" + "." * 200_000, "1. " * 100_000])
def test_the_rule_is_quick_on_hostile_text(text):
    assert looks_bundled(turn(text)) in {True, False}
