"""`reportgen export` and `reportgen gate` on the bundled example."""

import csv
import errno
import io
import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reportgen.publishing.exports import EXPORTS, workbook

pytestmark = pytest.mark.usefixtures("own_folder")

ALL = "csv,xlsx,parquet,md"
FILES = ["summary.md", "turns.csv", "turns.parquet", "turns.xlsx"]


def names_in(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def configure(**gates) -> Path:
    path = Path("config.yaml")
    path.write_text(json.dumps({"gates": gates}))
    return path


def test_a_run_is_exported_in_each_format(reportgen, demo_run):
    ended = reportgen("export", demo_run, "--format", ALL, "--out", "july")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [f"export: july/{EXPORTS[name].file}" for name in ALL.split(",")]
    assert names_in("july") == FILES
    rows = list(csv.DictReader(io.StringIO(Path("july/turns.csv").read_text("utf-8-sig"), newline="")))
    assert len(rows) == 69
    assert {row["rubric"] for row in rows} == {"sql-agent-1"}
    assert {row["judge"] for row in rows} == {"recorded:example-verdicts"}


def test_a_run_by_its_id_and_a_report_give_the_same_files(reportgen, demo_run, demo):
    assert reportgen("export", demo_run.name, "--runs", demo_run.parent, "--format", ALL).code == 0
    assert reportgen("export", demo / "report.json", "--format", ALL, "--out", "again").code == 0
    for name in FILES:
        assert (Path("reports") / demo_run.name / name).read_bytes() == (Path("again") / name).read_bytes()


def test_files_that_exist_stay_without_force(reportgen, demo_run):
    Path("out").mkdir()
    Path("out/turns.xlsx").write_text("mine")
    ended = reportgen("export", demo_run, "--out", "out")
    assert ended.code == 1
    assert "error[run]: out/turns.xlsx exists already" in ended.err
    assert names_in("out") == ["turns.xlsx"]
    assert Path("out/turns.xlsx").read_text() == "mine"
    assert reportgen("export", demo_run, "--out", "out", "--force").code == 0
    assert Path("out/turns.xlsx").read_bytes()[:2] == b"PK"


def test_a_folder_in_the_place_of_a_file_stays_also_with_force(reportgen, demo_run):
    Path("out/turns.csv").mkdir(parents=True)
    ended = reportgen("export", demo_run, "--out", "out", "--force")
    assert ended.code == 1
    assert "is not a plain file" in ended.err
    assert names_in("out") == ["turns.csv"]


def test_a_file_in_the_place_of_the_folder_is_said(reportgen, demo_run):
    Path("out").write_text("mine")
    ended = reportgen("export", demo_run, "--out", "out/deeper")
    assert ended.code == 1
    assert "cannot be made" in ended.err


@pytest.mark.parametrize("name", EXPORTS)
def test_where_the_disk_fills_up_none_of_the_files_is_there(reportgen, demo_run, monkeypatch, name):
    def fill_up(export, file):
        file.write(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    broken = type(EXPORTS[name])(EXPORTS[name].file, fill_up)
    monkeypatch.setitem(EXPORTS, name, broken)
    ended = reportgen("export", demo_run, "--format", ALL, "--out", "out")
    assert ended.code == 1
    assert f"{broken.file} cannot be written: No space left on device" in ended.err
    assert names_in("out") == []


def test_where_the_temporary_folder_fills_up_the_workbook_says_so(reportgen, demo_run, monkeypatch):
    from xlsxwriter.exceptions import FileCreateError
    from xlsxwriter.workbook import Workbook

    close = Workbook.close

    def fill_up(self):
        close(self)
        raise FileCreateError(OSError(errno.ENOSPC, "No space left on device"))

    monkeypatch.setattr(Workbook, "close", fill_up)
    ended = reportgen("export", demo_run, "--format", "xlsx", "--out", "out")
    assert (ended.code, names_in("out")) == (1, [])
    assert "turns.xlsx cannot be written: No space left on device" in ended.err


def test_too_many_turns_for_a_sheet_are_refused_before_anything_is_written(reportgen, demo_run, monkeypatch):
    monkeypatch.setattr(workbook, "MOST_ROWS", 69)
    ended = reportgen("export", demo_run, "--out", "out")
    assert (ended.code, Path("out").exists()) == (1, False)
    assert "error[render]: The run has 69 turns, and a sheet of Excel holds 68" in ended.err


def test_parquet_without_its_library_is_refused_before_anything_is_written(reportgen, demo_run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    ended = reportgen("export", demo_run, "--format", ALL, "--out", "out")
    assert (ended.code, Path("out").exists()) == (1, False)
    assert "pip install 'reportgen[parquet]'" in ended.err


def test_a_run_that_was_changed_is_neither_exported_nor_let_through(reportgen, demo_run, demo):
    shutil.copytree(demo_run, "changed")
    scores = Path("changed/scores.jsonl")
    scores.write_text(scores.read_text("utf-8").replace('"score":"100"', '"score":"99"', 1), "utf-8")
    report = (demo / "report.json").read_text("utf-8").replace('"score":"100"', '"score":"99"', 1)
    Path("report.json").write_text(report, "utf-8")
    config = configure(mean_at_least=0)
    for place in ("changed", "report.json"):
        for ended in (reportgen("export", place), reportgen("gate", place, "--config", config)):
            assert ended.code == 1
            assert "was changed after it was finished: scores.jsonl" in ended.err


@pytest.mark.parametrize("formats", ["pdf", "csv,exe", ""])
def test_an_unknown_format_is_wrong_use(reportgen, demo_run, formats):
    assert reportgen("export", demo_run, "--format", formats).code == 2


def test_no_text_leaves_out_what_was_asked_and_answered(reportgen, demo_run):
    assert reportgen("export", demo_run, "--no-text", "--format", "csv", "--out", "out").code == 0
    head = Path("out/turns.csv").read_text("utf-8-sig").splitlines()[0].split(",")
    assert not {"question", "answer", "reason"} & set(head)
    assert head[-1] == "seal"


def test_gates_that_are_passed_let_a_run_through(reportgen, demo_run):
    ended = reportgen("gate", demo_run, "--config", configure(mean_at_least=70, unscored_share_at_most=0))
    assert ended.code == 0
    assert ended.out.splitlines() == [
        "passed     mean score at least 70: 78.9, 95 % interval 71.4 to 84.9",
        "passed     share of turns without a score at most 0 %: 0.0 %, 95 % interval 0.0 % to 7.1 %",
    ]


def test_a_gate_that_fails_or_is_undecided_ends_with_4_and_is_in_the_junit_file(reportgen, demo_run):
    config = configure(mean_at_least={"limit": 78, "by": "interval"}, poor_share_at_most=0.1, no_caveats=["few-turns"])
    ended = reportgen("gate", demo_run, "--config", config, "--junit", "gates.xml")
    assert ended.code == 4
    assert [line.split()[0] for line in ended.out.splitlines()] == ["undecided", "failed", "passed"]
    assert "error[gate]: 2 of 3 gates do not let the run through: mean_at_least, poor_share_at_most" in ended.err
    suite = ET.parse("gates.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")


def test_a_junit_file_that_exists_stays_without_force(reportgen, demo_run):
    config = configure(mean_at_least=70)
    Path("gates.xml").write_text("mine")
    ended = reportgen("gate", demo_run, "--config", config, "--junit", "gates.xml")
    assert (ended.code, Path("gates.xml").read_text()) == (1, "mine")
    assert reportgen("gate", demo_run, "--config", config, "--junit", "gates.xml", "--force").code == 0
    assert ET.parse("gates.xml").getroot().tag == "testsuites"


def test_without_gates_nothing_is_let_through(reportgen, demo_run):
    ended = reportgen("gate", demo_run)
    assert ended.code == 1
    assert "error[config]: The configuration has no gates" in ended.err


@pytest.mark.parametrize(
    ("gates", "place"),
    [
        ({"mean_at_least": 101}, "gates.mean_at_least.limit"),
        ({"poor_share_at_most": 10}, "gates.poor_share_at_most.limit"),
        ({"mean_at_least": {"limit": 80, "by": "hand"}}, "gates.mean_at_least.by"),
        ({"no_caveats": ["few-turn"]}, "gates.no_caveats.0"),
        ({"strata": [{"label": "client"}]}, "gates.strata.0.mean_at_least"),
        ({"median_at_least": 3}, "gates.median_at_least: there is no such key"),
        ({"mean_at_least": "80"}, "gates.mean_at_least"),
    ],
)
def test_a_gate_that_is_written_wrong_is_named(reportgen, demo_run, gates, place):
    ended = reportgen("gate", demo_run, "--config", configure(**gates))
    assert ended.code == 1
    assert place in ended.err


def test_the_gates_stand_in_the_exported_summary(reportgen, demo_run):
    configure(mean_at_least=99)
    assert reportgen("export", demo_run, "--format", "md", "--out", "out").code == 0
    assert "- **Gate failed:** mean score at least 99: 78.9, 95 % interval" in Path("out/summary.md").read_text("utf-8")
