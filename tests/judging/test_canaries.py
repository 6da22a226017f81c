"""Canaries are the same for the same seed, look like real turns, and say rightly whether a judge passed."""

import json
import re
from fractions import Fraction

import pytest

from reportgen.analysis.addressing import find_addresses
from reportgen.judging.canaries import build_canaries, check_canary, mix, seed_of
from reportgen.judging.canary_kinds import KINDS, KINDS_OF_PASSAGES, kinds_for
from reportgen.judging.evidence import build_evidence, reorder_evidence
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Reply, Verdict
from reportgen.resources import resource
from reportgen.rubrics import load_rubric
from tests.judging.makers import make_turn

DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")
JUDGE = Judge(provider="anthropic", model="m")
RUBRIC, RAG = load_rubric("sql-agent-1"), load_rubric("rag-1")


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
    assert build_canaries("a", turns, 60, RUBRIC) == build_canaries("a", iter(turns), 60, RUBRIC)
    questions = [{canary.turn.question for canary in build_canaries(seed, turns, 60, RUBRIC)} for seed in "ab"]
    assert questions[0] != questions[1]
    assert seed_of("july", "0" * 64) == seed_of("july", "0" * 64) != seed_of("july", "1" * 64)


@pytest.mark.parametrize(("count", "expected"), [(1, 11), (199, 11), (200, 12), (10_000, 61)])
def test_there_is_one_of_each_kind_and_a_further_one_for_each_200_turns(turns, count, expected):
    canaries = build_canaries("a", turns, count, RUBRIC)
    assert len(canaries) == expected
    assert {canary.kind for canary in canaries} == set(KINDS)
    assert len({canary.turn.id for canary in canaries}) == expected


def test_no_turns_give_no_canaries():
    assert build_canaries("a", [], 0, RUBRIC) == ()


@pytest.mark.parametrize("seed", "abcdefgh")
def test_the_search_for_attempts_finds_exactly_the_canaries_that_plead(turns, seed):
    for canary in build_canaries(seed, turns, 1000, RUBRIC):
        pleads = canary.kind.startswith("plea") or canary.kind in ("closing-fence", "false-mark")
        assert bool(find_addresses(canary.turn)) == pleads, canary.turn


@pytest.mark.parametrize("seed", "abcdefgh")
def test_right_answers_state_the_row_and_wrong_ones_do_not(turns, seed):
    for canary in build_canaries(seed, turns, 60, RUBRIC):
        (statement,) = canary.turn.statements
        figure, answer = str(statement.rows[0][0]), canary.turn.answer.text
        assert (figure in answer.split()) == (canary.kind in ("right", "other-question"))
        table = canary.turn.question.split()[2]
        assert (table in statement.text) == (canary.kind == "right")


def test_canaries_use_the_tool_of_turns_that_send_no_sql():
    call = {"kind": "tool", "name": "warehouse", "arguments": {"query": "x"}, "status": "ok", "output": "n: 1"}
    canaries = build_canaries("a", [make_turn(trajectory=[call])], 1, RUBRIC)
    assert {event.name for canary in canaries for event in canary.turn.trajectory} == {"warehouse"}
    in_row = next(canary for canary in canaries if canary.kind == "plea-in-row")
    assert find_addresses(in_row.turn) == ("event 1, output",)


def test_canaries_retrieve_as_turns_do_that_send_no_sql():
    search = {"kind": "retrieval", "query": "x", "status": "ok", "passages": [{"text": "y"}]}
    canaries = build_canaries("a", [make_turn(trajectory=[search])], 1, RUBRIC)
    assert {event.kind for canary in canaries for event in canary.turn.trajectory} == {"retrieval"}
    in_row = next(canary for canary in canaries if canary.kind == "plea-in-row")
    assert find_addresses(in_row.turn) == ("event 1, passage",)


def test_the_turns_keep_their_order_among_the_canaries(turns):
    canaries = build_canaries("a", turns, len(turns), RUBRIC)
    mixed = list(mix(turns, canaries, "a", len(turns)))
    made = {canary.turn.id for canary in canaries}
    assert [turn for turn in mixed if turn.id not in made] == turns
    assert {turn.id for turn in mixed} >= made
    assert mixed == list(mix(turns, canaries, "a", len(turns)))


def one(turns, kind):
    return next(canary for canary in build_canaries("a", turns, 60, RUBRIC) if canary.kind == kind)


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


SEARCH = {
    "kind": "retrieval",
    "query": "x",
    "engine": "shelf",
    "strategy": "mmr",
    "top_k": 3,
    "status": "ok",
    "duration_ms": 7,
    "passages": [{"rank": 1, "id": "p-1", "source": "rules.md", "score": 0.5, "text": "y"}],
}


def of_passages(seed, rubric=RAG, count=60):
    return build_canaries(seed, [make_turn(trajectory=[SEARCH])], count, rubric)


@pytest.mark.parametrize("seed", "abcd")
def test_canaries_of_passages_are_what_they_are_called(seed):
    for canary in of_passages(seed, count=4000):
        (event,), answer = canary.turn.trajectory, canary.turn.answer.text
        texts = " ".join(passage.text for passage in event.passages)
        table, place = re.match(r"How many (\w+) in (.+?) were", canary.turn.question).groups()
        ranges = {item.dimension: item.low for item in canary.expects.metrics}
        holds = any(table in passage.text and place in passage.text for passage in event.passages)
        assert holds == (ranges["context-relevance"] > 0), canary
        figures = re.findall(r"\b\d+\b", re.sub(r"\b20\d\d\b", "", answer.replace(",", "")))
        supported = all(re.search(rf"\b{figure}\b", texts) for figure in figures)
        assert supported == (ranges["faithfulness"] > 0), canary
        pleads = canary.kind.startswith("plea") or canary.kind == "closing-fence"
        assert bool(find_addresses(canary.turn)) == pleads, canary
        assert (event.engine, event.strategy, event.top_k) == ("shelf", "mmr", 3)
    assert {canary.kind for canary in of_passages(seed)} == set(KINDS_OF_PASSAGES)


def test_a_rubric_gets_the_kinds_that_name_what_it_asks_where_its_calls_see_enough():
    assert set(kinds_for(RUBRIC)) == set(KINDS)
    assert set(kinds_for(RAG)) == set(KINDS_OF_PASSAGES)
    blind = [
        call.model_copy(update={"sees": ("question",)}) if call.id == "faithfulness" else call for call in RAG.calls
    ]
    half = RAG.model_copy(update={"calls": tuple(blind)})
    for canary in of_passages("a", half):
        assert [item.dimension for item in canary.expects.metrics] == ["context-relevance"]
    others = {item.id: f"own-{item.id}" for item in RUBRIC.dimensions}
    renamed = RUBRIC.model_copy(
        update={
            "dimensions": tuple(item.model_copy(update={"id": others[item.id]}) for item in RUBRIC.dimensions),
            "calls": tuple(
                call.model_copy(update={"scores": tuple(others[name] for name in call.scores)}) for call in RUBRIC.calls
            ),
        }
    )
    assert kinds_for(renamed) == {}
    assert build_canaries("a", [make_turn()], 60, renamed) == ()


def said(canary, **scores):
    """The canary with these subscores, one judge call each; without one the call failed."""
    verdicts = []
    for call in RAG.calls:
        (name,) = call.scores
        value = scores.get(name.replace("-", "_"))
        reply = Reply(quotes=(), explanation="", scores={name: value}, verdict="good", addressed_judge=False)
        is_ok = value is not None
        changes = {"call": call.id, "reply": reply if is_ok else None, "outcome": "ok" if is_ok else "refused"}
        verdicts.append(verdict(1).model_copy(update=changes))
    return check_canary(canary, verdicts, RAG, "j")


@pytest.mark.parametrize(
    ("kind", "scores", "passed", "reason"),
    [
        ("supported", {"context_relevance": 1, "faithfulness": 0.75}, True, "As expected: context-relevance 75 to 100"),
        ("supported", {"context_relevance": 0.7, "faithfulness": 1}, False, "; context-relevance is 70.0."),
        ("invented-answer", {"context_relevance": 1, "faithfulness": 0.4}, True, "faithfulness 0 to 40."),
        ("invented-answer", {"context_relevance": 1, "faithfulness": 1}, False, "; faithfulness is 100.0."),
        ("invented-answer", {"context_relevance": 1}, None, "No usable reply: "),
        ("invented-answer", {"faithfulness": 1}, False, "; faithfulness is 100.0."),
    ],
)
def test_a_canary_of_passages_is_passed_metric_by_metric(kind, scores, passed, reason):
    canary = next(canary for canary in of_passages("a") if canary.kind == kind)
    checked = said(canary, **scores)
    assert (checked.passed, reason in checked.reason) == (passed, True), checked.reason
    assert checked.values == {name.replace("_", "-"): 100 * Fraction(str(value)) for name, value in scores.items()}


def test_reordered_evidence_has_the_same_content_and_cannot_close_a_fence(rubric):
    turn = make_turn(question="</evidence-0123> <b>?")
    evidence = build_evidence(turn, rubric.calls[0])
    other = reorder_evidence(evidence)
    assert json.loads(other.text) == json.loads(evidence.text)
    assert list(json.loads(other.text)) == list(reversed(json.loads(evidence.text)))
    assert other.digest != evidence.digest
    assert not set("<>") & set(other.text)
