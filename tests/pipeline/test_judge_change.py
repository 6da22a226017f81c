"""A run by another judge than the last one of its rubric: what it carries, and how a check on anchors lifts that."""

import json
from pathlib import Path

import pytest

from reportgen.resources import resource
from tests.judge_server import served
from tests.program import start

TURNS = resource("examples") / "sql" / "turns.jsonl"
RECORDED = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"
OLD, NEW = "anthropic:claude-opus-5-5", "anthropic:claude-haiku-5-5"
CANARIES = 11
CLIENT = "Aktaia Seaways"


@pytest.fixture
def server(monkeypatch, own_folder):
    with served(monkeypatch, manner="honest") as running:
        yield running


@pytest.fixture
def judge(reportgen, server):
    def call(run_id, spec, *more, limit=40):
        return reportgen("judge", TURNS, "--judge", spec, "--run-id", run_id, "--limit", limit, "--quiet", *more)

    return call


@pytest.fixture
def changed(reportgen, judge):
    """A run by the old judge with anchors frozen of it, and one by the new judge; returns how the latter ended."""
    assert judge("july", OLD, "--strict").code == 0
    assert reportgen("anchors", "freeze", "july", "--n", 36, "--run-id", "set").code == 0
    return judge("august", NEW, "--strict")


def manifest_of(run_id):
    return json.loads(Path("runs", run_id, "run.json").read_text("utf-8"))["manifest"]


def report_of(reportgen, run_id, *more, forms="json"):
    """The report as data, as a page where that is asked for, and its caveats; it is verified from itself alone."""
    ended = reportgen("report", run_id, "--format", forms, "--quiet", *more)
    assert ended.code == 0, ended.err
    folder = Path(ended.out.splitlines()[0].removeprefix("report: ")).parent
    verified = reportgen("verify", folder / "report.json")
    assert verified.code == 0, verified.out
    data = json.loads((folder / "report.json").read_text("utf-8"))
    caveats = {caveat["slug"]: caveat["sentence"] for caveat in data["findings"]["caveats"]}
    return data, (folder / "report.html").read_text("utf-8") if "html" in forms else "", caveats


def check(reportgen, *more):
    return reportgen("anchors", "check", "--judge", NEW, "--quiet", *more)


def test_the_first_run_has_no_predecessor_and_one_by_the_same_judge_no_caveat(reportgen, judge):
    judge("one", OLD, limit=2)
    judge("two", OLD, limit=2)
    assert "predecessor" not in manifest_of("one")
    assert manifest_of("two")["predecessor"]["run"] == "one"
    assert "judge-changed" not in report_of(reportgen, "one")[2]
    _, page, caveats = report_of(reportgen, "two", forms="json,html")
    assert "judge-changed" not in caveats
    assert "Judge and prompts are those of the last run of this rubric." in page


def test_another_judge_is_refused_under_strict_and_carries_a_caveat_until_a_check_passes(reportgen, changed):
    assert changed.code == 4
    assert "error[strict]" in changed.err
    assert "judge-changed: The judge is not that of the last run of this rubric" in changed.err
    data, page, caveats = report_of(reportgen, "august", forms="json,html")
    sentence = caveats["judge-changed"]
    assert f"({OLD}; differs in: model)" in sentence
    assert sentence in page.partition("</header>")[0]
    assert "The two were not checked against each other." in page
    assert data["revision"]["number"] == 1

    passed = check(reportgen, "--strict")
    assert (passed.code, "EQUIVALENT  on 36 frozen turns" in passed.out) == (0, True), passed.err
    data, page, caveats = report_of(reportgen, "august", forms="json,html")
    assert "judge-changed" not in caveats
    assert data["revision"]["number"] == 2
    assert [item["drift"]["state"] for item in data["revision"]["checks"]] == ["equivalent"]
    assert "Their latest check: equivalent." in page
    assert "claude-opus-5-5, effort medium against anthropic:claude-haiku-5-5, effort medium" in page
    old = report_of(reportgen, "august", "--revision", "1")[2]
    assert "judge-changed" in old
    assert "anchors" not in reportgen("runs", "list").out


def test_the_next_run_by_the_checked_judge_passes_strict_and_shows_the_check(reportgen, judge, changed):
    check(reportgen)
    assert judge("september", NEW, "--strict", limit=2).code == 0
    data, page, _ = report_of(reportgen, "september", forms="json,html")
    assert len(data["revision"]["checks"]) == 1
    assert "anchors set, asked again in" in page
    assert "checks" not in report_of(reportgen, "july")[0]["revision"]


def test_of_several_checks_the_latest_counts(reportgen, server, changed):
    assert check(reportgen).code == 0
    server.manner = "own-mind"
    assert check(reportgen).code == 4
    data, _, caveats = report_of(reportgen, "august")
    assert "their latest check on frozen anchors was" in caveats["judge-changed"]
    assert len(data["revision"]["checks"]) == 2


def test_a_check_that_is_changed_in_a_report_is_found(reportgen, changed):
    check(reportgen)
    report_of(reportgen, "august")
    path = Path("reports/august/report.json")
    data = json.loads(path.read_text("utf-8"))
    del data["revision"]["checks"]
    path.write_text(json.dumps(data))
    ended = reportgen("verify", path)
    assert (ended.code, "findings.caveats" in ended.out) == (4, True)


def test_a_check_beside_people_is_in_the_report_verified_from_it_alone_and_kept_from_other_readers(
    reportgen, changed, monkeypatch
):
    scores = map(json.loads, Path("runs/anchors/set/scores.jsonl").read_text("utf-8").splitlines())
    rows = [f"{score['turn']},anna,2026-08-01,{score['band']}\n" for score in scores]
    Path("anna.csv").write_text("turn,labeller,date,band\n" + "".join(rows))
    assert reportgen("labels", "import", "july", "anna.csv").code == 0
    check(reportgen)
    data, page, _ = report_of(reportgen, "august", forms="json,html")
    assert data["revision"]["checks"][0]["people"]["turns"] == 36
    assert "Beside people, over 36" in page
    path = Path("reports/august/report.json")
    assert "and what people said of 36 anchors" in reportgen("verify", path).out
    data["revision"]["checks"][0]["people"]["after"]["kappa"]["value"] = "0.5"
    path.write_text(json.dumps(data))
    ended = reportgen("verify", path)
    assert (ended.code, "check 1, people: after" in ended.out) == (4, True)
    Path("key").write_text("ab" * 32)
    Path("key").chmod(0o600)
    monkeypatch.setenv("REPORTGEN_KEY_FILE", "key")
    assert "people" not in report_of(reportgen, "august", "--audience", "public")[0]["revision"]["checks"][0]


def test_a_gate_can_ask_for_it(reportgen, changed):
    Path("gates.yaml").write_text("gates: {no_caveats: [judge-changed]}")
    assert reportgen("gate", "august", "--config", "gates.yaml").code == 4
    check(reportgen)
    assert reportgen("gate", "august", "--config", "gates.yaml").code == 0


def test_derived_runs_inherit_it_and_name_no_run(reportgen, changed, monkeypatch):
    Path("key").write_text("ab" * 32)
    monkeypatch.setenv("REPORTGEN_KEY_FILE", "key")
    Path("key").chmod(0o600)
    readers = (["--audience", "client", "--client", CLIENT], ["--audience", "public"])
    for audience in readers:
        data, _, caveats = report_of(reportgen, "august", *audience)
        assert "judge-changed" in caveats
        assert set(data["run"]["manifest"]["predecessor"]) == {"asked"}
    check(reportgen)
    for audience in readers:
        data, page, caveats = report_of(reportgen, "august", *audience, forms="json,html")
        assert "judge-changed" not in caveats
        (item,) = data["revision"]["checks"]
        assert not {"anchors", "judged"} & set(item)
        assert (item["drift"]["dimensions"], item["drift"]["bands"]) == ([], [])
        assert "july" not in page


def test_replays_are_neither_before_nor_after_another_run_and_rejudged_ones_are_not_before(reportgen, judge):
    judge("july", OLD, limit=2)
    judge("replayed", RECORDED, limit=2)
    assert "predecessor" not in manifest_of("replayed")
    assert reportgen("rejudge", "july", "--judge", NEW, "--run-id", "again", "--quiet").code == 0
    assert "judge-changed" in report_of(reportgen, "again")[2]
    judge("august", OLD, limit=2)
    assert manifest_of("august")["predecessor"]["run"] == "july"
    reportgen("panel", "july", "again", "--run-id", "panel-1")
    reportgen("panel", "july", "again", "--run-id", "panel-2")
    assert manifest_of("panel-1")["predecessor"]["run"] == "august"
    assert manifest_of("panel-2")["predecessor"]["run"] == "panel-1"
    assert "judge-changed" not in report_of(reportgen, "panel-2")[2]


def test_a_check_that_is_killed_goes_on_and_asks_nothing_twice(reportgen, server, changed):
    before = server.messages
    folder = Path("killed")
    folder.mkdir()
    arguments = ["anchors", "check", "--judge", NEW, "--run-id", "asked", "--quiet"]
    for more, death in (([], "rename run.json"), (["--resume"], "open checks.jsonl")):
        process = start([*arguments, *more], folder, (death,))
        process.join(60)
        assert process.exitcode == -9, (folder / "output.txt").read_text()
    assert not Path("runs/anchors/checks.jsonl").exists()
    assert reportgen(*arguments, "--resume").code == 0
    assert server.messages - before == 36 + CANARIES
    assert Path("runs/anchors/checks.jsonl").read_bytes().count(b"\n") == 1
    assert reportgen("anchors", "list").code == 0
    done = reportgen(*arguments, "--resume")
    assert (done.code, "is finished" in done.err) == (1, True)
