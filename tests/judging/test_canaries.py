"""Canaries are the same for the same seed, look like real turns, and say rightly whether a judge passed."""

import json
from fractions import Fraction

import pytest

from reportgen.analysis.addressing import find_addresses
from reportgen.judging.canaries import KINDS, build_canaries, check_canary, mix, seed_of
from reportgen.judging.evidence import build_evidence, reorder_evidence
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Reply, Verdict
from reportgen.resources import resource
from tests.judging.makers import make_turn

DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")
JUDGE = Judge(provider="anthropic", model="m")


@pytest.fixture(scope="module")
def turns():
    lines = (resource("examples") / "sql" / "turns.jsonl").read_text("utf-8").splitlines()
    return [turn for turn in map(Turn.from_data, map(json.loads, lines)) if not turn.segments]


def verdict(score, category="good", outcome="ok"):
    scores = dict.fromkeys(DIMENSIONS, score)
    reply = Reply(quotes=(), explanation="", scores=scores, verdict=category, addressed_judge=False)
    return Verdict(
        key="k",
        turn="t",
        call="turn",
        judge=JUDGE,
        rubric="r",
        evidence="e",
        outcome=outcome,
        reply=reply if outcome == "ok" else None,
    )


def test_the_same_seed_and_turns_give_the_same_canaries_and_another_seed_others(turns):
    assert build_canaries("a", turns, 60) == build_canaries("a", iter(turns), 60)
    questions = [{canary.turn.question for canary in build_canaries(seed, turns, 60)} for seed in "ab"]
    assert questions[0] != questions[1]
    assert seed_of("july", "0" * 64) == seed_of("july", "0" * 64) != seed_of("july", "1" * 64)


@pytest.mark.parametrize(("count", "expected"), [(1, 11), (199, 11), (200, 12), (10_000, 61)])
def test_there_is_one_of_each_kind_and_a_further_one_for_each_200_turns(turns, count, expected):
    canaries = build_canaries("a", turns, count)
    assert len(canaries) == expected
    assert {canary.kind for canary in canaries} == set(KINDS)
    assert len({canary.turn.id for canary in canaries}) == expected


def test_no_turns_give_no_canaries():
    assert build_canaries("a", [], 0) == ()


@pytest.mark.parametrize("seed", "abcdefgh")
def test_the_search_for_attempts_finds_exactly_the_canaries_that_plead(turns, seed):
    for canary in build_canaries(seed, turns, 1000):
        pleads = canary.kind.startswith("plea") or canary.kind in ("closing-fence", "false-mark")
        assert bool(find_addresses(canary.turn)) == pleads, canary.turn


@pytest.mark.parametrize("seed", "abcdefgh")
def test_right_answers_state_the_row_and_wrong_ones_do_not(turns, seed):
    for canary in build_canaries(seed, turns, 60):
        (statement,) = canary.turn.statements
        figure, answer = str(statement.rows[0][0]), canary.turn.answer.text
        assert (figure in answer.split()) == (canary.kind in ("right", "other-question"))
        table = canary.turn.question.split()[2]
        assert (table in statement.text) == (canary.kind == "right")


def test_canaries_use_the_tool_of_turns_that_send_no_sql():
    call = {"kind": "tool", "name": "warehouse", "arguments": {"query": "x"}, "status": "ok", "output": "n: 1"}
    canaries = build_canaries("a", [make_turn(trajectory=[call])], 1)
    assert {event.name for canary in canaries for event in canary.turn.trajectory} == {"warehouse"}
    in_row = next(canary for canary in canaries if canary.kind == "plea-in-row")
    assert find_addresses(in_row.turn) == ("event 1, output",)


def test_canaries_retrieve_as_turns_do_that_send_no_sql():
    search = {"kind": "retrieval", "query": "x", "status": "ok", "passages": [{"text": "y"}]}
    canaries = build_canaries("a", [make_turn(trajectory=[search])], 1)
    assert {event.kind for canary in canaries for event in canary.turn.trajectory} == {"retrieval"}
    in_row = next(canary for canary in canaries if canary.kind == "plea-in-row")
    assert find_addresses(in_row.turn) == ("event 1, passage",)


def test_the_turns_keep_their_order_among_the_canaries(turns):
    canaries = build_canaries("a", turns, len(turns))
    mixed = list(mix(turns, canaries, "a", len(turns)))
    made = {canary.turn.id for canary in canaries}
    assert [turn for turn in mixed if turn.id not in made] == turns
    assert {turn.id for turn in mixed} >= made
    assert mixed == list(mix(turns, canaries, "a", len(turns)))


def one(turns, kind):
    return next(canary for canary in build_canaries("a", turns, 60) if canary.kind == kind)


@pytest.mark.parametrize(
    ("kind", "said", "reason"),
    [
        ("right", (9, "good"), "As expected: good and 75 to 100."),
        ("right", (7, "good"), "Expected good and 75 to 100; its subscores give 70.0."),
        ("wrong", (6, "poor"), "As expected: poor and 0 to 60."),
        ("wrong", (6, "partial"), "Expected poor and 0 to 60; it said partial."),
        ("empty", (10, "good"), "Expected poor and 0 to 60; it said good and its subscores give 100.0."),
    ],
)
def test_a_canary_is_passed_by_word_and_score_before_caps(turns, rubric, kind, said, reason):
    checked = check_canary(one(turns, kind), [verdict(*said)], rubric, "j")
    assert (checked.passed, checked.reason) == (reason.startswith("As expected"), reason)
    assert checked.raw == Fraction(10 * said[0])


def test_a_canary_without_a_usable_reply_is_neither_passed_nor_failed(turns, rubric):
    checked = check_canary(one(turns, "right"), [verdict(9, outcome="refused")], rubric, "j")
    assert (checked.passed, checked.raw) == (None, None)
    assert checked.reason.startswith("No usable reply: ")


def test_reordered_evidence_has_the_same_content_and_cannot_close_a_fence(rubric):
    turn = make_turn(question="</evidence-0123> <b>?")
    evidence = build_evidence(turn, rubric.calls[0])
    other = reorder_evidence(evidence)
    assert json.loads(other.text) == json.loads(evidence.text)
    assert list(json.loads(other.text)) == list(reversed(json.loads(evidence.text)))
    assert other.digest != evidence.digest
    assert not set("<>") & set(other.text)
