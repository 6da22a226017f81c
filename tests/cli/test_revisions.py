"""Which revision a report shows, when a new one comes about, and that none is recorded that was not rendered."""

import json
from pathlib import Path

import pytest

from reportgen.archive.annexes import record_revision
from reportgen.errors import RunError
from reportgen.model.revision import Revision
from reportgen.pipeline import publish
from reportgen.resources import resource

pytestmark = pytest.mark.usefixtures("own_folder")

TURNS = resource("examples") / "sql" / "turns.jsonl"
RECORDED = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"
LATER = ("--generated-at", "2027-01-01T00:00:00Z")


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
    assert publish_json(reportgen, run, "--revision", "1", "--as-published") == first
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


CORRECTION = ("--changed", "Turn three is judged again.", "--reason", "Its rows were cut off.")


def read_report(folder="out") -> dict:
    return json.loads((Path(folder) / "report.json").read_text())


def test_notes_stand_signed_and_dated_after_the_summary_and_stay_in_later_revisions(reportgen, run):
    Path("notes.md").write_text("# July\n\nThe **outage** of 3 July is in here.", "utf-8")
    publish_json(reportgen, run, "--notes", "notes.md", "--signed", "A. Müller", *LATER)
    reportgen("report", run, "--out", "out", "--format", "html")
    page = Path("out/report.html").read_text()
    assert (
        page.index("What was measured")
        < page.index("The <strong>outage</strong>")
        < page.index("A. Müller, 1 January 2027")
    )
    assert page.index("A. Müller, 1 January 2027") < page.index(">3</span> Distribution")
    reportgen("probe", run, "length")
    publish_json(reportgen, run)
    third = read_report()["revision"]
    assert (third["number"], third["notes"]["dated"], third["probes"]) == (3, "2027-01-01T00:00:00Z", 1)
    assert reportgen("verify", "out/report.json").code == 0


def test_the_same_notes_again_make_no_new_revision(reportgen, run):
    Path("notes.md").write_text("Said once.")
    options = ("--notes", "notes.md", "--signed", "A. Müller")
    assert publish_json(reportgen, run, *options) == publish_json(reportgen, run, *options)
    assert len(revisions(run)) == 2


@pytest.mark.parametrize(
    ("content", "signed", "says"),
    [
        (b"", "A.", "are empty"),
        (b" \n\t", "A.", "are empty"),
        (b"caf\xe9", "A.", "not UTF-8: byte 3"),
        (b"a" * 20_001, "A.", "longer than 20,000"),
        ("\U0001f600".encode() * 30_000, "A.", "longer than 20,000"),
        (b"good", "  ", "--signed is empty"),
        (b"good", "a" * 201, "--signed has 201"),
    ],
)
def test_notes_that_cannot_be_used_are_refused_and_nothing_is_published(reportgen, run, content, signed, says):
    Path("notes.md").write_bytes(content)
    ended = reportgen("report", run, "--notes", "notes.md", "--signed", signed)
    assert (ended.code, says in ended.err, "error[revision]" in ended.err) == (1, True, True), ended.err
    assert len(revisions(run)) == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--notes", "notes.md"),
        ("--signed", "A."),
        ("--corrects", "1"),
        ("--corrects", "1", "--changed", "x"),
        ("--reason", "x"),
        ("--revision", "1", "--corrects", "1", *CORRECTION),
        ("--as-published", *LATER),
    ],
)
def test_options_that_need_or_exclude_one_another_are_a_usage_error(reportgen, run, options):
    Path("notes.md").write_text("Good.")
    assert reportgen("report", run, *options).code == 2


def test_html_links_and_images_in_notes_stand_as_they_were_written(reportgen, run):
    hostile = "<script>alert(1)</script> [here](javascript:alert(2)) ![x](https://example.org/x.png) <b onclick=x>b</b>"
    Path("notes.md").write_text(hostile)
    reportgen("report", run, "--out", "out", "--format", "html", "--notes", "notes.md", "--signed", "<i>Me</i>\u202e")
    page = Path("out/report.html").read_text()
    assert "<script>alert" not in page
    assert "javascript:alert" not in page.replace("[here](javascript:alert(2))", "")
    assert "<img" not in page
    assert "&lt;i&gt;Me&lt;/i&gt;[U+202E]" in page


def test_a_correction_says_on_its_cover_what_changed_and_why(reportgen, run):
    publish_json(reportgen, run, "--corrects", "1", *CORRECTION, *LATER)
    reportgen("report", run, "--out", "out", "--format", "html")
    cover = Path("out/report.html").read_text().partition('id="content"')[0]
    for text in ("corrects revision 1", "Turn three is judged again.", "Its rows were cut off.", "revision 2"):
        assert text in cover
    assert revisions(run)[1]["correction"] == {
        "supersedes": 1,
        "changed": "Turn three is judged again.",
        "reason": "Its rows were cut off.",
    }


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--corrects", "9", *CORRECTION), "has no revision 9"),
        (("--corrects", "one", *CORRECTION), "names no revision"),
        (("--corrects", "july#0", *CORRECTION), "names no revision"),
        (("--corrects", "july#1", *CORRECTION), "by its number alone"),
        (("--corrects", "august#1", *CORRECTION), "There is no run august"),
        (("--corrects", "1", "--changed", " ", "--reason", "x"), "--changed is empty"),
        (("--corrects", "1", "--changed", "x" * 1001, "--reason", "x"), "--changed has 1,001"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(reportgen, run, options, says):
    ended = reportgen("report", run, *options)
    assert (ended.code, says in ended.err) == (1, True), ended.err
    assert len(revisions(run)) == 1


def test_an_old_revision_says_what_took_its_place_unless_it_is_asked_for_as_published(reportgen, run):
    first = publish_json(reportgen, run)
    publish_json(reportgen, run, "--corrects", "1", *CORRECTION, *LATER)
    publish_json(reportgen, run, "--revision", "1")
    assert read_report()["standing"] == {
        "state": "superseded",
        "at": "2027-01-01T00:00:00Z",
        "revision": 2,
        "changed": "Turn three is judged again.",
        "reason": "Its rows were cut off.",
    }
    assert reportgen("verify", "out/report.json").code == 0
    assert publish_json(reportgen, run, "--revision", "1", "--as-published") == first


def test_a_withdrawn_report_says_so_on_its_cover_and_in_its_title(reportgen, run, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")
    ended = reportgen("withdraw", run, "--reason", "The capture lacked <a week>.")
    assert (ended.code, ended.out) == (0, "withdrawn: july, revision 1\n"), ended.err
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    reportgen("report", run, "--out", "out", "--format", "html,json")
    page = Path("out/report.html").read_text()
    assert "<title>Withdrawn: Answer quality report" in page
    assert "WITHDRAWN" in page
    assert "withdrawn on 1 February 2027" in page
    assert "The capture lacked &lt;a week&gt;." in page
    assert read_report()["standing"]["reason"] == "The capture lacked <a week>."
    assert len(revisions(run)) == 1


def test_only_a_correction_brings_a_withdrawn_report_back(reportgen, run):
    reportgen("withdraw", run, "--reason", "Wrong.")
    ended = reportgen("report", run, "--format", "json", *LATER)
    assert (ended.code, "no longer stands" in ended.err) == (1, True), ended.err
    publish_json(reportgen, run, "--corrects", "1", *CORRECTION, *LATER)
    assert "standing" not in read_report()
    publish_json(reportgen, run, "--revision", "1")
    assert read_report()["standing"]["state"] == "withdrawn"


def test_a_report_is_withdrawn_once(reportgen, run):
    publish_json(reportgen, run, *LATER)
    assert reportgen("withdraw", run, "--reason", "Wrong.", "--revision", "3").code == 1
    assert "revision 1" in reportgen("withdraw", run, "--reason", "Wrong.", "--revision", "1").out
    assert "revision 2" in reportgen("withdraw", run, "--reason", "Wrong.").out
    ended = reportgen("withdraw", run, "--reason", "Wrong.")
    assert (ended.code, "was withdrawn before" in ended.err) == (1, True), ended.err


def test_what_was_never_published_cannot_be_withdrawn(reportgen):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "new", "--limit", "1")
    ended = reportgen("withdraw", "new", "--reason", "Wrong.")
    assert (ended.code, "never been rendered" in ended.err) == (1, True), ended.err
    assert reportgen("revisions", "new").out == ""


def test_a_report_of_another_run_is_corrected_and_says_so(reportgen, run):
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "again", "--limit", "4")
    for _ in range(2):
        publish_json(reportgen, "again", "--corrects", "july#1", *CORRECTION)
    assert read_report()["revision"]["correction"]["run"] == "july"
    publish_json(reportgen, "july")
    standing = read_report()["standing"]
    assert (standing["state"], standing["run"], standing["revision"]) == ("superseded", "again", 1)
    assert len((run / "annexes" / "withdrawals.jsonl").read_text().splitlines()) == 1
    listed = reportgen("revisions", "july").out
    assert "superseded on" in listed
    assert "by revision 1 of the report of run again" in listed


def test_revisions_are_listed_with_what_they_add_and_their_standing(reportgen, run):
    Path("notes.md").write_text("Said.")
    publish_json(reportgen, run, "--notes", "notes.md", "--signed", "A.\x1b[31m", *LATER)
    publish_json(reportgen, run, "--corrects", "2", *CORRECTION)
    one, two, three = reportgen("revisions", "july").out.splitlines()
    assert "superseded on" in one
    assert "by revision 3" in two
    assert "current" in three
    assert "corrects revision 2" in three
    assert "\x1b" not in three


def test_a_withdrawal_of_another_run_is_refused(reportgen, run):
    reportgen("withdraw", run, "--reason", "Wrong.")
    path = run / "annexes" / "withdrawals.jsonl"
    path.write_text(path.read_text().replace(revisions(run)[0]["seal"], "0" * 64))
    assert "another run" in reportgen("report", run, "--format", "json").err


def test_denominators_agree_with_each_other_and_say_why_they_differ(reportgen):
    lines = TURNS.read_text().splitlines(keepends=True)[:6]
    Path("some.jsonl").write_text("".join(lines) + "{}\n")
    options = ("--judge", RECORDED, "--run-id", "some", "--limit", "4", "--skip-bad")
    few = reportgen("judge", "some.jsonl", *options, "--produced", "6")
    assert (few.code, "more than the 6 that were produced" in few.err) == (1, True), few.err
    assert reportgen("judge", "some.jsonl", *options, "--produced", "40").code == 0
    reportgen("report", "some", "--out", "out", "--format", "html")
    page = Path("out/report.html").read_text()
    assert "4 turns scored of 4 judged, 7 captured and 40 produced" in page
    assert "By the publisher’s count the assistant produced 40 turns in that time, of which 7 were captured." in page
    table = page.partition("What the figures of this report are out of")[2].partition("</table>")[0]
    for row in ("Produced|40", "Captured|7", "Skipped|1", "Left out|", "Judged|4", "Scored|4"):
        assert row in table.replace('</th><td class="num">', "|")
