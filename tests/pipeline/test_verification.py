"""Verification: the untouched example passes, and whatever is changed is named."""

import json
import os
import random
import shutil

import pytest

from reportgen.archive.digests import file_digest, seal_of
from reportgen.archive.records import open_records
from reportgen.errors import ReportgenError
from reportgen.record import canonical
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
    shutil.rmtree(copy / "annexes")
    assert differences(copy) == []
    assert "the seal that was kept" in differences(copy, kept)[0]


def reseal(copy, change):
    """Changes the records as a forger would who then makes digests and seal fit again."""
    names = ("turns", "verdicts", "scores")
    parts = {name: [json.loads(line) for line in (copy / f"{name}.jsonl").read_bytes().splitlines()] for name in names}
    run = json.loads((copy / "run.json").read_text())
    change(run, **parts)
    for name, lines in parts.items():
        (copy / f"{name}.jsonl").write_bytes(b"".join(canonical(line) + b"\n" for line in lines))
        run["files"][f"{name}.jsonl"] = file_digest(copy / f"{name}.jsonl")
    (copy / "run.json").write_text(json.dumps(run | {"seal": seal_of(run)}))
    shutil.rmtree(copy / "annexes", ignore_errors=True)


def test_a_turn_that_counts_twice_is_named(copy):
    def change(run, turns, verdicts, scores):
        for lines in (turns, verdicts, scores):
            lines.append(lines[0])
        run["manifest"]["capture"]["turns"] += 1
        run["manifest"]["capture"]["captured"] += 1

    reseal(copy, change)
    assert any("a second turn of that id" in text for text in differences(copy))


def test_turns_that_were_dropped_after_the_judge_saw_them_do_not_come_to_what_was_captured(copy):
    def change(run, turns, verdicts, scores):
        worst = scores.pop()["turn"]
        turns[:] = [turn for turn in turns if turn["id"] != worst]
        verdicts[:] = [verdict for verdict in verdicts if verdict["turn"] != worst]
        run["manifest"]["capture"]["turns"] -= 1

    reseal(copy, change)
    assert any("manifest.capture.captured: states 66, but 65 follows" in text for text in differences(copy))


@pytest.mark.parametrize(
    "counts",
    [
        *({"captured": 67}, {"captured": 65}, {"bundles": 0}, {"bundles": 3}, {"bundles": 1, "captured": 90}),
        *({"beyond_limit": 4}, {"produced": 5}, {"produced": 66, "set_aside": 1}),
    ],
)
def test_counts_of_the_capture_that_contradict_the_turns_are_named(copy, counts):
    reseal(copy, lambda run, **_: run["manifest"]["capture"].update(counts))
    assert any("manifest.capture." in text for text in differences(copy)), counts


def test_a_bundled_rubric_with_other_weights_or_caps_under_its_name_is_named(copy):
    def change(run, **_):
        run["rubric"]["caps"][0]["ceiling"] = 100

    reseal(copy, change)
    assert any(
        "the name of the bundled sql-agent-1.caps[0].ceiling: states 100, but 25" in d for d in differences(copy)
    )


def test_canaries_without_a_seed_are_named(copy):
    reseal(copy, lambda run, **_: run.update(canaries=[]))
    assert differences(copy) == [
        "run.json: canaries: states canaries, but none, since there is no seed to draw them from follows"
    ]


def test_a_seed_that_was_chosen_is_named(copy):
    reseal(copy, lambda run, **_: run["manifest"].update(seed="1"))
    assert any(text.startswith("run.json: manifest.seed: states 1") for text in differences(copy))


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *(("turns.jsonl", b'{"id":"another",'), ("turns.jsonl", b"{ ")),
        *(("annexes/revisions.jsonl", b'{"program":"another",'), ("annexes/revisions.jsonl", b"{ ")),
    ],
)
def test_a_line_that_programs_may_read_in_two_ways_is_named(copy, name, more):
    path = copy / name
    path.write_bytes(path.read_bytes().replace(b"{", more, 1))
    assert any(text.startswith(f"{name}:1 is not ") for text in differences(copy))


def test_more_samples_than_any_judge_gave_are_named_and_not_counted_up(copy):
    def change(run, **_):
        run["manifest"] |= {"repeats": {"samples": 10**15, "turns": 1}, "seed": "x"}

    reseal(copy, change)
    assert any("samples of turn[1]: states nothing, but 2 follows" in text for text in differences(copy))


@pytest.mark.parametrize("name", ["turns.jsonl", "scores.jsonl", "annexes/revisions.jsonl", "run.json"])
def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_read(copy, name):
    (copy / name).unlink()
    os.mkfifo(copy / name)
    assert any("is not a plain file" in text for text in differences(copy))


def test_a_withdrawal_or_revision_of_another_run_is_named(copy):
    path = copy / "annexes" / "revisions.jsonl"
    text = path.read_text()
    path.write_text(text.replace(json.loads(text)["seal"], "0" * 64))
    assert any("names another run's seal" in difference for difference in differences(copy))
    path.write_text(text.replace('"generated_at":"2026', '"generated_at":"1999'))
    assert any("annexes, revision 1: generated_at" in difference for difference in differences(copy))


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


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"\\ud800"', ("revision", "program")),
        ("1e400", ("revision", "number")),
        ("1e400", ("standing",)),
        ("9" * 3_000, ("run", "rubric", "scale", "maximum")),
        (f'"{"9" * 1_990}"', ("scores", 0, "score")),
        (f'"{"9" * 1_990}"', ("scores", 0, "subscores", 0, "used")),
        ('"no-such-fact"', ("run", "rubric", "caps", 0, "when")),
        ("[" * 900 + "]" * 900, ("findings",)),
    ],
)
def test_values_that_nothing_can_be_computed_from_are_named(demo, tmp_path, text, place):
    report = json.loads((demo / "report.json").read_text())
    value = report
    for step in place[:-1]:
        value = value[step]
    value[place[-1]] = "@"
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report).replace('"@"', text))
    assert differences(path)
