"""`reportgen anchors`: freezing, checking with recorded verdicts, and what becomes of a set that was changed."""

import json
import shutil
from pathlib import Path

import pytest

from reportgen.resources import resource

SET = "set"


@pytest.fixture(autouse=True)
def archive(demo_run, monkeypatch, tmp_path):
    """A copy of the example run, under a short name."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo_run, "runs/old", ignore=shutil.ignore_patterns("annexes"))


@pytest.fixture
def frozen(reportgen):
    """Freezes anchors; returns their folder."""

    def freeze(count=60, run_id=SET):
        ended = reportgen("anchors", "freeze", "old", "--n", count, "--run-id", run_id)
        assert ended.code == 0, ended.err
        return Path("runs/anchors", run_id)

    return freeze


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def replay(anchors, change):
    """A judge that says of each anchor what the old one said, changed by number, band and subscore."""
    bands = {score["turn"]: score["band"] for score in read(anchors / "scores.jsonl")}
    lines = read(anchors / "verdicts.jsonl")
    for number, line in enumerate(lines):
        scores = line["reply"]["scores"]
        changed = {
            name: None if value is None else min(10, max(0, value + change(number, bands[line["turn"]])))
            for name, value in scores.items()
        }
        line["reply"]["scores"] = changed
    Path("new.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return "recorded:new.jsonl"


def check(reportgen, judge, *more):
    ended = reportgen("anchors", "check", "--judge", judge, "--format", "json", "--quiet", *more)
    return ended, json.loads(ended.out)


def states(found, kind):
    return {part["name"]: part["shift"]["state"] for part in found["drift"][kind]}


def make_small(number, _band):
    """Now and then a step up or down, as often the one as the other."""
    return (0, 0, 0, 1, 0, 0, 0, -1)[number % 8]


def test_each_band_gives_the_same_number_as_far_as_it_has_so_many(reportgen, frozen):
    ended = reportgen("anchors", "freeze", "old", "--n", 24)
    assert "drawn  8 of 49  good" in ended.err
    assert "drawn  8 of 10  poor" in ended.err
    assert "canaries, which are no turns: 0" in ended.err
    assert ended.out == "anchors: runs/anchors/2026-08-01T0600Z-sql-agent-1-example-verdicts-anchors-24\n"
    bands = [score["band"] for score in read(frozen(60) / "scores.jsonl")]
    assert [bands.count(band) for band in ("good", "partial", "poor")] == [40, 10, 10]


def test_the_same_run_and_number_give_the_same_set_and_it_verifies(reportgen, frozen):
    one, other = frozen(24, "one"), frozen(24, "other")
    for name in ("turns.jsonl", "verdicts.jsonl", "scores.jsonl"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    assert reportgen("verify", one).code == 0
    assert json.loads((one / "run.json").read_text())["manifest"]["parent"]["relation"] == "frozen"
    assert [line.split()[0] for line in reportgen("runs", "list").out.splitlines()] == ["old"]
    twice = reportgen("anchors", "freeze", "old", "--run-id", "one")
    assert (twice.code, "exists already" in twice.err) == (1, True)


def test_a_judge_four_points_too_generous_on_poor_turns_has_drifted(reportgen, frozen):
    judge = replay(frozen(30), lambda _number, band: 4 if band == "poor" else 0)
    ended, found = check(reportgen, judge)
    assert (ended.code, found["drift"]["state"]) == (4, "drifted")
    assert "error[drift]: recorded:new has drifted from recorded:example-verdicts" in ended.err
    assert states(found, "bands") == {"good": "inconclusive", "partial": "inconclusive", "poor": "drifted"}
    text = reportgen("anchors", "check", "--judge", judge, "--run-id", "again").out
    assert "DRIFTED  on 30 frozen turns, margin ±3 points" in text
    assert "band poor" in text


def test_a_judge_with_small_noise_is_equivalent_on_enough_anchors_and_the_check_says_its_power(reportgen, frozen):
    ended, found = check(reportgen, replay(frozen(60), make_small))
    composite = found["drift"]["composite"]
    assert (ended.code, found["drift"]["state"]) == (0, "equivalent")
    assert composite["power"] > 0.8
    assert composite["needed"] < composite["mean"]["n"]
    assert -3 < composite["low_90"] < composite["high_90"] < 3


def test_the_same_noise_is_inconclusive_on_few_anchors_and_the_check_says_how_many_it_takes(reportgen, frozen):
    ended, found = check(reportgen, replay(frozen(8), make_small))
    assert (ended.code, found["drift"]["state"]) == (4, "inconclusive")
    assert "was not shown to be equivalent to" in ended.err
    needed = found["drift"]["composite"]["needed"]
    assert needed > 8
    text = reportgen("anchors", "check", "--judge", "recorded:new.jsonl", "--run-id", "again").out
    assert f"are found equivalent on {needed} turns or more four times in five; here are 8. Freeze so many" in text


def test_the_margin_comes_from_the_option_or_the_configuration_and_is_recorded(reportgen, frozen):
    judge = replay(frozen(60), make_small)
    ended, found = check(reportgen, judge, "--margin", "0.1")
    assert (ended.code, found["margin"], states(found, "dimensions") == {}) == (4, "0.1", False)
    assert found["drift"]["dimensions"][0]["shift"]["margin"] == "0.01"
    Path("other.yaml").write_text("anchors: {margin: 2.5}")
    assert check(reportgen, judge, "--config", "other.yaml", "--run-id", "third")[1]["margin"] == "2.5"
    for wrong in ("0", "11", "x"):
        assert reportgen("anchors", "check", "--judge", judge, "--margin", wrong).code == 2


def test_a_changed_set_is_named_and_asks_nothing(reportgen, frozen):
    anchors = frozen(8)
    judge = replay(anchors, make_small)
    check(reportgen, judge)
    path = anchors / "verdicts.jsonl"
    path.write_text(path.read_text("utf-8").replace('"good"', '"poor"', 1), "utf-8")
    ended = reportgen("anchors", "check", "--judge", judge)
    assert (ended.code, "verdicts.jsonl is not what was sealed" in ended.err) == (1, True)
    listed = reportgen("anchors", "list")
    assert listed.code == 4
    assert listed.out.count("CHANGED: ") == 2
    assert len(read(Path("runs/anchors/checks.jsonl"))) == 1


def test_a_check_that_does_not_follow_from_its_runs_is_named(reportgen, frozen):
    ended, found = check(reportgen, replay(frozen(8), make_small))
    assert ended.code == 4
    assert reportgen("anchors", "list").code == 0
    found["drift"]["state"] = "equivalent"
    Path("runs/anchors/checks.jsonl").write_text(json.dumps(found) + "\n")
    listed = reportgen("anchors", "list")
    assert (listed.code, "CHANGED: its figures do not follow from its runs" in listed.out) == (4, True)


def test_runs_in_which_no_single_judge_was_asked_are_refused(reportgen):
    reportgen("rescore", "old", "--rubric", "sql-agent-1", "--run-id", "scored")
    ended = reportgen("anchors", "freeze", "scored")
    assert (ended.code, "error[anchors]" in ended.err, "was scored again" in ended.err) == (1, True, True)
    none = reportgen("anchors", "check", "--judge", "recorded:x")
    assert (none.code, "There are no frozen anchors in runs/anchors" in none.err) == (1, True)


def test_a_run_that_is_no_set_is_refused_and_the_latest_set_is_taken(reportgen, frozen):
    judge = replay(frozen(8), make_small)
    check(reportgen, judge, "--run-id", "asked")
    ended = reportgen("anchors", "check", "asked", "--judge", judge)
    assert (ended.code, "asked is no set of anchors" in ended.err) == (1, True)
    estimate = reportgen("anchors", "check", "--judge", judge, "--estimate")
    assert (estimate.code, "8 for 8 turns" in estimate.out) == (0, True)


def test_a_request_to_erase_reaches_the_anchors(reportgen, frozen):
    anchors = frozen(8)
    judge = replay(anchors, make_small)
    check(reportgen, judge)
    turn = read(anchors / "turns.jsonl")[0]["id"]
    assert reportgen("erase", "old", turn, "--reason", "Asked for.").code == 0
    assert "[text erased]" in (anchors / "turns.jsonl").read_text("utf-8")
    assert reportgen("verify", anchors).code == 0
    assert reportgen("anchors", "list").code == 0
    ended = reportgen("anchors", "check", "--judge", judge)
    assert (ended.code, "error[anchors]" in ended.err, "erased" in ended.err) == (1, True, True)
    assert turn not in {line["id"] for line in read(frozen(69, "without") / "turns.jsonl")}


def test_no_run_can_have_the_name_of_the_room_for_anchors(reportgen):
    ended = reportgen("rescore", "old", "--rubric", "sql-agent-1", "--run-id", "anchors")
    assert (ended.code, "frozen anchors are kept there" in ended.err) == (1, True)


def test_a_sample_freezes_without_its_weights(reportgen):
    turns = resource("examples") / "sql" / "turns.jsonl"
    verdicts = resource("examples") / "sql" / "example-verdicts.jsonl"
    reportgen("sample", turns, "--budget", 40, "--out", "drawn.jsonl")
    reportgen("judge", "drawn.jsonl", "--judge", f"recorded:{verdicts}", "--run-id", "drawn")
    ended = reportgen("anchors", "freeze", "drawn", "--n", 12, "--run-id", SET)
    assert ended.code == 0, ended.err
    anchors = Path("runs/anchors", SET)
    assert all("drawn" not in turn for turn in read(anchors / "turns.jsonl"))
    assert check(reportgen, replay(anchors, make_small))[1]["turns"] == 12


def test_another_rubric_is_refused_before_anything_is_asked_and_both_are_named(reportgen, frozen):
    frozen(8)
    ended = reportgen("anchors", "check", "--judge", "anthropic:claude-haiku-5-5", "--rubric", "rag-1")
    assert (ended.code, "error[anchors]" in ended.err) == (1, True)
    assert "judged by the rubric sql-agent-1; verdicts by rag-1 have nothing" in ended.err
    assert [path.name for path in Path("runs/anchors").iterdir() if path.is_dir()] == [SET]
    assert "8 turns  sql-agent-1  recorded:example-verdicts" in reportgen("anchors", "list").out


def test_equal_verdicts_on_few_anchors_are_inconclusive_and_the_output_says_how_many_it_takes(reportgen, frozen):
    ended = reportgen("anchors", "check", "--judge", replay(frozen(12), lambda _number, _band: 0))
    assert (ended.code, "INCONCLUSIVE  on 12 frozen turns" in ended.out) == (4, True)
    assert "Inconclusive, composite: all 12 turns moved alike, which shows equivalence only from 30" in ended.out
    assert "Freeze a set of at least 30 scored turns" in ended.out
    judge = replay(frozen(30, "more"), lambda _number, _band: 0)
    ended = reportgen("anchors", "check", "more", "--judge", judge)
    assert (ended.code, "Inconclusive" in ended.out) == (0, False)


@pytest.mark.parametrize("command", [("rejudge",), ("anchors", "check")])
def test_the_help_of_what_asks_again_says_that_the_rubric_is_that_of_the_run(reportgen, command):
    assert "A bundled rubric or a rubric file. [default: that of the run]" in " ".join(
        reportgen(*command, "--help").out.split()
    )


def test_a_run_that_is_named_by_its_path_keeps_all_that_is_made_of_it_in_its_own_archive(reportgen, frozen):
    judge = replay(frozen(12), make_small)
    Path("runs").rename("archive")
    assert reportgen("anchors", "freeze", "archive/old", "--n", 8, "--run-id", "eight").code == 0
    assert reportgen("anchors", "check", "archive/anchors/set", "--judge", judge, "--run-id", "asked").code == 0
    assert reportgen("rescore", "archive/old", "--rubric", "sql-agent-1", "--run-id", "scored").code == 0
    turn = read(Path("archive/anchors/set/turns.jsonl"))[0]["id"]
    assert reportgen("erase", "archive/anchors/set", turn, "--reason", "Asked for.").out.count("erased  ") > 2
    assert {path.name for path in Path("archive/anchors").iterdir()} >= {"eight", "asked", "checks.jsonl"}
    assert Path("archive/scored").is_dir()
    assert not Path("runs").exists()
    named = reportgen("anchors", "freeze", "archive/old", "--runs", "runs", "--n", 8, "--run-id", "there")
    assert (named.code, Path("runs/anchors/there").is_dir()) == (0, True)


def label(reportgen, run, scores, people):
    """Has a person say of anchors what `people` makes of the number and the judge's band."""
    rows = [f"{score['turn']},anna,2026-08-01,{people(n, score['band'])}\n" for n, score in enumerate(read(scores))]
    Path("anna.csv").write_text("turn,labeller,date,band\n" + "".join(rows))
    ended = reportgen("labels", "import", run, "anna.csv")
    assert ended.code == 0, ended.err


def disagree(number, band):
    """Every fifth turn in another band."""
    return band if number % 5 else {"good": "partial", "partial": "poor", "poor": "partial"}[band]


@pytest.mark.parametrize("run", ["old", "runs/anchors/set"])
def test_where_people_labelled_anchors_both_judges_are_held_against_them(reportgen, frozen, run):
    anchors = frozen(40)
    label(reportgen, run, anchors / "scores.jsonl", disagree)
    _, found = check(reportgen, replay(anchors, lambda _number, band: 4 if band == "poor" else 0))
    people = found["people"]
    assert (people["turns"], people["labellers"]) == (40, 1)
    old, new = (float(people[judge]["kappa"]["value"]) for judge in ("before", "after"))
    assert 0.5 < old < 0.9
    assert new < old
    assert people["before"]["kappa"]["low"] < old < people["before"]["kappa"]["high"]
    text = reportgen("anchors", "check", "--judge", "recorded:new.jsonl", "--run-id", "again").out
    assert "Beside people, over 40 anchors labelled by 1 person" in text
    assert f"kappa of the new judge {new:.2f}" in text.replace("\n", " ")
    label(reportgen, run, anchors / "scores.jsonl", lambda _number, band: band)
    assert reportgen("anchors", "list").code == 0


def test_figures_beside_people_that_do_not_follow_from_the_labels_are_named(reportgen, frozen):
    anchors = frozen(12)
    label(reportgen, "old", anchors / "scores.jsonl", disagree)
    _, found = check(reportgen, replay(anchors, make_small))
    found["people"]["labellers"] = 2
    Path("runs/anchors/checks.jsonl").write_text(json.dumps(found) + "\n")
    listed = reportgen("anchors", "list")
    assert (listed.code, "CHANGED: its figures beside people do not follow from the labels" in listed.out) == (4, True)


def test_without_labels_a_check_says_nothing_of_people(reportgen, frozen):
    _, found = check(reportgen, replay(frozen(8), make_small))
    assert found.get("people") is None
