"""What the judge is asked, and which change of it makes another question."""

import json
import re

import anthropic
import pytest

from reportgen.judging.evidence import build_evidence
from reportgen.judging.prompts import (
    build_prompt,
    build_request,
    build_requests,
    build_schema,
    build_system,
    build_user,
)
from reportgen.model.run import EvidenceLimits
from reportgen.model.verdict import Judge
from tests.judge_script import find_schema_problem
from tests.judging.makers import make_turn

JUDGE = Judge(provider="anthropic", model="claude-opus-5-5", effort="low", parameters={"max_tokens": 12_000})


def request(rubric, turn=None, judge=JUDGE, sample=1, **limits):
    prompt = build_prompt(rubric, rubric.calls[0], judge)
    return build_request(turn or make_turn(), prompt, EvidenceLimits(**limits), sample)


def test_the_schema_is_already_what_the_sdk_would_make_of_it(rubric):
    schema = build_schema(rubric, rubric.calls[0])
    assert json.dumps(schema) == json.dumps(anthropic.transform_schema(schema))
    assert find_schema_problem(schema) is None


def test_the_judge_gives_its_reasons_before_its_numbers(rubric):
    schema = build_schema(rubric, rubric.calls[0])
    assert schema["required"] == ["quotes", "explanation", "scores", "verdict", "addressed_judge"]
    assert list(schema["properties"]) == schema["required"]


def test_scores_are_bound_to_the_scale_and_null_only_where_a_dimension_may_not_apply(rubric):
    scores = build_schema(rubric, rubric.calls[0])["properties"]["scores"]["properties"]
    assert scores["sql-quality"] == {"enum": list(range(11))}
    assert scores["answer-faithfulness"] == {"enum": [*range(11), None]}


def test_the_system_prompt_has_the_frame_and_each_dimension_with_its_levels(rubric):
    system = build_system(rubric, rubric.calls[0])
    assert system.startswith(rubric.prompts["sql-agent-1.md"].rstrip())
    for dimension in rubric.dimensions:
        described = system[system.index(f"### {dimension.name} (`{dimension.id}`)") :]
        assert dimension.asks in described
        places = [described.index(f"- {level}: {dimension.levels[level]}") for level in ("10", "8", "5", "3", "0")]
        assert places == sorted(places)
    assert "answer not captured" in system


def test_the_judge_does_not_learn_how_its_scores_will_weigh(rubric):
    dimension = rubric.dimensions[0].model_copy(update={"weight": 55, "why": "It weighs much."})
    other = rubric.dimensions[1].model_copy(update={"weight": 0})
    heavier = rubric.model_copy(update={"dimensions": (dimension, other, *rubric.dimensions[2:])})
    assert build_system(heavier, rubric.calls[0]) == build_system(rubric, rubric.calls[0])


def test_the_evidence_stands_in_a_fence_that_it_cannot_know_with_the_task_on_both_sides(rubric):
    evidence = build_evidence(make_turn(), rubric.calls[0])
    user = build_user(evidence)
    before, mark, inside, after = re.fullmatch(
        r"(.+)\n\n<evidence-([0-9a-f]{16})>\n(.*)\n</evidence-\2>\n\n(.+)", user, re.DOTALL
    ).groups()
    assert inside == evidence.text
    assert mark not in inside
    assert mark in before
    assert mark in after
    assert build_user(evidence) == user


def test_the_key_changes_with_all_that_could_change_the_answer(rubric):
    rows = [{"kind": "sql", "text": "select 1", "status": "ok", "columns": ["n"], "rows": [[n] for n in range(30)]}]
    other = rubric.dimensions[0].model_copy(update={"asks": "Did it understand?"})
    same = make_turn(trajectory=rows)
    keys = [
        request(rubric, same),
        request(rubric, make_turn(trajectory=[rows[0] | {"rows": [[7]]}])),
        request(rubric, make_turn(trajectory=rows, question="What else?")),
        request(rubric, make_turn(trajectory=rows, answer={"text": "213"})),
        request(rubric, same, rows=5),
        request(rubric, same, sample=2),
        request(rubric, same, JUDGE.model_copy(update={"model": "claude-haiku-5-5"})),
        request(rubric, same, JUDGE.model_copy(update={"effort": "high"})),
        request(rubric, same, JUDGE.model_copy(update={"parameters": {"max_tokens": 9}})),
        request(rubric, same, JUDGE.model_copy(update={"provider": "recorded"})),
        request(rubric.model_copy(update={"dimensions": (other, *rubric.dimensions[1:])}), same),
        request(rubric.model_copy(update={"prompts": {"sql-agent-1.md": "Grade it."}}), same),
    ]
    assert len({item.key for item in keys}) == len(keys)


@pytest.mark.parametrize("name", ["_ASK", "_ASK_AGAIN"])
def test_the_key_changes_with_the_words_around_the_evidence(rubric, monkeypatch, name):
    key = request(rubric).key
    monkeypatch.setattr(f"reportgen.judging.prompts.{name}", "Grade it, {nonce}.")
    assert request(rubric).key != key


def test_the_key_stays_where_nothing_could_change_the_answer(rubric):
    key = request(rubric).key
    assert request(rubric).key == key
    assert request(rubric, judge=JUDGE.model_copy(update={"note": "will retire"})).key == key
    assert request(rubric, make_turn(labels={"client": "Another"}, id="another")).key == key
    heavier = rubric.model_copy(update={"bands": rubric.bands[:1]})
    assert request(heavier).key == key


@pytest.mark.parametrize(
    ("answer", "nullable"), [({"text": "212"}, set()), ({"not_captured": "elsewhere"}, {"answer-faithfulness"})]
)
def test_null_is_allowed_only_where_the_dimension_does_not_apply_to_the_turn(rubric, answer, nullable):
    assert request(rubric, make_turn(answer=answer)).expected.nullable == nullable


def test_requests_are_made_as_they_are_drawn_turn_by_turn_and_sample_by_sample(rubric):
    drawn = []

    def turns():
        for number in (1, 2):
            drawn.append(number)
            yield make_turn(number)

    requests = build_requests(turns(), rubric, JUDGE, samples=lambda _turn: 2)
    assert drawn == []
    assert (next(requests).sample, drawn) == (1, [1])
    assert [(item.turn, item.sample) for item in requests] == [("t1", 2), ("t2", 1), ("t2", 2)]
