"""The commands on the bundled example, from captured turns to a checked report."""

import json
import shutil
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
import yaml

from reportgen.resources import resource

pytestmark = pytest.mark.usefixtures("own_folder")

TURNS = resource("examples") / "sql" / "turns.jsonl"
VERDICTS = resource("examples") / "sql" / "example-verdicts.jsonl"
RECORDED = f"recorded:{VERDICTS}"


def turn(turn_id="t1", **fields) -> dict:
    base = {
        "format": "reportgen/turn/1",
        "id": turn_id,
        "captured_at": "2026-07-01T09:00:00Z",
        "question": "How many?",
        "agent": {"name": "helper"},
        "trajectory": [],
        "answer": {"text": "12"},
    }
    return base | fields


def write_turns(*turns: dict) -> Path:
    path = Path("turns.jsonl")
    path.write_text("".join(json.dumps(item) + "\n" for item in turns))
    return path


def write_verdicts(**scores: list[int]) -> str:
    """A file of recorded verdicts, one a turn: the four subscores in causal order."""
    names = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")
    lines = [{"format": "reportgen/recorded/1", "note": "Written for a test."}]
    for turn_id, values in scores.items():
        reply = {
            "quotes": ["How many?"],
            "explanation": "It says 12.",
            "scores": dict(zip(names, values, strict=True)),
            "verdict": "good",
            "addressed_judge": False,
        }
        lines.append({"turn": turn_id, "call": "turn", "reply": reply})
    Path("verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return "recorded:verdicts.jsonl"


def only_run() -> Path:
    (folder,) = (path for path in Path("runs").iterdir() if path.is_dir())
    return folder


def test_judge_report_and_verify_go_the_whole_way(reportgen):
    judged = reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july")
    assert (judged.code, judged.out) == (0, "run: runs/july\n")
    assert sorted(path.name for path in Path("runs/july").iterdir()) == [
        "run.json",
        "scores.jsonl",
        "turns.jsonl",
        "verdicts.jsonl",
    ]
    assert reportgen("verify", "runs/july").code == 0
    reported = reportgen("report", "july", "--format", "json,html")
    assert reported.out.splitlines() == [
        "report: reports/july/report.json",
        "report: reports/july/report.html",
    ]
    assert reportgen("verify", "reports/july/report.json").code == 0


def test_run_is_judge_and_report_in_one(reportgen):
    ended = reportgen("run", TURNS, "--judge", RECORDED, "--run-id", "july", "--out", "here", "--format", "json")
    assert ended.out.splitlines() == ["run: runs/july", "report: here/report.json"]


def test_the_run_id_sorts_by_time_and_names_rubric_and_judge(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--limit", "2")
    assert only_run().name.endswith("Z-sql-agent-1-example-verdicts")
    assert only_run().name[:2] == "20"


def test_a_report_is_rendered_again_to_the_same_bytes(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july")
    reportgen("report", "july", "--out", "one", "--format", "html,json")
    reportgen("report", "july", "--out", "two", "--format", "html,json")
    for name in ("report.html", "report.json"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()


def test_the_html_of_many_turns_is_a_folder_and_the_file_to_open_is_named(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july")
    Path("config.yaml").write_text("report: {one_file_up_to: 20}")
    for _ in range(2):
        reported = reportgen("report", "july", "--format", "html")
        assert reported.out == "report: reports/july/report/index.html\n"
        assert "pass on all of reports/july/report" in reported.err
    assert sorted(path.name for path in Path("reports/july").iterdir()) == ["report"]
    assert Path("reports/july/report/turns/0001.html").exists()
    Path("config.yaml").unlink()
    assert reportgen("report", "july", "--format", "html").out == "report: reports/july/report.html\n"
    assert sorted(path.name for path in Path("reports/july").iterdir()) == ["report.html"]


def test_a_folder_of_someone_else_is_not_replaced_by_a_report(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july")
    Path("config.yaml").write_text("report: {one_file_up_to: 20}")
    Path("reports/july/report").mkdir(parents=True)
    Path("reports/july/report/mine.txt").write_text("mine")
    refused = reportgen("report", "july", "--format", "html")
    assert refused.code == 1
    assert "in the way" in refused.err
    assert Path("reports/july/report/mine.txt").read_text() == "mine"


def test_another_generation_time_makes_another_revision(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "3")
    reportgen("report", "july", "--format", "json", "--generated-at", "2027-08-01T10:00:00+02:00")
    reportgen("report", "july", "--format", "json", "--generated-at", "2027-08-02T10:00:00+02:00")
    lines = [json.loads(line) for line in Path("runs/july/annexes/revisions.jsonl").read_text().splitlines()]
    assert [(line["number"], line["generated_at"]) for line in lines] == [
        (1, "2027-08-01T08:00:00Z"),
        (2, "2027-08-02T08:00:00Z"),
    ]
    assert (
        json.loads(Path("reports/july/report.json").read_text())["revision"]["generated_at"] == "2027-08-02T08:00:00Z"
    )


def test_source_date_epoch_sets_the_generation_time(reportgen, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1817078400")
    reportgen("run", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "3", "--format", "json")
    assert (
        json.loads(Path("reports/july/report.json").read_text())["revision"]["generated_at"] == "2027-08-01T00:00:00Z"
    )


def test_finished_runs_are_not_overwritten(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "3")
    before = Path("runs/july/run.json").read_bytes()
    again = reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "3")
    assert (again.code, "exists already" in again.err) == (1, True)
    resumed = reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "3", "--resume")
    assert (resumed.code, "is finished" in resumed.err) == (1, True)
    assert Path("runs/july/run.json").read_bytes() == before


def test_the_limit_is_counted_in_the_run(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "few", "--limit", "5")
    shown = json.loads(reportgen("runs", "show", "few").out)
    assert shown["manifest"]["capture"]["turns"] == 5
    assert shown["manifest"]["capture"]["beyond_limit"] == VERDICTS.read_text().count('"turn":"t-07') - 5


def test_runs_are_listed_in_the_order_in_which_they_began(reportgen):
    for name in ("b", "a"):
        reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", name, "--limit", "2")
    lines = reportgen("runs", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["b", "a"]
    assert "2 of 2 scored" in lines[0]


def test_no_runs_is_said_and_no_error(reportgen):
    ended = reportgen("runs", "list")
    assert (ended.code, ended.out, "no folder runs" in ended.err) == (0, "", True)


def test_rescoring_makes_a_new_run_that_names_its_parent_and_asks_nobody(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july")
    rubric = yaml.safe_load((resource("rubrics") / "sql-agent-1.yaml").read_text())
    rubric["version"], rubric["caps"][0]["ceiling"] = 2, 10
    Path("mine.yaml").write_text(yaml.safe_dump(rubric))
    shutil.copy(resource("rubrics") / "sql-agent-1.md", "sql-agent-1.md")
    ended = reportgen("rescore", "july", "--rubric", "mine.yaml", "--run-id", "stricter")
    assert ended.code == 0, ended.err
    old, new = (json.loads(reportgen("runs", "show", name).out) for name in ("july", "stricter"))
    assert new["manifest"]["parent"] == {"run": "july", "seal": old["seal"], "relation": "rescored"}
    assert Fraction(new["summary"]["mean"]["value"]) < Fraction(old["summary"]["mean"]["value"])
    assert Path("runs/july/verdicts.jsonl").read_bytes() == Path("runs/stricter/verdicts.jsonl").read_bytes()
    assert reportgen("verify", "runs/stricter").code == 0


def test_a_changed_rubric_of_the_same_version_is_refused(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "2")
    rubric = yaml.safe_load((resource("rubrics") / "sql-agent-1.yaml").read_text())
    rubric["caps"][0]["ceiling"] = 10
    Path("mine.yaml").write_text(yaml.safe_dump(rubric))
    shutil.copy(resource("rubrics") / "sql-agent-1.md", "sql-agent-1.md")
    ended = reportgen("rescore", "july", "--rubric", "mine.yaml")
    assert (ended.code, "another version" in ended.err) == (1, True)
    assert [path.name for path in Path("runs").iterdir()] == ["july"]


def test_rejudging_keeps_the_turns_and_names_the_parent(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july")
    shutil.copy(VERDICTS, "second.jsonl")
    ended = reportgen("rejudge", "july", "--judge", "recorded:second.jsonl", "--run-id", "again")
    assert ended.code == 0, ended.err
    shown = json.loads(reportgen("runs", "show", "again").out)["manifest"]
    assert (shown["parent"]["run"], shown["parent"]["relation"]) == ("july", "rejudged")
    assert shown["judge"]["model"] == "second"
    assert Path("runs/july/turns.jsonl").read_bytes() == Path("runs/again/turns.jsonl").read_bytes()
    assert reportgen("verify", "runs/again").code == 0


def test_a_capture_without_answers_has_effective_weights_37_5_31_25_31_25_on_each_turn(reportgen):
    turns = [turn(f"t{number}", answer={"not_captured": "composed elsewhere"}) for number in range(4)]
    recorded = write_verdicts(**{f"t{number}": [10, 8, number, None] for number in range(4)})
    reportgen("judge", write_turns(*turns), "--judge", recorded, "--run-id", "bare")
    for line in Path("runs/bare/scores.jsonl").read_text().splitlines():
        weights = [item.get("effective_weight") for item in json.loads(line)["subscores"]]
        assert weights == ["0.375", "0.3125", "0.3125", None]


def test_a_run_in_which_no_turn_was_scored_still_renders_and_says_so(reportgen):
    recorded = write_verdicts(other=[1, 1, 1, 1])
    ended = reportgen("run", write_turns(turn("t1")), "--judge", recorded, "--run-id", "none", "--format", "html,json")
    assert ended.code == 0, ended.err
    summary = json.loads(reportgen("runs", "show", "none").out)["summary"]
    assert (summary["scored"], summary["unscored"]) == (0, {"request_error": 1})
    assert "no turn was scored" in Path("reports/none/report.html").read_text().lower()
    assert reportgen("verify", "reports/none/report.json").code == 0


def test_bad_lines_stop_the_run_with_file_line_and_field_and_leave_nothing(reportgen):
    path = write_turns(turn("t1"), turn("t2", captured_at="2026-07-01T09:00:00"))
    ended = reportgen("judge", path, "--judge", write_verdicts(t1=[1, 1, 1, 1]))
    assert ended.code == 1
    assert "turns.jsonl, line 2: captured_at" in ended.err
    assert not Path("runs").exists() or not list(Path("runs").iterdir())


def test_bad_lines_can_be_set_aside_counted_and_kept(reportgen):
    path = write_turns(turn("t1"), turn("t2", question=42), turn("t1"))
    ended = reportgen(
        "judge",
        path,
        "--judge",
        write_verdicts(t1=[9, 9, 9, 9]),
        "--run-id",
        "r",
        "--skip-bad",
        "--rubric",
        "sql-agent-1",
    )
    assert ended.code == 0, ended.err
    assert json.loads(reportgen("runs", "show", "r").out)["manifest"]["capture"]["set_aside"] == 2
    kept = [json.loads(line) for line in Path("runs/r/set-aside.jsonl").read_text().splitlines()]
    assert [(line["line"], line["field"]) for line in kept] == [(2, "question"), (3, "id")]


def test_questions_that_look_like_something_else_stay_text(reportgen):
    questions = ["2026-07-14", "42", "null", "=1+1", "true", "1e5"]
    turns = [turn(f"t{number}", question=question) for number, question in enumerate(questions)]
    recorded = write_verdicts(**{f"t{number}": [9, 9, 9, 9] for number in range(len(questions))})
    reportgen("judge", write_turns(*turns), "--judge", recorded, "--run-id", "odd")
    kept = [json.loads(line)["question"] for line in Path("runs/odd/turns.jsonl").read_text().splitlines()]
    assert kept == questions


def test_marked_bundles_become_turns_of_their_own_and_unmarked_ones_are_flagged(reportgen):
    bundle = turn(
        "b",
        trajectory=[
            {"kind": "sql", "text": "select 1", "status": "ok"},
            {"kind": "sql", "text": "select 2", "status": "ok"},
        ],
        segments=[
            {"question": "One?", "events": [0, 1], "answer": {"text": "1"}},
            {"question": "Two?", "events": [1, 2], "answer": {"text": "2"}},
        ],
    )
    del bundle["answer"]
    recorded = write_verdicts(**{"b#1": [9] * 4, "b#2": [8] * 4, "u": [7] * 4})
    path = write_turns(bundle, turn("u", question="How many? And where?"))
    reportgen("run", path, "--judge", recorded, "--run-id", "r", "--format", "json")
    kept = [json.loads(line) for line in Path("runs/r/turns.jsonl").read_text().splitlines()]
    assert [(item["id"], [event["text"] for event in item["trajectory"]]) for item in kept] == [
        ("b#1", ["select 1"]),
        ("b#2", ["select 2"]),
        ("u", []),
    ]
    findings = json.loads(Path("reports/r/report.json").read_text())["findings"]
    assert findings["limitations"]["looks_bundled"] == 1
    assert "unmarked-bundle" in [caveat["slug"] for caveat in findings["caveats"]]


def test_recorded_subscores_off_the_scale_are_clamped_counted_and_flagged(reportgen):
    recorded = write_verdicts(t1=[12, 10, 10, -2])
    reportgen("run", write_turns(turn("t1")), "--judge", recorded, "--run-id", "r", "--format", "json")
    report = json.loads(Path("reports/r/report.json").read_text())
    assert report["findings"]["summary"]["clamped"] == 1
    assert report["scores"][0]["score"] == "80"
    assert "clamped" in [caveat["slug"] for caveat in report["findings"]["caveats"]]


@pytest.mark.parametrize("kind", ["turn", "run", "verdict", "score", "report", "rubric"])
def test_each_stored_format_has_a_schema_that_the_example_fulfils(reportgen, demo, demo_run, kind):
    schema = json.loads(reportgen("schema", kind).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    if kind in ("turn", "verdict", "score"):
        values = [json.loads(line) for line in (demo_run / f"{kind}s.jsonl").read_text().splitlines()]
    else:
        source = demo / "report.json" if kind == "report" else demo_run / "run.json"
        values = [json.loads(source.read_text())]
        values = [value["rubric"] for value in values] if kind == "rubric" else values
    for value in values:
        validator.validate(value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judge", "absent.jsonl", "--judge", RECORDED], "absent.jsonl cannot be read"),
        (["judge", TURNS, "--judge", "oracle:x"], "'oracle:x' does not name a judge"),
        (["judge", TURNS, "--judge", "recorded:absent.jsonl"], "absent.jsonl"),
        (["judge", TURNS, "--judge", RECORDED, "--rubric", "absent"], "absent"),
        (["judge", TURNS, "--judge", RECORDED, "--run-id", "../up"], "cannot be the id"),
        (["judge", TURNS, "--judge", RECORDED, "--resume"], "no unfinished run"),
        (["judge", TURNS, "--judge", "anthropic:claude-opus-5-5"], "ANTHROPIC_API_KEY"),
        (["report", "absent"], "no run absent"),
        (["verify", "."], "holds no run"),
        (["convert", str(TURNS), "--from", "tarot", "--out", "x"], 'no importer "tarot"'),
        (["demo", "--config", "absent.yaml"], "absent.yaml"),
    ],
)
def test_what_the_user_can_fix_is_said_with_exit_code_1_and_leaves_nothing(reportgen, arguments, message):
    ended = reportgen(*arguments)
    assert (ended.code, message in ended.err) == (1, True), ended.err
    assert "Traceback" not in ended.err
    assert list(Path().rglob("*.json*")) == []


def test_an_empty_capture_is_refused(reportgen):
    Path("empty.jsonl").write_text("\n\n")
    ended = reportgen("judge", "empty.jsonl", "--judge", RECORDED)
    assert (ended.code, "holds no turns" in ended.err) == (1, True)


def test_an_unknown_key_of_the_configuration_is_named(reportgen):
    Path("config.yaml").write_text("evidence:\n  row: 20\n")
    ended = reportgen("runs", "list")
    assert (ended.code, "evidence.row" in ended.err) == (1, True)


def test_the_rows_of_the_configuration_reach_the_judge_and_the_limitation(reportgen):
    Path("config.yaml").write_text("evidence: {rows: 7}\n")
    recorded = write_verdicts(t1=[9] * 4)
    rows = {"columns": ["a"], "rows": [[number] for number in range(9)], "row_count": 9}
    path = write_turns(turn("t1", trajectory=[{"kind": "sql", "text": "select a", "status": "ok", **rows}]))
    reportgen("run", path, "--judge", recorded, "--run-id", "r", "--format", "json")
    report = json.loads(Path("reports/r/report.json").read_text())
    assert report["run"]["manifest"]["evidence"]["rows"] == 7
    assert report["findings"]["limitations"]["with_rows_beyond_sample"] == 1


def test_a_newer_run_is_refused_by_name(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "2")
    path = Path("runs/july/run.json")
    path.write_text(path.read_text().replace("reportgen/run/1", "reportgen/run/2"))
    ended = reportgen("report", "july")
    assert (ended.code, "reportgen/run/2 is newer" in ended.err) == (1, True)


def test_verification_that_fails_ends_with_code_4_and_names_the_place(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "4")
    path = Path("runs/july/scores.jsonl")
    path.write_text(path.read_text().replace('"band":"good"', '"band":"poor"', 1))
    ended = reportgen("verify", "runs/july")
    assert ended.code == 4
    assert ".band" in ended.out


@pytest.mark.parametrize("command", [["report"], ["runs", "show"], ["rejudge"], ["rescore", "--rubric", "sql-agent-1"]])
def test_a_run_that_was_changed_after_it_was_sealed_is_not_used_for_anything(reportgen, command):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "4")
    for name, old, new in [
        ("scores.jsonl", '"band":"good"', '"band":"poor"'),
        ("run.json", '"scored": 4', '"scored": 3'),
    ]:
        path = Path("runs/july", name)
        text = path.read_text()
        path.write_text(text.replace(old, new, 1))
        ended = (
            reportgen(*command[:2], "july", *command[2:])
            if command[0] == "runs"
            else reportgen(command[0], "july", *command[1:])
        )
        assert (ended.code, "changed after it was finished" in ended.err) == (1, True), ended.err
        assert name in ended.err
        path.write_text(text)


def test_a_generation_time_before_the_run_is_refused(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "2")
    ended = reportgen("report", "july", "--generated-at", "2020-01-01T00:00:00Z", "--format", "json")
    assert (ended.code, "before the run was finished" in ended.err) == (1, True)


def test_a_generation_time_before_the_judging_is_refused_before_it_is_paid_for(reportgen, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    turns, verdicts = (resource("examples") / "sql" / name for name in ("turns.jsonl", "example-verdicts.jsonl"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    ended = reportgen("run", turns, "--judge", f"recorded:{verdicts}", "--format", "json")
    assert (ended.code, "is before the run was finished" in ended.err, Path("runs").exists()) == (1, True, False)


@pytest.mark.parametrize(
    "change", [{"generated_at": "2020-01-01T00:00:00Z"}, {"generated_at": None}, {"seal": 64 * "0"}]
)
def test_the_revision_that_a_report_states_is_verified_too(reportgen, demo, change):
    report = json.loads((demo / "report.json").read_text())
    Path("report.json").write_text(json.dumps(report | {"revision": report["revision"] | change}))
    ended = reportgen("verify", "report.json")
    assert ended.code != 0
    assert next(iter(change)) in ended.out + ended.err


def test_a_report_that_holds_more_than_it_may_is_refused(reportgen, demo):
    Path("report.json").write_text(json.dumps(json.loads((demo / "report.json").read_text()) | {"foo": 1}))
    ended = reportgen("verify", "report.json")
    assert ended.code != 0
    assert "foo" in ended.out + ended.err


def test_verifying_an_unfinished_run_or_a_folder_with_a_report_says_what_it_is(reportgen, demo):
    Path("half").mkdir()
    Path("half/draft.json").write_text("{}")
    assert "is unfinished" in reportgen("verify", "half").err
    assert "report.json" in reportgen("verify", demo).err


def test_a_seal_that_is_none_is_a_usage_error(reportgen, demo):
    assert reportgen("verify", demo / "report.json", "--seal", "zzz").code == 2


def test_a_seal_kept_elsewhere_is_held_against_the_run(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "4")
    seal = json.loads(Path("runs/july/run.json").read_text())["seal"]
    assert reportgen("verify", "runs/july", "--seal", seal).code == 0
    assert reportgen("verify", "runs/july", "--seal", "0" * 64).code == 4


def test_a_bug_is_kept_in_a_file_and_ends_with_code_3(reportgen, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret-value")
    monkeypatch.setattr("reportgen.archive.store.list_folders", lambda runs: 1 / 0 or "sk-very-secret-value")
    ended = reportgen("runs", "list")
    assert ended.code == 3
    log = Path(ended.err.split()[-1])
    assert "ZeroDivisionError" in log.read_text()
    assert "sk-very-secret-value" not in log.read_text()
    log.unlink()


def test_quiet_prints_results_only(reportgen):
    ended = reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "q", "--limit", "2", "--quiet")
    assert (ended.out, ended.err) == ("run: runs/q\n", "")


def test_a_mistyped_tool_of_a_conversion_is_warned_of(reportgen):
    events = [
        {"author": "user", "content": {"role": "user", "parts": [{"text": "How many?"}]}, "timestamp": 1782896400},
        {"author": "helper", "content": {"role": "model", "parts": [{"text": "12"}]}, "timestamp": 1782896401},
    ]
    Path("events.json").write_text(json.dumps(events))
    ended = reportgen("convert", "events.json", "--from", "adk", "--sql-tool", "exec_sql", "--out", "turns.jsonl")
    assert (ended.code, "no call of the tool exec_sql" in ended.err) == (0, True), ended.err
