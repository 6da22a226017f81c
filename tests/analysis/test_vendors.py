"""Whose models judge and assistant are, by their names."""

from dataclasses import replace

import pytest

from reportgen.analysis.vendors import find_vendors, measure_kinship, vendor_of_judge
from reportgen.model.verdict import Judge
from tests.test_prose import build_rows


@pytest.mark.parametrize(
    ("text", "vendors"),
    [
        ("claude-opus-5-5", {"Anthropic"}),
        ("Claude", {"Anthropic"}),
        ("helper built on GPT4o", {"OpenAI"}),
        ("o3-mini", {"OpenAI"}),
        ("gemini_2.5_flash", {"Google"}),
        ("qwen3:8b", {"Alibaba"}),
        ("meta-llama/Llama-4", {"Meta"}),
        ("harbour-assistant 4.2.0", set()),
        ("claudette", set()),
        ("egpt", set()),
        ("", set()),
    ],
)
def test_a_vendor_is_told_by_a_whole_word(text, vendors):
    assert find_vendors(text) == vendors


@pytest.mark.parametrize(
    ("judge", "vendor"),
    [
        (Judge(provider="anthropic", model="claude-opus-5-5"), "Anthropic"),
        (Judge(provider="anthropic", model="experimental-7"), "Anthropic"),
        (Judge(provider="openai", model="gpt-5.2"), "OpenAI"),
        (Judge(provider="openai", model="qwen3:8b"), "Alibaba"),
        (Judge(provider="openai", model="house-model"), None),
        (Judge(provider="recorded", model="claude-verdicts"), None),
        (Judge(provider="recorded", model="x", note="as once given by anthropic:claude-opus-5-5"), "Anthropic"),
        (Judge(provider="recorded", model="x", note="as once given by anthropic:claude-1, openai:gpt-5"), None),
        (Judge(provider="recorded", model="x", note="Claude wrote these by hand."), None),
    ],
)
def test_the_model_tells_the_vendor_of_a_judge_and_then_the_provider(judge, vendor):
    assert vendor_of_judge(judge) == vendor


def rows(*agents: str):
    return [replace(row, agent=agent) for row, agent in zip(build_rows("many"), agents, strict=False)]


def test_turns_are_counted_by_vendor_and_those_shared_with_a_judge():
    kinship = measure_kinship(
        rows("claude router", "gpt-5 and claude", "gemini", "plain"), [Judge(provider="anthropic", model="claude-x")]
    )
    assert kinship.judges == kinship.common == ("Anthropic",)
    assert kinship.assistants == {"Anthropic": 2, "Google": 1, "OpenAI": 1}
    assert (kinship.untold, kinship.shared) == (1, 2)


def test_a_panel_shares_a_vendor_if_one_of_its_judges_does():
    judges = [Judge(provider="anthropic", model="claude-x"), Judge(provider="openai", model="gpt-5.2")]
    kinship = measure_kinship(rows("gpt-5", "gemini"), judges)
    assert (kinship.judges, kinship.common, kinship.shared) == (("Anthropic", "OpenAI"), ("OpenAI",), 1)


def test_a_judge_of_no_known_vendor_shares_none():
    assert measure_kinship(rows("claude"), [Judge(provider="openai", model="house-model")]).shared == 0


def test_the_model_that_a_turn_states_tells_its_vendor():
    stated = [replace(row, knobs={"model": "claude-haiku-4-5"}) for row in rows("plain", "gpt-5")]
    kinship = measure_kinship(stated, [Judge(provider="anthropic", model="claude-x")])
    assert kinship.assistants == {"Anthropic": 2, "OpenAI": 1}
    assert (kinship.untold, kinship.shared) == (0, 2)
