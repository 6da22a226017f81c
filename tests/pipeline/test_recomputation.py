"""The example's scores, recomputed from its turns and verdicts by hand: plain fractions, none of our scoring code."""

import json
from fractions import Fraction


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


WEIGHTS = {"intent-understood": 30, "sql-quality": 25, "result-relevance": 25, "answer-faithfulness": 20}
PUNCTUATION = set(" \t\r\n.,;:!?-–—…'\"()[]{}*_/\\|#~`<>&@%+=")


def by_hand(turn, scores):
    answer = turn["answer"].get("text")
    given = {name: scores.get(name) for name in WEIGHTS}
    if answer is None:
        given["answer-faithfulness"] = None
    weight = sum(WEIGHTS[name] for name, value in given.items() if value is not None)
    raw = sum(Fraction(WEIGHTS[name] * value * 10, weight) for name, value in given.items() if value is not None)

    events = turn.get("trajectory", [])
    executed = [e["status"] for e in events if e["kind"] == "sql" and e["status"] in ("ok", "error", "timeout")]
    blank = answer is not None and all(letter in PUNCTUATION for letter in answer)
    worked = any(e["kind"] in ("sql", "guardrail") or e.get("output") for e in events)
    capped = (
        (executed and "ok" not in executed)
        or blank
        or (events and events[-1].get("status") in ("error", "timeout") and (answer is None or blank))
        or (not worked and not answer)
    )
    score = min(raw, Fraction(25)) if capped else raw
    return raw, score, "good" if score >= 75 else "partial" if score >= 50 else "poor"


def test_each_score_of_the_example_follows_by_plain_fractions(demo_run):
    turns = {turn["id"]: turn for turn in read(demo_run / "turns.jsonl")}
    replies = {line["turn"]: line["reply"] for line in read(demo_run / "verdicts.jsonl")}
    scores = read(demo_run / "scores.jsonl")
    assert len(scores) == len(turns) == len(replies) >= 53
    for stored in scores:
        expected = by_hand(turns[stored["turn"]], replies[stored["turn"]]["scores"])
        assert (Fraction(stored["raw"]), Fraction(stored["score"]), stored["band"]) == expected, stored["turn"]


def test_the_summary_of_the_example_follows_by_plain_fractions(demo_run):
    scores = [Fraction(line["score"]) for line in read(demo_run / "scores.jsonl")]
    summary = json.loads((demo_run / "run.json").read_text())["summary"]
    assert Fraction(summary["mean"]["value"]) == sum(scores) / len(scores)
    assert summary["at_maximum"] == scores.count(100)
    assert Fraction(summary["lowest"]["score"]) == min(scores)
    assert {band["band"]: band["count"] for band in summary["bands"]} == {
        "good": sum(score >= 75 for score in scores),
        "partial": sum(50 <= score < 75 for score in scores),
        "poor": sum(score < 50 for score in scores),
    }


def test_the_example_has_the_faults_that_it_is_to_show(demo_run):
    turns = read(demo_run / "turns.jsonl")
    statuses = {event["status"] for turn in turns for event in turn.get("trajectory", []) if event["kind"] == "sql"}
    labels = [turn["labels"] for turn in turns]
    assert statuses == {"ok", "error", "timeout", "blocked", "cancelled"}
    assert len({label["client"] for label in labels}) == 3
    assert len({label["surface"] for label in labels}) == 2
    assert len({label["region"] for label in labels}) == 2
    assert any("text" not in turn["answer"] for turn in turns)
    assert any("part_of" in turn for turn in turns)
    caps = json.loads((demo_run / "run.json").read_text())["summary"]["caps"]
    assert all(caps.values()), caps
