"""Which revision a report shows, when a new one comes about, and that none is recorded that was not rendered."""

import json
from pathlib import Path

import pytest

from reportgen.archive.annexes import record_revision
from reportgen.errors import RunError
from reportgen.model.revision import Revision
from reportgen.pipeline import publish
from reportgen.resources import resource

TURNS = resource("examples") / "sql" / "turns.jsonl"
RECORDED = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"
LATER = ("--generated-at", "2027-01-01T00:00:00Z")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(reportgen) -> Path:
    """A run of three turns, whose report has one revision."""
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "july", "--limit", "3")
    publish_json(reportgen, "july")
    return Path("runs/july")


def revisions(run: Path) -> list[dict]:
    return [json.loads(line) for line in (run / "annexes" / "revisions.jsonl").read_text().splitlines()]


def publish_json(reportgen, run, *options) -> bytes:
    ended = reportgen("report", run, "--out", "out", "--format", "json", *options)
    assert ended.code == 0, ended.err
    return Path("out/report.json").read_bytes()


def test_the_latest_revision_is_rendered_again_to_the_same_bytes(reportgen, run):
    publish_json(reportgen, run, *LATER)
    first = publish_json(reportgen, run)
    assert first == publish_json(reportgen, run)
    assert json.loads(first)["revision"]["number"] == 2
    assert len(revisions(run)) == 2


def test_an_old_revision_is_rendered_again_to_the_bytes_that_it_had(reportgen, run):
    first = publish_json(reportgen, run)
    reportgen("probe", run, "length")
    second = publish_json(reportgen, run)
    assert first != second
    assert publish_json(reportgen, run, "--revision", "1") == first
    assert [line.get("probes") for line in revisions(run)] == [None, 1]
    assert reportgen("verify", "out/report.json").code == 0


def test_a_revision_that_there_is_not_is_named_with_how_many_there_are(reportgen, run):
    ended = reportgen("report", run, "--revision", "7")
    assert (ended.code, "has no revision 7; it has 1" in ended.err) == (1, True), ended.err


def test_an_old_revision_takes_no_new_terms(reportgen, run):
    ended = reportgen("report", run, "--revision", "1", *LATER)
    assert (ended.code, "--generated-at has no meaning with --revision" in ended.err) == (2, True), ended.err


def test_no_revision_is_recorded_that_was_not_rendered(reportgen, run, monkeypatch):
    before = publish_json(reportgen, run)

    def fail(*_args):
        raise RunError("The disk is full", "Free space.")

    monkeypatch.setattr(publish, "_render_json", fail)
    assert reportgen("report", run, "--out", "out", "--format", "html,json", *LATER).code == 1
    assert len(revisions(run)) == 1
    assert Path("out/report.json").read_bytes() == before
    assert [path.name for path in Path("out").iterdir()] == ["report.json"]


def test_a_revision_is_recorded_by_one_process_only(run):
    known = Revision.from_data(revisions(run)[0])
    with pytest.raises(RunError, match="recorded by another process"):
        record_revision(run, known)


def test_the_latest_revision_of_an_archive_that_cannot_be_written_is_still_rendered(reportgen, run, monkeypatch):
    def refuse(*_args):
        raise AssertionError("nothing is recorded")

    monkeypatch.setattr(publish, "record_revision", refuse)
    assert json.loads(publish_json(reportgen, run))["revision"]["number"] == 1


def test_revisions_that_are_missing_from_the_annexes_are_seen(reportgen, run):
    publish_json(reportgen, run, *LATER)
    path = run / "annexes" / "revisions.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[1])
    ended = reportgen("report", run, "--format", "json")
    assert (ended.code, "is revision 2" in ended.err) == (1, True), ended.err
