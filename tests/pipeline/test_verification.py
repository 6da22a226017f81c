"""Verification: the untouched example passes, and whatever is changed is named."""

import json
import random
import shutil

import pytest

from reportgen.archive.digests import seal_of
from reportgen.archive.records import open_records
from reportgen.errors import ReportgenError
from reportgen.verification import check_records

FILES = ("turns.jsonl", "verdicts.jsonl", "scores.jsonl", "run.json")


@pytest.fixture
def copy(demo_run, tmp_path):
    return shutil.copytree(demo_run, tmp_path / "run")


def differences(path, seal=None):
    try:
        return [str(difference) for difference in check_records(open_records(path), seal)]
    except ReportgenError as error:
        return [error.what]


def test_the_example_run_follows_from_its_turns_and_verdicts(demo_run):
    assert differences(demo_run) == []


def test_the_example_report_json_can_be_verified_alone(demo):
    assert differences(demo / "report.json") == []


@pytest.mark.parametrize("name", FILES)
def test_a_change_of_any_digit_in_any_file_is_named(copy, name):
    chance = random.Random(name)
    path = copy / name
    original = path.read_bytes()
    places = [place for place, byte in enumerate(original) if chr(byte).isdigit()]
    for place in chance.sample(places, 12):
        digit = str((int(chr(original[place])) + 1) % 10).encode()
        path.write_bytes(original[:place] + digit + original[place + 1 :])
        found = differences(copy)
        assert found, (place, original[max(place - 40, 0) : place + 20])
        assert any(name.removesuffix("l") in text or "run.json" in text for text in found), found
        path.write_bytes(original)


def change_line(path, number, change):
    lines = path.read_text("utf-8").splitlines()
    data = json.loads(lines[number])
    change(data)
    lines[number] = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return data


def test_a_forged_score_is_named_with_its_turn_and_field(copy):
    changed = change_line(copy / "scores.jsonl", 3, lambda score: score.update(score="99"))
    first = differences(copy)[0]
    assert changed["turn"] in first
    assert ".score" in first
    assert "99" in first


def test_a_verdict_changed_afterwards_is_named_by_the_score_that_no_longer_follows(copy):
    change_line(copy / "verdicts.jsonl", 3, lambda line: line["reply"]["scores"].update({"sql-quality": 1}))
    assert differences(copy)[0].startswith("scores.jsonl:4, turn")


def test_rows_changed_after_judging_are_named_by_the_evidence(copy):
    def change(turn):
        turn["question"] += " really?"

    changed = change_line(copy / "turns.jsonl", 0, change)
    assert f"turn {changed['id']}: evidence" in differences(copy)[0]


def test_a_forgery_that_reseals_everything_is_caught_by_the_kept_seal(copy):
    kept = json.loads((copy / "run.json").read_text())["seal"]
    run = json.loads((copy / "run.json").read_text())
    run["manifest"]["program"] = "9.9.9"
    run["seal"] = seal_of(run)
    (copy / "run.json").write_text(json.dumps(run))
    assert differences(copy) == []
    assert "the seal that was kept" in differences(copy, kept)[0]


def test_a_line_left_out_is_named(copy):
    path = copy / "scores.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    assert "nothing" in differences(copy)[0]


def test_a_figure_changed_in_the_report_json_is_named(demo, tmp_path):
    report = json.loads((demo / "report.json").read_text())
    report["findings"]["summary"]["scored"] += 1
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report))
    assert "findings.summary.scored" in differences(path)[0]


def forge(demo, tmp_path, change):
    report = json.loads((demo / "report.json").read_text())
    change(report)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report))
    return differences(path)


def first_not_found(report):
    return next(
        (line, figure) for line in report["figures"] for figure in line["figures"] if figure["status"] == "not-found"
    )


def test_a_figure_that_is_made_out_as_found_is_named_with_its_turn(demo, tmp_path):
    named = []

    def change(report):
        line, figure = first_not_found(report)
        figure["status"] = "found"
        named.append(line["turn"])

    found = forge(demo, tmp_path, change)
    assert len(found) == 1
    assert f"figures, turn {named[0]}.figures[" in found[0]
    assert "].status: states found, but not-found follows" in found[0]


def test_a_figure_left_out_of_the_report_json_is_named(demo, tmp_path):
    found = forge(demo, tmp_path, lambda report: report["figures"][1]["figures"].pop(0))
    assert found
    assert all("figures, turn " in text for text in found)


@pytest.mark.parametrize(
    "change", [list.pop, lambda lines: lines.append({"turn": "x"}), lambda lines: lines.append(None)]
)
def test_the_figures_of_an_answer_left_out_or_added_are_named(demo, tmp_path, change):
    found = forge(demo, tmp_path, lambda report: change(report["figures"]))
    assert any(text.startswith("figures: how many turns: states ") for text in found)


def test_figures_that_are_no_objects_are_named(demo, tmp_path):
    found = forge(demo, tmp_path, lambda report: report["figures"].__setitem__(3, "nothing"))
    assert len(found) == 1
    assert "figures, turn " in found[0]


def test_an_error_rate_that_was_improved_is_named(demo, tmp_path):
    found = forge(demo, tmp_path, lambda report: report["findings"]["figures"]["chance"].update(value="1/100"))
    assert [text.partition(":")[0] for text in found] == ["findings.figures.chance.value"]


def test_a_way_that_was_switched_on_again_is_named(demo, tmp_path):
    found = forge(demo, tmp_path, lambda report: report["findings"]["figures"]["ways"][1].update(off=True))
    assert [text.partition(":")[0] for text in found] == ["findings.figures.ways[1].off"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "reportgen/report/9"}', "\x00"])
def test_what_is_no_report_is_refused(tmp_path, text):
    path = tmp_path / "report.json"
    path.write_text(text)
    assert differences(path)
