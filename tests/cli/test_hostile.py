"""What a hostile or damaged file must not do: be deleted for, be believed, crash the program, or reach the terminal."""

import json
import shutil
from pathlib import Path

import pytest

from reportgen.archive.digests import file_digest, seal_of
from reportgen.archive.files import write_whole
from reportgen.cli.console import make_plain
from reportgen.errors import RunError
from reportgen.judging.redaction import Redactor, redact_all, redact_reply
from reportgen.publishing.answers import render_answer
from reportgen.resources import resource

pytestmark = pytest.mark.usefixtures("own_folder")

TURNS = resource("examples") / "sql" / "turns.jsonl"
RECORDED = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"


@pytest.fixture
def run(demo_run) -> Path:
    return Path(shutil.copytree(demo_run, "run"))


def reseal(run: Path, change) -> None:
    """Changes `run.json` and makes digests and seal fit again, as a careful forger would."""
    content = json.loads((run / "run.json").read_text())
    change(content)
    content["files"] = {name: file_digest(run / name) for name in content["files"]}
    content["seal"] = seal_of(content)
    (run / "run.json").write_text(json.dumps(content))


def set_in(content, path, value):
    *steps, last = path.split(".")
    for step in steps:
        content = content[step]
    content[last] = value


def test_resuming_never_takes_or_removes_a_folder_that_is_no_run(reportgen):
    Path("runs/docs").mkdir(parents=True)
    Path("runs/docs/precious").write_text("x")
    ended = reportgen("judge", "absent.jsonl", "--judge", RECORDED, "--run-id", "docs", "--resume")
    assert (ended.code, "no unfinished run" in ended.err) == (1, True)
    assert Path("runs/docs/precious").read_text() == "x"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("manifest.capture.turns", 70),
        ("summary.scored", 70),
        ("system_prompts.turn", "Be kind."),
        ("manifest.rubric", "another"),
        ("manifest.rubric_version", 7),
        ("manifest.finished_at", "2020-01-01T00:00:00Z"),
    ],
)
def test_a_forgery_that_is_sealed_anew_is_named(reportgen, run, path, value):
    reseal(run, lambda content: set_in(content, path, value))
    ended = reportgen("verify", run)
    assert ended.code == 4
    assert path in ended.out


def test_a_run_that_names_other_files_than_its_own_is_refused(reportgen, run):
    for files in ({}, {"../../secret": "0" * 64}):
        content = json.loads((run / "run.json").read_text()) | {"files": files}
        (run / "run.json").write_text(json.dumps(content | {"seal": seal_of(content)}))
        assert reportgen("verify", run).code == 1


@pytest.mark.parametrize(
    "text",
    ['{"format": 1, "format": 2}', '{"a": NaN}', "[" * 100_000, '{"format": "reportgen/report/1", "turns": 5}', "\x00"],
)
def test_a_damaged_report_is_no_bug(reportgen, text):
    Path("report.json").write_text(text)
    assert reportgen("verify", "report.json").code == 1


@pytest.mark.parametrize("part", ["turns", "verdicts", "scores"])
@pytest.mark.parametrize("value", [5, None, [1], ["\ud800"]])
def test_a_report_with_odd_records_is_no_bug(reportgen, demo, part, value):
    report = json.loads((demo / "report.json").read_text()) | {part: value}
    Path("report.json").write_text(json.dumps(report))
    assert reportgen("verify", "report.json").code in (1, 4)


def test_a_page_is_not_verified_and_the_error_says_what_is(reportgen):
    Path("report.html").write_text("<!doctype html><title>99.9</title>")
    ended = reportgen("verify", "report.html")
    assert (ended.code, "is a page, which does not carry the run" in ended.err) == (1, True)


def test_findings_cannot_be_left_out_of_a_report(reportgen, demo):
    report = json.loads((demo / "report.json").read_text()) | {"findings": None}
    Path("report.json").write_text(json.dumps(report))
    assert reportgen("verify", "report.json").code == 4


@pytest.mark.parametrize("path", ["manifest.run_id", "manifest.program", "summary.lowest.turn"])
def test_what_a_run_says_of_itself_never_makes_a_line_of_its_own(reportgen, run, path):
    reseal(run, lambda content: set_in(content, path, "x\nOK  all\r\u2028figures follow"))
    shutil.rmtree(run / "annexes")
    lines = reportgen("verify", run).out.splitlines()
    assert not any(line.startswith(("OK  all", "figures")) for line in lines)


def test_the_last_line_feed_counts(reportgen, run):
    path = run / "turns.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert reportgen("verify", run).code == 4


def test_a_damaged_neighbour_is_no_hindrance(reportgen, run):
    Path("runs/broken").mkdir(parents=True)
    Path("runs/broken/run.json").write_text("[")
    assert reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "mine", "--limit", "2").code == 0


def test_a_run_goes_on_only_with_the_terms_that_it_began_with(reportgen):
    Path("config.yaml").write_text("evidence: {rows: 5}\n")
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "r", "--limit", "4")
    content = json.loads(Path("runs/r/run.json").read_text())
    Path("runs/r/draft.json").write_text(json.dumps(content["manifest"]))
    Path("runs/r/run.json").unlink()
    Path("config.yaml").write_text("evidence: {rows: 6}\n")
    ended = reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "r", "--limit", "4", "--resume")
    assert ended.code == 1
    assert "evidence was" in ended.err
    Path("config.yaml").write_text("evidence: {rows: 5}\n")
    assert reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "r", "--limit", "4", "--resume").code == 0


def test_rejudging_takes_the_rubric_that_the_run_holds(reportgen):
    for name in ("sql-agent-1.yaml", "sql-agent-1.md"):
        shutil.copy(resource("rubrics") / name, name)
    text = Path("sql-agent-1.yaml").read_text().replace("id: sql-agent\n", "id: mine\n", 1)
    Path("mine.yaml").write_text(text)
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "one", "--limit", "3", "--rubric", "mine.yaml")
    Path("mine.yaml").unlink()
    ended = reportgen("rejudge", "one", "--judge", RECORDED, "--run-id", "two")
    assert ended.code == 0, ended.err
    assert json.loads(reportgen("runs", "show", "two").out)["manifest"]["rubric"] == "mine"


def test_rescoring_by_a_rubric_with_another_prompt_is_refused(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "one", "--limit", "3")
    shutil.copy(resource("rubrics") / "sql-agent-1.md", "sql-agent-1.md")
    with Path("sql-agent-1.md").open("a") as prompt:
        prompt.write("Be kind.\n")
    text = (resource("rubrics") / "sql-agent-1.yaml").read_text().replace("version: 1", "version: 2", 1)
    Path("mine.yaml").write_text(text)
    ended = reportgen("rescore", "one", "--rubric", "mine.yaml")
    assert (ended.code, "asks something else of the judge" in ended.err) == (1, True)


def test_a_torn_line_of_the_annexes_is_healed(reportgen, run):
    path = run / "annexes" / "revisions.jsonl"
    with path.open("a") as file:
        file.write('{"format":"reportgen/revis')
    assert reportgen("report", run, "--format", "json").code == 0
    assert reportgen("report", run, "--format", "json", "--generated-at", "2027-01-01T00:00:00Z").code == 0
    assert [json.loads(line)["number"] for line in path.read_text().splitlines()] == [1, 2]


def test_a_revision_of_another_run_is_refused(reportgen, run):
    path = run / "annexes" / "revisions.jsonl"
    path.write_text(path.read_text().replace(json.loads(path.read_text())["seal"], "0" * 64))
    assert "another run" in reportgen("report", run, "--format", "json").err


def test_a_pipe_is_no_file_of_turns(reportgen):
    ended = reportgen("judge", "/dev/null", "--judge", RECORDED)
    assert (ended.code, "not a plain file" in ended.err) == (1, True)


def test_what_is_no_plain_file_is_not_replaced(tmp_path):
    with pytest.raises(RunError, match="not a plain file"):
        write_whole(Path("/dev/null"), [b"x"])
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_terminal_obeys_nothing_that_is_printed():
    assert make_plain("a\x1b[2Kb\r\x07") == "a\ufffd[2Kb\ufffd\ufffd"


def test_a_key_is_hidden_in_parsed_values_and_behind_escapes():
    redact = Redactor("sk-hunter22")
    assert redact_all({"model": "sk-hunter22", "n": [float("nan"), "\ud800"]}, redact) == {
        "model": "[key]",
        "n": [None, "?"],
    }
    assert "hunter22" not in json.loads(redact_reply('{"a": "sk\\u002dhunter22"}', redact))["a"]


@pytest.mark.parametrize("text", ["a risk-adjusted return", "task-completion", "desk-based work"])
def test_ordinary_words_are_no_keys(text):
    assert Redactor()(text) == text


@pytest.mark.parametrize("text", ["2*3*4 = 24", "__init__", "|a|b|\n|-|-|\n|1|2|7777|"])
def test_an_answer_that_would_lose_letters_as_markdown_is_shown_as_it_was_written(text):
    shown = render_answer(text)
    assert shown.html is None
    assert shown.source == text


@pytest.mark.parametrize(
    "text", ["1. one\n2. two", "**bold** and `code`", "| a | b |\n|---|---|\n| 1 | 2 |", "```sql\nselect 1\n```"]
)
def test_ordinary_markdown_is_formatted(text):
    assert render_answer(text).html is not None


def test_an_escaped_bidi_mark_stays_visible():
    shown = render_answer("safe &#x202e; text")
    assert "\u202e" not in str(shown.html) + (shown.source or "")


def test_times_far_from_now_are_refused_before_anything_is_paid(reportgen):
    line = json.loads(TURNS.read_text().splitlines()[0]) | {"captured_at": "0001-01-01T00:00:00+23:59"}
    Path("t.jsonl").write_text(json.dumps(line) + "\n")
    ended = reportgen("judge", "t.jsonl", "--judge", RECORDED)
    assert (ended.code, "captured_at" in ended.err) == (1, True)
