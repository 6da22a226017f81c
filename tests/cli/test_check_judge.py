"""`reportgen check-judge`: a sentence each on key, model, schema, caching and verdict, and what it cost."""

import pytest

from tests.judge_server import served

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture
def server(monkeypatch):
    with served(monkeypatch) as running:
        yield running


@pytest.fixture
def check(reportgen):
    """Checks a judge; returns the exit code, the mark of each thing, and all that was printed."""

    def call(*options, spec="anthropic:claude-opus-5-5"):
        ended = reportgen("check-judge", "--judge", spec, *options)
        marks = {line.split()[0]: line.split()[1] for line in ended.out.splitlines()}
        return ended.code, marks, ended.out + ended.err

    return call


ALL_WELL = {"key": "OK", "model": "OK", "schema": "OK", "caching": "OK", "verdict": "OK", "cost": "--"}


def test_a_judge_in_order_is_said_to_be_so_with_what_it_cost(server, check):
    code, marks, printed = check()
    assert (code, marks) == (0, ALL_WELL)
    assert server.messages == 2
    assert "2 requests" in printed
    assert "cost: $0.02" in printed
    assert "read 1,9" in printed


def test_nothing_is_written(server, check, tmp_path):
    check()
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_refused_is_told_and_not_shown(server, check, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-wrong-wrong-wrong")
    code, marks, printed = check()
    assert (code, marks["key"], marks["verdict"]) == (1, "NO", "--")
    assert "Check ANTHROPIC_API_KEY" in printed
    assert "wrong-wrong" not in printed


def test_an_absent_key_is_told(server, check, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    code, marks, printed = check()
    assert (code, marks["key"], "ANTHROPIC_API_KEY is not set" in printed) == (1, "NO", True)


def test_an_unknown_model_is_told_apart_from_a_bad_key(server, check):
    code, marks, printed = check(spec="anthropic:claude-unknown-1")
    assert (code, marks["key"], marks["model"]) == (1, "--", "NO")
    assert "no model claude-unknown-1" in printed


def test_a_retiring_model_is_in_order_and_its_end_is_told(server, check):
    code, marks, printed = check(spec="anthropic:claude-old-4")
    assert (code, marks["model"]) == (0, "OK")
    assert "retires 2026-12-31" in printed


def test_another_model_than_asked_is_worth_knowing(server, check):
    server.fields = {"model": "claude-stand-in-1"}
    code, marks, printed = check()
    assert (code, marks["model"]) == (0, "--")
    assert "claude-opus-5-5 was asked, but claude-stand-in-1 answered" in printed


def test_a_reply_of_another_form_is_told(server, check):
    server.script.extend(["half"])
    code, marks, printed = check()
    assert (code, marks["key"], marks["schema"], marks["verdict"]) == (1, "OK", "NO", "NO")
    assert "not JSON" in printed


def test_a_cache_that_keeps_nothing_is_told_and_no_fault(server, check):
    server.usage = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    code, marks, printed = check()
    assert (code, marks["caching"]) == (0, "--")
    assert "read nothing from a cache" in printed


def test_a_judge_that_finds_a_right_turn_poor_is_not_in_order(server, check):
    server.script.extend(["harsh", "harsh"])
    code, marks, printed = check()
    assert (code, marks["schema"], marks["verdict"]) == (1, "OK", "NO")
    assert "right in every respect was found poor" in printed


@pytest.mark.parametrize("fault", ["529", "cut", "500"])
def test_a_judge_that_does_not_answer_is_not_in_order(server, check, fault):
    server.script.extend([fault, fault])
    code, marks, printed = check()
    assert (code, marks["model"], marks["schema"]) == (1, "NO", "--")
    assert "did not answer" in printed


def test_a_rejected_request_is_told(server, check):
    server.script.extend(["400", "400"])
    code, marks, printed = check()
    assert (code, marks["schema"], "HTTP 400: this is not accepted" in printed) == (1, "NO", True)


def test_a_model_without_a_price_has_an_unknown_cost(server, check):
    code, marks, printed = check(spec="anthropic:claude-future-9")
    assert (code, marks) == (0, ALL_WELL)
    assert "cost: unknown, since no price is known for anthropic:claude-future-9" in printed


def test_recorded_verdicts_are_nothing_to_check(check, demo_run):
    code, _, printed = check(spec=f"recorded:{demo_run / 'verdicts.jsonl'}")
    assert (code, "there is nothing to check" in printed) == (1, True)
