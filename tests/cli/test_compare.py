"""`reportgen compare` on runs on disk."""

import json
from pathlib import Path

import pytest

from reportgen.archive.records import open_records
from reportgen.archive.store import load_run
from reportgen.pipeline.lineage import find_earlier
from tests.compared_runs import write_captures

pytestmark = pytest.mark.usefixtures("own_folder")


def judge_both(reportgen, **changes):
    judge = write_captures(Path(), **changes)
    for name in ("june", "july"):
        ended = reportgen("judge", f"{name}.jsonl", "--judge", judge, "--run-id", name, "--no-canaries")
        assert ended.code == 0, ended.err


def test_a_regression_in_one_client_is_found_named_and_attributed(reportgen):
    judge_both(reportgen)
    ended = reportgen("compare", "june", "july")
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[0] == "june  ->  july"
    assert lines[1].startswith("Compared turn by turn: 90 turns in both runs.")
    assert any(line.startswith("Differs by more than chance: client Eastmoor (−") for line in lines)
    (worst,) = (line for line in lines if line.startswith("  Eastmoor"))
    assert " * " in worst
    assert float(worst.split()[-1].replace("−", "-")) < -4
    movers = ended.out.partition("Turns that moved most")[2]
    assert "A: Explained of t-" in movers
    assert "in month 6." in movers
    assert "in month 7." in movers


def test_the_same_as_json_holds_each_figure_and_both_explanations(reportgen):
    judge_both(reportgen)
    data = json.loads(reportgen("compare", "june", "july", "--format", "json").out)
    found = data["comparison"]
    assert (data["format"], data["run"], found["run"]) == ("reportgen/comparison/1", "july", "june")
    assert (found["paired"], found["overlap"]["common"]) == (True, 90)
    moved = [mover["turn"] for mover in found["movers"]]
    assert sorted(moved) == sorted(data["explanations"]["before"]) == sorted(data["explanations"]["after"])
    assert "NaN" not in json.dumps(data)


def test_another_judge_is_refused_with_each_key_and_both_values(reportgen):
    judge_both(reportgen)
    text = Path("verdicts.jsonl").read_text().replace("Made up for a test.", "Made up by another.")
    Path("others.jsonl").write_text(text)
    reportgen("judge", "july.jsonl", "--judge", "recorded:others.jsonl", "--run-id", "august", "--no-canaries")
    refused = reportgen("compare", "june", "august")
    assert (refused.code, refused.out) == (1, "")
    assert "error[not-comparable]" in refused.err
    assert "judge: recorded:verdicts in june, recorded:others here" in refused.err
    assert "judge parameters: sha256" in refused.err
    anyway = reportgen("compare", "june", "august", "--anyway")
    assert anyway.code == 0
    assert "judge: recorded:verdicts in the baseline, recorded:others here" in anyway.out
    assert "Nothing is claimed from it." in anyway.out
    assert " *" not in anyway.out
    titles = [line for line in anyway.out.splitlines() if line.startswith(("Bands", "Dimensions", "By "))]
    assert len(titles) == 4
    assert all("NO CLAIM" in line for line in titles)


def test_another_version_of_the_assistant_leaves_the_figures_and_no_claim(reportgen):
    judge_both(reportgen, change=lambda turn: turn | {"agent": {"name": "helper", "version": "2.0"}})
    ended = reportgen("compare", "june", "july")
    assert ended.code == 0
    assert "NO CLAIM  The assistants differ: helper 1.0 in the baseline, helper 2.0 here." in ended.out
    assert " *" not in ended.out


def test_turn_ids_that_are_used_again_do_not_make_pairs(reportgen):
    judge_both(reportgen, change=lambda turn: turn | {"question": f"In July: {turn['question']}"})
    ended = reportgen("compare", "june", "july")
    assert "Compared as two periods, since the runs have no turn in common." in ended.out
    assert "90 ids stand in both runs for different questions" in ended.out


def test_a_run_is_not_compared_with_itself(reportgen):
    judge_both(reportgen)
    ended = reportgen("compare", "june", "june")
    assert ended.code == 1
    assert "june would be compared with itself" in ended.err


def test_runs_without_any_score_are_compared_without_a_figure(reportgen):
    judge_both(reportgen, count=2)
    others = Path("verdicts.jsonl").read_text().replace('"turn": "t-', '"turn": "other-')
    Path("none.jsonl").write_text(others)
    for name in ("june", "july"):
        reportgen("judge", f"{name}.jsonl", "--judge", "recorded:none.jsonl", "--run-id", f"no-{name}", "--no-canaries")
    ended = reportgen("compare", "no-june", "no-july")
    assert ended.code == 0, ended.err
    assert "The means cannot be compared: no turn has both scores." in ended.out


def test_a_run_that_was_derived_twice_is_one_point_of_a_trend(reportgen):
    judge_both(reportgen, count=18)
    Path("key").write_text("5a" * 32)
    for parent, run_id, word in (("june", "a", "left"), ("june", "a-2", "depot"), ("july", "b", "depot")):
        Path("config.yaml").write_text(f"redaction: {{names: [{word}]}}\n")
        options = ["--client", "Eastmoor", "--key", "key", "--run-id", run_id]
        assert reportgen("derive", parent, *options).code == 0
    found = find_earlier(open_records(Path("runs/b")), Path("runs"))
    assert [point.run for point in found] == ["a-2"]


def test_verifying_a_report_says_that_baseline_earlier_runs_and_notes_are_stated_and_not_recomputed(reportgen):
    judge_both(reportgen, count=18)
    assert reportgen("report", "july", "--format", "json").code == 0
    assert "stated by" not in reportgen("verify", "reports/july/report.json").out
    Path("notes.md").write_text("Fine.")
    options = ["--baseline", "june", "--trend", "--notes", "notes.md", "--signed", "An editor"]
    assert reportgen("report", "july", "--format", "json", *options).code == 0
    ended = reportgen("verify", "reports/july/report.json")
    assert ended.code == 0, ended.out
    for words in ("scores of the baseline", "means of the earlier runs", "the notes"):
        assert f"stated by the publisher: the {words.removeprefix('the ')}" in ended.out
    assert f"verify that run, june, with --seal {load_run(Path('runs/june')).seal}" in ended.out
