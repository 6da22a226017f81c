"""A live reply is exactly what was asked for, or it is not used: each flaw is named, none is mended."""

import json

import pytest

from reportgen.judging.replies import Expected, Unusable, read_reply
from reportgen.model.verdict import Reply

EXPECTED = Expected(tuple(range(11)), ("intent", "faith"), frozenset({"faith"}))
GOOD = {
    "quotes": ["212"],
    "explanation": "It counts late orders.",
    "scores": {"intent": 8, "faith": None},
    "verdict": "good",
    "addressed_judge": False,
}


def read(**changes):
    return read_reply(json.dumps(GOOD | changes), EXPECTED)


def score(text):
    """A reply whose first score is written as it stands."""
    return json.dumps(GOOD | {"scores": {"intent": "@", "faith": 3}}).replace('"@"', text)


def test_a_reply_in_the_asked_form_is_taken_as_it_came():
    assert read() == Reply.from_data(GOOD)
    assert read(verdict="Good").verdict == "good"
    assert read(scores={"intent": 0, "faith": 10}).scores == {"intent": 0, "faith": 10}
    assert read_reply(f"\n {json.dumps(GOOD)} \n", EXPECTED) == Reply.from_data(GOOD)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("8.5", "the score of intent is 8.5, which is not on the scale of 0 to 10 in 10 steps"),
        ("11", "the score of intent is 11, which is not on the scale of 0 to 10 in 10 steps"),
        ("-1", "the score of intent is -1, which is not on the scale of 0 to 10 in 10 steps"),
        ('"8"', 'the score of intent is "8" and not a number'),
        ("true", "the score of intent is true and not a number"),
        ("[8]", "the score of intent is [8] and not a number"),
        ("null", "the score of intent is null, though the dimension applies to this turn"),
        ("NaN", "the reply holds NaN, which is not a number of JSON"),
        ("-Infinity", "the reply holds -Infinity, which is not a number of JSON"),
        ("1e999", "the score of intent is Infinity, which is not on the scale of 0 to 10 in 10 steps"),
    ],
)
def test_a_score_off_the_scale_or_of_another_kind_is_refused_by_name(value, reason):
    assert read_reply(score(value), EXPECTED) == Unusable("invalid", reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "the reply lacks quotes"),
        ("[]", "the reply is [] and not a JSON object"),
        ("8", "the reply is 8 and not a JSON object"),
        (json.dumps(GOOD)[:40], "the reply is not JSON"),
        (f"```json\n{json.dumps(GOOD)}\n```", "the reply is fenced in ``` and not bare JSON"),
        (f"Here it is: {json.dumps(GOOD)}", "the reply is not JSON"),
        (json.dumps(GOOD) * 2, "the reply is not JSON"),
        ('{"quotes": [], "quotes": []}', 'the reply gives "quotes" twice'),
        ("[" * 100_000, "the reply is nested too deeply"),
        ('{"quotes": ' + "9" * 5000 + "}", "the reply is not JSON"),
    ],
)
def test_what_is_not_one_whole_json_object_is_refused(text, reason):
    unusable = read_reply(text, EXPECTED)
    assert isinstance(unusable, Unusable)
    assert unusable.outcome == "invalid"
    assert unusable.reason.startswith(reason)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quotes": "212"}, 'quotes is "212" and not a list'),
        ({"quotes": ["212", 7]}, "quote 2 is 7 and not a text"),
        ({"explanation": None}, "explanation is null and not a text"),
        ({"explanation": "half \ud800"}, "explanation holds half a character, a lone surrogate"),
        ({"scores": [8, 8]}, "scores is [8, 8] and not an object"),
        ({"scores": {"intent": 8}}, "scores lacks faith"),
        ({"scores": GOOD["scores"] | {"style": 8}}, 'scores has a field that was not asked for: "style"'),
        ({"verdict": "excellent"}, 'verdict is "excellent" and not one of good, partial, poor'),
        ({"verdict": None}, "verdict is null and not one of good, partial, poor"),
        ({"addressed_judge": "no"}, 'addressed_judge is "no" and not true or false'),
        ({"addressed_judge": 0}, "addressed_judge is 0 and not true or false"),
        ({"note": "hello"}, 'the reply has a field that was not asked for: "note"'),
    ],
)
def test_a_field_of_another_kind_missing_or_unasked_for_is_refused_by_name(changes, reason):
    assert read(**changes) == Unusable("invalid", reason)


@pytest.mark.parametrize("missing", GOOD)
def test_no_field_has_a_default(missing):
    data = {name: value for name, value in GOOD.items() if name != missing}
    assert read_reply(json.dumps(data), EXPECTED) == Unusable("invalid", f"the reply lacks {missing}")


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_nothing_at_all_is_an_outcome_of_its_own(text):
    assert read_reply(text, EXPECTED) == Unusable("empty", "the reply is empty")


def test_a_scale_with_halves_takes_halves():
    halves = Expected((0, 0.5, 1), ("intent",))
    text = json.dumps(GOOD | {"scores": {"intent": 0.5}})
    assert read_reply(text, halves).scores == {"intent": 0.5}
    assert "0.25" in read_reply(text.replace("0.5", "0.25"), halves).reason


def test_a_reason_stays_short_and_speaks_to_no_terminal():
    reason = read(verdict="\x1b[31m" + "x" * 5000).reason
    assert len(reason) < 120
    assert "\x1b" not in reason
