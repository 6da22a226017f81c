"""Verdicts are replayed by turn and by what the judge then saw, and by nothing else."""

import asyncio
import hashlib
import json

import pytest

from reportgen.errors import JudgeError
from reportgen.judging.backends import open_backend
from reportgen.judging.evidence import build_evidence
from tests.judging.fakes import ScriptedJudge
from tests.judging.makers import judge_with, make_turn

REPLY = {
    "quotes": ["212"],
    "explanation": "It counts late orders.",
    "scores": {"intent-understood": 10, "sql-quality": 9, "result-relevance": 8, "answer-faithfulness": 7},
    "verdict": "good",
    "addressed_judge": False,
}


@pytest.fixture
def record(tmp_path):
    """Writes lines into a file of recorded verdicts; returns its path."""

    def write(*lines, name="example-verdicts.jsonl"):
        path = tmp_path / name
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return write


@pytest.fixture
def replay(rubric):
    """Replays a file for some turns; returns the verdicts by turn."""

    def run(path, *turns):
        kept, _ = asyncio.run(judge_with(open_backend(f"recorded:{path}"), turns or [make_turn()], rubric))
        return {verdict.turn: verdict for verdict in kept}

    return run


def test_a_recorded_reply_comes_back_as_it_was_given(record, replay, rubric):
    path = record({"turn": "t1", "reply": REPLY})
    verdict = replay(path)["t1"]
    assert verdict.outcome == "ok"
    assert verdict.reply.to_data() == REPLY
    assert (verdict.call, verdict.rubric) == ("turn", rubric.digest)


def test_the_judge_is_the_file_by_name_and_digest_with_its_note(record, replay):
    path = record({"format": "reportgen/recorded/1", "note": "authored by hand"}, {"turn": "t1", "reply": REPLY})
    judge = replay(path)["t1"].judge
    assert judge.name == "recorded:example-verdicts"
    assert judge.parameters == {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    assert judge.note == "authored by hand"
    assert judge.effort is None


def test_the_verdicts_of_a_run_can_be_replayed_and_tell_who_gave_them(record, replay, rubric):
    scripts = {"t2": ["{}", "{}"]}
    kept, _ = asyncio.run(judge_with(ScriptedJudge(scripts), [make_turn(1), make_turn(2)], rubric))
    path = record(*[verdict.to_data() for verdict in kept], name="verdicts.jsonl")
    again = replay(path, make_turn(1), make_turn(2))
    for verdict in kept:
        replayed = again[verdict.turn]
        assert (replayed.outcome, replayed.reason, replayed.reply) == (verdict.outcome, verdict.reason, verdict.reply)
        assert replayed.judge.note == "as once given by fake:judge-1"


def test_a_turn_without_a_recorded_verdict_is_unscored_with_the_reason(record, replay):
    verdict = replay(record({"turn": "t1", "reply": REPLY}), make_turn(2))["t2"]
    assert verdict.outcome == "request_error"
    assert verdict.reason == "no verdict on this turn is recorded in example-verdicts.jsonl"


def test_a_verdict_on_other_evidence_is_not_passed_off_as_one_on_this(record, replay, rubric):
    digest = build_evidence(make_turn(), rubric.calls[0]).digest
    path = record({"turn": "t1", "evidence": digest, "reply": REPLY})
    assert replay(path)["t1"].outcome == "ok"
    changed = make_turn(answer={"text": "213 orders shipped late."})
    assert replay(path, changed)["t1"].outcome == "request_error"
    assert "other evidence" in replay(path, changed)["t1"].reason


def test_of_several_verdicts_on_a_turn_the_last_on_this_evidence_counts(record, replay, rubric):
    digest = build_evidence(make_turn(), rubric.calls[0]).digest
    lines = [
        {"turn": "t1", "evidence": digest, "reply": REPLY | {"verdict": "poor"}},
        {"turn": "t1", "evidence": digest, "reply": REPLY | {"verdict": "partial"}},
        {"turn": "t1", "evidence": "0" * 64, "reply": REPLY},
    ]
    assert replay(record(*lines))["t1"].reply.verdict == "partial"


def test_a_verdict_of_another_judge_call_does_not_answer_this_one(record, replay):
    path = record({"turn": "t1", "call": "another", "reply": REPLY})
    assert replay(path)["t1"].outcome == "request_error"


def test_numbers_off_the_scale_are_left_for_the_scoring_to_clamp(record, replay):
    scores = REPLY["scores"] | {"sql-quality": 11, "intent-understood": 8.5}
    verdict = replay(record({"turn": "t1", "reply": REPLY | {"scores": scores}}))["t1"]
    assert verdict.reply.scores["sql-quality"] == 11
    assert verdict.reply.scores["intent-understood"] == 8.5


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {},
        REPLY | {"scores": REPLY["scores"] | {"sql-quality": "8"}},
        REPLY | {"scores": REPLY["scores"] | {"sql-quality": True}},
        REPLY | {"scores": {"sql-quality": 8}},
        REPLY | {"verdict": "excellent"},
        REPLY | {"more": 1},
    ],
)
def test_a_recorded_reply_of_another_form_is_unscored_and_not_mended(record, replay, reply):
    verdict = replay(record({"turn": "t1", "reply": reply}))["t1"]
    assert verdict.outcome == "invalid"
    assert verdict.reply is None
    assert verdict.reason.startswith("the recorded reply")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "holds no recorded verdict"),
        (['{"format": "reportgen/recorded/1"}\n'], "holds no recorded verdict"),
        (["not json\n"], "line 1: not JSON"),
        ([{"turn": "t1", "reply": REPLY}, "\n", "[1]\n"], "line 3: not a recorded verdict"),
        ([{"id": "t1", "question": "a file of turns"}], "line 1: not a recorded verdict"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_by_line(record, lines, message):
    with pytest.raises(JudgeError, match=message):
        open_backend(f"recorded:{record(*lines)}")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(JudgeError, match=r"nowhere\.jsonl cannot be read: No such file"):
        open_backend(f"recorded:{tmp_path / 'nowhere.jsonl'}")


def test_a_file_without_a_last_line_feed_is_whole(record, replay):
    path = record(json.dumps({"turn": "t1", "reply": REPLY}))
    assert replay(path)["t1"].outcome == "ok"
