"""The real SDK against a judge on loopback: every way in which it may answer, and what becomes of the turn."""

import asyncio
import json
import logging
import subprocess
import sys
from itertools import pairwise

import pytest

from reportgen.errors import JudgeError
from reportgen.judging.backends import open_backend
from reportgen.judging.pacing import Policy
from reportgen.judging.quotes import find_quotes
from tests.judge_server import KEY
from tests.judging.makers import judge_with, keep_in, make_faulty, make_turn

PATIENT = Policy(concurrency=8, wait=0.01)


def test_a_turn_is_judged_through_the_real_sdk(judge, server, rubric):
    verdict = judge([make_turn()])["t1"]
    assert verdict.outcome == "ok"
    assert set(verdict.reply.scores) == {dimension.id for dimension in rubric.dimensions}
    assert verdict.judge.name == "anthropic:claude-opus-5-5"
    assert (verdict.judge.effort, verdict.judge.parameters) == ("medium", {"max_tokens": 12_000})
    [attempt] = verdict.attempts
    assert (attempt.model, attempt.request_id, attempt.status) == ("claude-opus-5-5", "req_1", 200)
    assert attempt.usage["output_tokens"] == 200


def test_the_request_is_what_the_api_wants_and_the_system_prompt_is_marked_for_the_cache(judge, server):
    judge([make_turn(number) for number in range(1, 4)])
    body = server.bodies[0]
    assert set(body) == {"model", "max_tokens", "system", "messages", "output_config"}
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["output_config"]["effort"] == "medium"
    assert len({json.dumps(item["system"]) for item in server.bodies}) == 1


def test_the_first_request_warms_the_cache_for_all_others(judge, server):
    server.latency = 0.02
    verdicts = judge([make_turn(number) for number in range(1, 31)])
    usages = [verdict.attempts[0].usage for verdict in verdicts.values()]
    assert sum(usage["cache_creation_input_tokens"] > 0 for usage in usages) == 1
    assert sum(usage["cache_read_input_tokens"] > 0 for usage in usages) == 29


def test_the_quotes_of_the_judge_can_be_verified_from_the_evidence(judge, server):
    verdict = judge([make_turn()])["t1"]
    text = server.bodies[0]["messages"][0]["content"].split("\n\n")[1]
    evidence = text[text.index("\n") : text.rindex("\n")]
    assert len(verdict.reply.quotes) == 2
    assert all(find_quotes(verdict.reply.quotes, evidence))


def test_null_is_accepted_where_no_answer_was_captured(judge):
    verdict = judge([make_turn(answer={"not_captured": "composed elsewhere"})])["t1"]
    assert verdict.outcome == "ok"
    assert verdict.reply.scores["answer-faithfulness"] is None


@pytest.mark.parametrize(
    ("fault", "outcome", "reason"),
    [
        ("empty-object", "invalid", "the reply lacks quotes"),
        ("score-8-5", "invalid", "the score of intent-understood is 8.5"),
        ("score-11", "invalid", "the score of intent-understood is 11"),
        ("score-text", "invalid", 'the score of intent-understood is "8" and not a number'),
        ("score-nan", "invalid", "the reply holds NaN"),
        ("score-true", "invalid", "the score of intent-understood is true and not a number"),
        ("score-null", "invalid", "the score of intent-understood is null"),
        ("half", "invalid", "the reply is not JSON"),
        ("fenced", "invalid", "the reply is fenced in ``` and not bare JSON"),
        ("empty", "empty", "the reply is empty"),
        ("refusal", "refused", "the judge refused (category cyber)"),
        ("max-tokens", "truncated", "the reply was cut off: it reached the limit of tokens"),
        ("window", "truncated", "the reply was cut off: the context window was full"),
        ("400", "request_error", "HTTP 400: this is not accepted"),
        ("413", "request_error", "too large: HTTP 413"),
        ("529", "gave_up", "no answer in 6 attempts; the last time: HTTP 529: Overloaded"),
        ("overloaded-400", "gave_up", "no answer in 6 attempts; the last time: HTTP 400: Overloaded"),
        ("500", "gave_up", "no answer in 6 attempts; the last time: HTTP 500"),
        ("html", "gave_up", "no answer in 6 attempts; the last time: the answer is not JSON"),
        ("cut", "gave_up", "no answer in 6 attempts; the last time: the connection failed"),
    ],
)
def test_a_turn_that_could_not_be_judged_is_unscored_with_the_reason_and_the_others_are_judged(
    judge, fault, outcome, reason
):
    verdicts = judge([make_turn(1), make_faulty(fault, 2), make_turn(3)], policy=PATIENT)
    assert verdicts["t2"].outcome == outcome
    assert verdicts["t2"].reason.startswith(reason)
    assert verdicts["t2"].reply is None
    assert [verdicts[turn].outcome for turn in ("t1", "t3")] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("fault", "attempts"), [("half", 2), ("empty", 2), ("max-tokens", 2), ("refusal", 1), ("window", 1), ("400", 1)]
)
def test_only_what_may_come_out_better_is_asked_for_a_second_time(judge, fault, attempts):
    assert len(judge([make_turn(1), make_faulty(fault, 2)])["t2"].attempts) == attempts


@pytest.mark.parametrize(
    "fault",
    ["429-seconds", "429-date", "429-ms", "429-bare", "529", "500", "cut", "html", "half", "empty", "max-tokens"],
)
def test_passing_trouble_costs_no_turn_and_stands_in_the_record(judge, fault):
    verdicts = judge([make_faulty(f"once {fault}", number) for number in range(1, 4)], policy=PATIENT)
    assert {verdict.outcome for verdict in verdicts.values()} == {"ok"}
    assert all(len(verdict.attempts) == 2 for verdict in verdicts.values())


@pytest.mark.parametrize("fault", ["429-seconds", "429-date"])
def test_a_rate_limit_on_every_tenth_reply_loses_nothing(judge, server, fault):
    server.every, server.fault = 10, fault
    count = 60 if fault == "429-seconds" else 25
    verdicts = judge([make_turn(number) for number in range(count)], policy=PATIENT)
    assert len(verdicts) == count
    assert {verdict.outcome for verdict in verdicts.values()} == {"ok"}
    assert server.messages == sum(len(verdict.attempts) for verdict in verdicts.values())


def test_the_wait_that_the_server_asks_for_is_kept_by_all(judge, server):
    server.script.extend([None, "429-seconds"])
    verdicts = judge([make_turn(number) for number in range(1, 4)], policy=Policy(1, wait=0.01))
    asked = sorted(attempt.asked_at for verdict in verdicts.values() for attempt in verdict.attempts)
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(asked)]
    assert max(pauses) == pauses[1] >= 0.2


def test_a_judge_that_never_answers_is_given_up_and_recorded(judge):
    policy = Policy(8, wait=0.01, tries=2, timeout=0.2)
    verdicts = judge([make_turn(1), make_faulty("hang", 2)], policy=policy)
    assert verdicts["t2"].outcome == "gave_up"
    assert verdicts["t2"].reason == "no answer in 2 attempts; the last time: no answer within 0.2 seconds"
    assert verdicts["t1"].outcome == "ok"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("401", "The judge claude-opus-5-5 cannot be asked"),
        ("402", "The judge claude-opus-5-5 cannot be asked"),
        ("403", "The judge claude-opus-5-5 cannot be asked"),
        ("404-model", "There is no model claude-opus-5-5"),
        ("429-spent", "The spend limit is reached"),
    ],
)
def test_what_would_fail_for_every_turn_stops_the_run_in_the_middle_and_keeps_what_was_judged(
    server, rubric, fault, message
):
    kept = []

    server.script.extend([None] * 20 + [fault])
    turns = [make_turn(number) for number in range(200)]
    with pytest.raises(JudgeError, match=message) as caught:
        asyncio.run(judge_with(open_backend("anthropic:claude-opus-5-5"), turns, rubric, keep=keep_in(kept)))
    assert caught.value.fix
    assert len(kept) >= 20
    assert {verdict.outcome for verdict in kept} == {"ok"}
    assert server.messages < 40


def test_without_a_key_the_error_names_the_variable(judge, server, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(JudgeError, match="ANTHROPIC_API_KEY is not set"):
        judge([make_turn()])
    assert server.messages == 0


@pytest.mark.parametrize("key", ["sk-ant-with a blank", "sk-ant-line\n", "sk-ant-ünicode"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(judge, monkeypatch, key):
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(JudgeError, match="ANTHROPIC_API_KEY holds white space") as caught:
        judge([make_turn()])
    assert key not in str(caught.value)


def test_a_wrong_key_stops_the_run_before_the_first_turn(judge, server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-wrong-key-0000")
    with pytest.raises(JudgeError, match="HTTP 401") as caught:
        judge([make_turn()])
    assert "wrong-key" not in str(caught.value)
    assert server.messages == 0


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("claude-unknown-9", "There is no model claude-unknown-9"),
        ("claude-retired-1", "The model claude-retired-1 is retired"),
    ],
)
def test_a_model_that_cannot_be_asked_stops_the_run_before_the_first_turn(judge, server, model, message):
    with pytest.raises(JudgeError, match=message):
        judge([make_turn()], spec=f"anthropic:{model}")
    assert server.messages == 0


def test_effort_is_left_out_where_the_model_has_none(judge, server):
    verdict = judge([make_turn()], spec="anthropic:claude-haiku-4-5")["t1"]
    assert verdict.judge.effort is None
    assert "effort" not in server.bodies[0]["output_config"]


def test_a_model_that_will_retire_is_judged_with_and_noted(judge):
    verdict = judge([make_turn()], spec="anthropic:claude-old-1")["t1"]
    assert verdict.judge.note == "deprecated model, retires 2026-12-31"


def test_a_model_that_the_sdk_warns_about_raises_no_warning(judge):
    assert judge([make_turn()], spec="anthropic:claude-opus-4-5")["t1"].outcome == "ok"


@pytest.mark.parametrize("spec", ["anthropic", "anthropic:", "gpt:x", "", ":claude"])
def test_what_names_no_judge_is_refused_with_the_backends_that_there_are(spec):
    with pytest.raises(JudgeError, match="does not name a judge") as caught:
        open_backend(spec)
    assert "anthropic, openai, recorded" in caught.value.fix


def test_an_unknown_effort_is_refused():
    with pytest.raises(JudgeError, match="'extreme' is not an effort"):
        open_backend("anthropic:claude-opus-5-5", "extreme")


@pytest.mark.parametrize("key", [KEY, "key-of-a-gateway"])
def test_no_key_reaches_a_verdict_an_error_or_a_log(judge, server, caplog, monkeypatch, key):
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    server.key = key
    caplog.set_level(logging.DEBUG)
    verdict = judge([make_turn(1), make_faulty("echo-key", 2)])["t2"]
    told = verdict.model_dump_json() + caplog.text
    assert "[key]" in verdict.reason
    assert key not in told
    assert "sk-ant-" not in told


def test_a_gateway_that_knows_no_models_is_no_obstacle(judge, server, monkeypatch):
    monkeypatch.setattr("tests.judge_server.model_info", lambda model: server_answer(404, "<html>not here</html>"))
    assert judge([make_turn()])["t1"].outcome == "ok"


def server_answer(status, body):
    from tests.judge_script import Answer

    return Answer(status, body, {"content-type": "text/html"})


def test_a_server_that_is_not_there_stops_the_run_after_three_turns(rubric, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    turns = [make_turn(number) for number in range(50)]
    policy = Policy(4, wait=0.001, tries=2)
    with pytest.raises(JudgeError, match="3 times in a row in the same way: the connection failed"):
        asyncio.run(judge_with(open_backend("anthropic:claude-opus-5-5"), turns, rubric, policy=policy))


def test_the_sdk_is_loaded_only_when_its_backend_is_entered():
    code = (
        "import sys, reportgen.judging.engine, reportgen.judging.backends as family;"
        "family.open_backend('anthropic:claude-opus-5-5');"
        "assert 'reportgen.judging.backends.anthropic' in sys.modules;"
        "assert not {'anthropic', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})
