"""The backend for endpoints that speak OpenAI's protocol: the real SDK against a server on loopback."""

import asyncio
import builtins
import json
from pathlib import Path

import pytest

from reportgen.errors import JudgeError, ModelError
from reportgen.judging.backends import open_backend
from reportgen.judging.backends.openai_params import build_strict
from reportgen.judging.prompts import build_schema
from tests.judge_script import Answer
from tests.judging.makers import QUICK, judge_with, make_faulty, make_turn
from tests.openai_server import KEY, OpenAIServer, completion, find_schema_problem

JUDGE = "openai:gpt-5.2"


@pytest.fixture
def server(monkeypatch):
    with OpenAIServer() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield running


@pytest.fixture
def judge(server, rubric):
    """Judges turns through the real SDK; returns the verdicts by turn."""

    def run(turns, effort="medium", spec=JUDGE, **options):
        kept, _ = asyncio.run(judge_with(open_backend(spec, effort), turns, rubric, **options))
        return {verdict.turn: verdict for verdict in kept}

    return run


def test_a_turn_is_judged_and_the_usage_kept_as_it_came(server, judge):
    verdict = judge([make_turn()])["t1"]
    assert (verdict.outcome, verdict.judge.name, verdict.judge.effort) == ("ok", JUDGE, "medium")
    attempt = verdict.attempts[0]
    assert (attempt.model, attempt.status, attempt.request_id) == ("gpt-5.2-2026-09-01", 200, "req_1")
    assert attempt.usage["completion_tokens_details"] == {"reasoning_tokens": 120}
    assert attempt.usage["prompt_tokens"] > 1_000


def test_the_request_is_strict_and_sends_no_temperature_and_no_seed(server, judge):
    judge([make_turn()])
    body = server.bodies[0]
    assert body["reasoning_effort"] == "medium"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["max_completion_tokens"] == 12_000
    assert {"temperature", "seed", "tools", "max_tokens"}.isdisjoint(body)


def test_a_model_with_a_colon_in_its_name_is_named_whole(server, judge):
    assert judge([make_turn()], spec="openai:qwen3:8b")["t1"].judge.model == "qwen3:8b"


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("refusal", "refused"),
        ("max-tokens", "truncated"),
        ("half", "invalid"),
        ("fenced", "invalid"),
        ("score-11", "invalid"),
        ("empty", "empty"),
        ("400", "request_error"),
        ("413", "request_error"),
        ("capital-verdict", "ok"),
    ],
)
def test_each_kind_of_reply_has_the_outcome_that_it_has_from_any_judge(judge, fault, outcome):
    verdicts = judge([make_turn(1), make_faulty(fault, 2)])
    assert verdicts["t2"].outcome == outcome
    assert verdicts["t1"].outcome == "ok"


@pytest.mark.parametrize("fault", ["429-seconds", "429-date", "429-ms", "500", "529", "cut", "html"])
def test_passing_trouble_is_tried_again_and_loses_nothing(judge, fault):
    verdicts = judge([make_faulty(f"once {fault}", number) for number in range(1, 6)])
    assert {verdict.outcome for verdict in verdicts.values()} == {"ok"}
    assert all(len(verdict.attempts) == 2 for verdict in verdicts.values())


def test_a_truncated_reply_is_asked_for_once_more_with_more_room(server, judge):
    verdict = judge([make_faulty("once max-tokens")])["t1"]
    assert [attempt.outcome for attempt in verdict.attempts] == ["truncated", "ok"]
    assert server.bodies[-1]["max_completion_tokens"] == 21_000


def test_a_refusal_is_kept_with_its_words(judge):
    assert judge([make_faulty("refusal")])["t1"].reason == "the judge refused: I cannot judge that."


def test_a_content_filter_is_a_refusal(server, judge):
    body = {"model": "gpt-5.2"}
    server.replies.append(Answer(200, completion(body, "", "content_filter", prompt=5, cached=0)))
    assert judge([make_turn()])["t1"].outcome == "refused"


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": [{"message": None}]}, [], "null"])
def test_an_answer_that_is_no_completion_is_tried_again(server, judge, body):
    server.replies.append(Answer(200, body if isinstance(body, str) else json.dumps(body)))
    verdict = judge([make_turn()])["t1"]
    assert [attempt.outcome for attempt in verdict.attempts] == ["gave_up", "ok"]


def test_one_attempt_is_one_request(server, judge):
    judge([make_faulty("500")], policy=QUICK)
    assert server.messages == QUICK.tries


@pytest.mark.parametrize(
    ("fault", "said"),
    [("401", "Check OPENAI_API_KEY"), ("402", "billing"), ("403", "may use this model"), ("429-spent", "spend limit")],
)
def test_what_concerns_all_requests_stops_the_run(judge, fault, said):
    with pytest.raises(JudgeError, match=said):
        judge([make_faulty(fault)])


def test_an_unknown_model_is_found_before_any_turn_is_sent(server, judge):
    with pytest.raises(ModelError, match="There is no model unknown-1"):
        judge([make_turn()], spec="openai:unknown-1")
    assert server.messages == 0


def test_a_model_that_knows_no_effort_is_asked_without_one_and_the_judge_says_so(server, judge):
    server.efforts = ()
    verdict = judge([make_turn()])["t1"]
    assert verdict.judge.effort is None
    assert "reasoning_effort" not in server.bodies[0]


def test_an_effort_that_the_model_does_not_know_is_for_the_user_to_change(server, judge):
    with pytest.raises(ModelError, match="does not know the effort max") as caught:
        judge([make_turn()], effort="max")
    assert "--effort" in caught.value.fix


def test_without_an_effort_none_is_sent(server, judge):
    assert judge([make_turn()], effort=None)["t1"].judge.effort is None
    assert "reasoning_effort" not in server.bodies[0]


def test_an_absent_key_is_told_with_its_variable(server, judge, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(JudgeError, match="OPENAI_API_KEY is not set"):
        judge([make_turn()])


def test_an_absent_sdk_is_told_with_how_to_install_it(server, judge, monkeypatch):
    real = builtins.__import__

    def without_openai(name, *rest):
        if name == "openai":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_openai)
    with pytest.raises(JudgeError, match="not installed") as caught:
        judge([make_turn()])
    assert "pip install 'reportgen[openai]'" in caught.value.fix


def test_no_key_stands_in_a_verdict_or_in_a_message(server, judge, monkeypatch):
    def echo(status):
        return Answer(status, {"error": {"message": f"cannot read {KEY}", "type": "x", "param": None, "code": None}})

    server.replies.append(echo(400))
    verdicts = judge([make_turn(1), make_turn(2)])
    assert KEY not in str(verdicts)
    assert "[key]" in str(verdicts)
    server.replies.append(echo(403))
    with pytest.raises(JudgeError) as caught:
        judge([make_turn()])
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("name", ["sql-agent-1"])
def test_the_schema_is_of_the_strict_subset_and_keeps_its_order(rubric, name):
    for call in rubric.calls:
        plain = build_schema(rubric, call)
        strict = build_strict(plain)
        assert find_schema_problem(strict) is None
        assert find_schema_problem(plain) is not None
        assert list(strict["properties"]) == list(plain["properties"])


def test_a_whole_run_is_published_and_verified(server, reportgen, tmp_path, monkeypatch):
    from reportgen.resources import resource

    monkeypatch.chdir(tmp_path)
    turns = resource("examples") / "sql" / "turns.jsonl"
    ended = reportgen("run", turns, "--judge", JUDGE, "--limit", "12", "--run-id", "r", "--format", "html,json")
    assert ended.code == 0, ended.err
    spending = json.loads(Path("reports/r/report.json").read_text())["findings"]["spending"]
    assert spending["cost"] is None
    assert spending["total"]["thinking"] == 120 * server.messages
    assert spending["total"]["cache_read"] > 0
    assert server.trials == 1
    assert reportgen("verify", "reports/r/report.json").code == 0


def test_batches_are_refused_for_a_judge_that_has_none(server, reportgen, tmp_path, monkeypatch):
    from reportgen.resources import resource

    monkeypatch.chdir(tmp_path)
    turns = resource("examples") / "sql" / "turns.jsonl"
    ended = reportgen("judge", turns, "--judge", JUDGE, "--batch")
    assert (ended.code, "cannot be asked in batches" in ended.err) == (1, True)
    assert "not offered by this judge" in reportgen("judge", turns, "--judge", JUDGE, "--estimate").out
