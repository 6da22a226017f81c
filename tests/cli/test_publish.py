"""`reportgen publish`: a period for every audience, whole or not at all."""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.model.audience import Audience
from reportgen.pipeline.publication import name_places
from reportgen.resources import resource

EXAMPLE = resource("examples") / "sql"
JULY, AUGUST = EXAMPLE / "turns.jsonl", EXAMPLE / "turns-august.jsonl"
RECORDED = f"recorded:{EXAMPLE / 'example-verdicts.jsonl'}"
CLIENT = "Aktaia Seaways"
CONFIG = """\
report: {formats: [html, json]}
publish:
  timezone: Europe/London
  audiences: [internal, client, public]
  clients: [Aktaia Seaways]
gates: {mean_at_least: 75}
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A publisher's folder with a configuration and a key."""
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text(CONFIG)
    Path("publisher.key").write_text("5e" * 32)
    Path("publisher.key").chmod(0o600)
    return tmp_path


@pytest.fixture
def publish(reportgen, home):
    def call(period, *more):
        return reportgen("publish", "--period", period, "--key", "publisher.key", *more)

    return call


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """Both months of the example, published once for all tests, and how the calls ended."""
    from click.testing import CliRunner

    from reportgen.cli.publish import command

    folder = tmp_path_factory.mktemp("months")
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "publisher.key").write_text("5e" * 32)
    (folder / "publisher.key").chmod(0o600)
    ended = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for period, turns in (("2026-07", JULY), ("2026-08", AUGUST)):
            options = ["--period", period, "--key", "publisher.key", "--capture", str(turns), "--judge", RECORDED]
            ended.append(CliRunner().invoke(command, options))
    return folder, ended


@pytest.fixture
def published(months, home):
    """A copy of both months, to do something to."""
    shutil.copytree(months[0], home, dirs_exist_ok=True)
    return home / "publications"


def read(path):
    return json.loads(Path(path).read_text())


def test_each_audience_gets_its_report_and_exports_and_each_file_is_named_with_its_digest(published):
    month = published / "2026-07"
    places = ["internal", "clients/aktaia-seaways", "public"]
    for place in places:
        found = {path.name for path in (month / place).iterdir()}
        assert found == {"report.html", "report.json", "turns.csv", "summary.md"}
    content = read(month / "publication.json")
    assert [edition["folder"] for edition in content["editions"]] == places
    files = {
        path.relative_to(month).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in month.rglob("*")
        if path.is_file() and path.name != "publication.json"
    }
    assert content["files"] == files


def test_the_second_month_is_compared_with_the_first_for_the_same_readers(months, published):
    july, august = months[1]
    content = read(published / "2026-08/publication.json")
    baselines = {edition["audience"]: edition["baseline"] for edition in content["editions"]}
    earlier = {
        edition["audience"]: edition["run"] for edition in read(published / "2026-07/publication.json")["editions"]
    }
    assert baselines == earlier | {"public": None}
    assert all(edition["baseline"] is None for edition in read(published / "2026-07/publication.json")["editions"])
    assert "compared with" not in july.output
    assert "compared with" in august.output


def test_the_trend_for_the_public_names_the_whole_time_of_each_run(published):
    page = (published / "2026-08/public/report.html").read_text()
    assert ">1 July 2026 to 31 July 2026<" in page
    assert ">3 August 2026 to 31 August 2026</td>" in page


def test_cover_summary_and_provenance_count_the_same_turns(published):
    page = (published / "2026-08/internal/report.html").read_text()
    assert "69 turns scored of 70 judged, 67 captured (2 held several questions)" in page
    assert "Scored: 69 of 70 judged turns" in page
    assert "70 captured turns" not in page


def test_every_report_of_a_publication_verifies(reportgen, published):
    reports = sorted(published.glob("2026-*/**/report.json"))
    assert len(reports) == 6
    for report in reports:
        ended = reportgen("verify", report)
        assert (ended.code, report, ended.err) == (0, report, ended.err)


def test_a_gate_that_fails_ends_with_its_exit_code_and_what_was_published_stays(months, published):
    july, august = months[1]
    assert july.exit_code == 0
    assert "writing the reports for internal, the client Aktaia Seaways, public" in july.output
    assert "passed" in july.output
    assert "failed" in august.output
    assert type(august.exception).__name__ == "GateError"
    assert (published / "2026-08/gates.xml").is_file()


def test_each_audience_has_a_site_of_its_own_runs_only(published):
    sites = {path.parent.name: read(path) for path in published.glob("site/**/site.json")}
    assert {name: content["audience"] for name, content in sites.items()} == {
        "internal": "internal",
        "aktaia-seaways": "client",
        "public": "public",
    }
    assert all(len(content["runs"]) == 2 for content in sites.values())


def test_nothing_of_other_clients_is_in_what_one_client_or_the_public_gets(published):
    for place in [*published.glob("2026-*/clients"), *published.glob("2026-*/public"), published / "site/public"]:
        for path in filter(Path.is_file, place.rglob("*")):
            text = path.read_bytes().decode(errors="replace")
            assert "Norrsund" not in text, path
            assert "Greyheron" not in text, path


def test_publishing_again_needs_force_and_gives_the_same_bytes(publish, published):
    before = {path: path.read_bytes() for path in published.glob("2026-07/**/*") if path.is_file()}
    ended = publish("2026-07")
    assert (ended.code, "was published already" in ended.err) == (1, True)
    assert publish("2026-07", "--force").code == 0
    assert {path: path.read_bytes() for path in published.glob("2026-07/**/*") if path.is_file()} == before


def test_what_was_derived_anew_after_an_erasure_takes_the_place_of_what_was_published_before(
    reportgen, publish, published
):
    before = read(published / "2026-07/public/report.json")["run"]["manifest"]["run_id"]
    erased = reportgen("erase", read(published / "2026-07/internal/report.json")["run"]["manifest"]["run_id"],
                       "t-0701-01", "--reason", "A person asked for it.")  # fmt: skip
    assert erased.code == 0, erased.err
    for _ in range(2):
        ended = publish("2026-07", "--force")
        assert ended.code == 0, ended.err
        report = read(published / "2026-07/public/report.json")
        assert report["revision"]["correction"]["run"] == before
        assert (report["revision"]["number"], "standing" in report) == (1, False)
    for place in ("public", "clients/aktaia-seaways"):
        runs = read(published / f"site/{place}/site.json")["runs"]
        states = [revision["state"] for run in runs for revision in run["revisions"]]
        assert sorted(states) == ["current", "current", "superseded"]


def test_a_report_that_was_withdrawn_is_published_again_as_withdrawn(reportgen, publish, published):
    run = read(published / "2026-07/public/report.json")["run"]["manifest"]["run_id"]
    assert reportgen("withdraw", run, "--reason", "It was too early.").code == 0
    ended = publish("2026-07", "--force")
    assert ended.code == 0, ended.err
    assert read(published / "2026-07/public/report.json")["standing"]["state"] == "withdrawn"
    assert "standing" not in read(published / "2026-07/internal/report.json")


def test_what_was_withdrawn_does_not_come_back_by_being_derived_anew(reportgen, publish, published):
    internal, public = (
        read(published / f"2026-07/{place}/report.json")["run"]["manifest"]["run_id"]
        for place in ("internal", "public")
    )
    assert reportgen("withdraw", public, "--reason", "It was too early.").code == 0
    assert reportgen("erase", internal, "t-0701-01", "--reason", "A person asked for it.").code == 0
    ended = publish("2026-07", "--force")
    assert (ended.code, "was withdrawn" in ended.err) == (1, True), ended.err
    assert "out of publish.audiences or publish.clients" in ended.err
    (anew,) = re.findall(rf"reportgen report (\S+) --corrects {public}#1`", ended.err)
    said = ("--changed", "A text is gone.", "--reason", "It was asked for.", "--format", "json")
    assert reportgen("report", anew, "--corrects", f"{public}#1", *said).code == 0
    ended = publish("2026-07", "--force")
    assert ended.code == 0, ended.err
    assert "standing" not in read(published / "2026-07/public/report.json")


def test_a_folder_with_files_of_the_user_is_not_replaced_even_by_force(publish, published):
    (published / "2026-07/mine.txt").write_text("mine")
    ended = publish("2026-07", "--force")
    assert (ended.code, "is in the way" in ended.err) == (1, True)
    assert (published / "2026-07/mine.txt").read_text() == "mine"


def test_notes_go_to_the_audience_that_they_are_for_and_to_no_other(publish, published):
    Path("july.md").write_text("For us: zaunkönig.")
    Path("aktaia.md").write_text("For the client: rotkehlchen.")
    ended = publish(
        "2026-07", "--force", "--notes", "july.md", "--notes", f"{CLIENT}=aktaia.md", "--signed", "An editor"
    )
    assert ended.code == 0
    pages = {path.parent.name: path.read_text() for path in published.glob("2026-07/**/report.html")}
    assert {name for name, page in pages.items() if "zaunkönig" in page} == {"internal"}
    assert {name for name, page in pages.items() if "rotkehlchen" in page} == {"aktaia-seaways"}


def test_notes_for_the_public_are_refused_where_a_client_has_that_name(publish, home):
    turns = JULY.read_text().replace(CLIENT, "public")
    Path("july.jsonl").write_text(turns)
    Path("config.yaml").write_text(CONFIG.replace(CLIENT, "public"))
    Path("secret.md").write_text("For the client.")
    notes = ("--notes", "public=secret.md", "--signed", "An editor")
    ended = publish("2026-07", "--capture", "july.jsonl", "--judge", RECORDED, *notes)
    assert (ended.code, "a client named public" in ended.err) == (1, True)
    assert not Path("publications").exists()


@given(st.lists(st.text("aA &-_.\u202e\u00e4/01", min_size=1, max_size=8), min_size=2, unique=True))
def test_no_client_ever_gets_the_folder_of_another_whoever_else_is_published_for(names):
    alone = [name_places([Audience("client", name)]).popitem()[1] for name in names]
    together = list(name_places([Audience("client", name) for name in names]).values())
    assert together == alone
    assert len({place.casefold() for place in alone}) == len(names)
    assert all(re.fullmatch(r"clients/[a-z0-9][a-z0-9_-]*", place) for place in alone)


def test_a_client_that_no_turn_bears_is_refused_before_anything_is_written(publish, home):
    Path("config.yaml").write_text(CONFIG.replace("[Aktaia Seaways]", "[Nobody]"))
    ended = publish("2026-07", "--capture", JULY, "--judge", RECORDED)
    assert (ended.code, "'Nobody'" in ended.err) == (1, True)
    assert not Path("publications").exists()
    assert not Path("runs").exists()  # a judge is not paid for what cannot be published


def test_an_empty_period_and_a_capture_of_another_are_refused(publish, home):
    ended = publish("2026-07")
    assert (ended.code, "holds turns of 2026-07 (Europe/London)" in ended.err) == (1, True)
    ended = publish("2026-06", "--capture", JULY, "--judge", RECORDED)
    assert (ended.code, "outside of 2026-06" in ended.err) == (1, True)
    assert not Path("runs").exists()


def test_days_are_those_of_the_time_zone_for_every_reader(reportgen, publish, home):
    lines = [json.loads(line) for line in JULY.read_text().splitlines()]
    lines[0]["captured_at"], lines[-1]["captured_at"] = "2026-06-30T23:30:00Z", "2026-07-31T22:30:00Z"
    Path("july.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert publish("2026-07", "--capture", "july.jsonl", "--judge", RECORDED).code in {0, 4}
    for place in ("internal", "public"):
        folder = Path("publications/2026-07") / place
        report = read(folder / "report.json")
        assert report["run"]["manifest"]["timezone"] == "Europe/London"
        assert "1 July 2026 to 31 July 2026" in (folder / "report.html").read_text()
        assert "1 July 2026 to 31 July 2026" in (folder / "summary.md").read_text()
        assert "30 June 2026 to" not in (folder / "report.html").read_text()
        assert reportgen("verify", folder / "report.json").code == 0
    page = Path("publications/2026-07/internal/report.html").read_text()
    assert "Days in Europe/London" in page
    assert "1 July 2026 to 31 July 2026" in Path("publications/site/internal/index.html").read_text()


@pytest.mark.parametrize("zone", ["Europe/Nowhere", "../../etc/passwd", ""])
def test_a_time_zone_that_there_is_none_of_is_refused_where_it_stands(reportgen, home, zone):
    Path("config.yaml").write_text(json.dumps({"publish": {"timezone": zone}}))
    ended = reportgen("judge", JULY, "--judge", RECORDED, "--run-id", "first")
    assert (ended.code, "zone" in ended.err) == (1, True)
    assert not Path("runs").exists()


def test_a_period_with_several_runs_names_them_and_in_what_they_differ(reportgen, publish, home):
    reportgen("judge", JULY, "--judge", RECORDED, "--run-id", "first")
    shutil.copytree("runs/first", "runs/second")
    ended = publish("2026-07")
    assert (ended.code, "first, second" in ended.err) == (1, True)
    assert publish("2026-07", "--run", "first").code == 0


def test_a_run_that_reaches_beyond_the_period_is_refused(reportgen, publish, home):
    Path("both.jsonl").write_bytes(JULY.read_bytes() + AUGUST.read_bytes())
    reportgen("judge", "both.jsonl", "--judge", RECORDED, "--run-id", "both")
    ended = publish("2026-07")
    assert (ended.code, "reaches beyond" in ended.err) == (1, True)


def test_derived_reports_need_the_key(reportgen, home):
    ended = reportgen("publish", "--period", "2026-07", "--capture", JULY, "--judge", RECORDED)
    assert (ended.code, "--key" in ended.err) == (1, True)
    assert not Path("publications").exists()
    assert not Path("runs").exists()


def test_a_disk_that_fills_up_leaves_nothing_half_published(publish, home, monkeypatch):
    from reportgen.pipeline import publication

    def full(*_given, **_named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publication, "export_run", full)
    ended = publish("2026-07", "--capture", JULY, "--judge", RECORDED)
    assert (ended.code, "No space left" in ended.err) == (1, True)
    assert not Path("publications").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--generated-at", "2026-08-01T00:00:00Z"), "is before the run was finished"),
        (("--notes", "Nobody=note.md", "--signed", "A. Editor"), "There are notes for"),
        (("--signed", "A. Editor"), "--notes and --signed go together"),
    ],
)
def test_what_stands_against_publishing_is_said_before_anything_is_judged(publish, home, more, said):
    Path("note.md").write_text("A note.")
    ended = publish("2026-07", "--capture", JULY, "--judge", RECORDED, *more)
    assert ended.code != 0
    assert said in ended.err
    assert not Path("runs").exists()


def test_a_run_and_its_derived_runs_stay_in_the_archive_that_it_is_named_in(reportgen, publish, home):
    reportgen("judge", JULY, "--judge", RECORDED, "--runs", "archive", "--run-id", "july")
    ended = publish("2026-07", "--run", "archive/july")
    assert (ended.code, len(list(Path("archive").iterdir()))) == (0, 3), ended.err
    assert not Path("runs").exists()


def test_two_at_once_are_refused_with_the_folder_and_what_to_do(publish, published):
    from reportgen.archive.lock import locked

    with locked(published):
        ended = publish("2026-07", "--force")
    assert ended.code == 1
    assert "The folder of publications publications is in use by another process\n  Wait until" in ended.err
    assert publish("2026-07", "--force").code == 0
    assert not list(Path("publications").rglob(".*")), "no lock and no folder is left"


def test_sites_that_could_not_be_made_are_made_by_the_same_command_and_nothing_published_is_touched(publish, home):
    mine = Path("publications/site/public/mine.txt")
    mine.parent.mkdir(parents=True)
    mine.touch()
    ended = publish("2026-07", "--capture", JULY, "--judge", RECORDED)
    assert (ended.code, "public is in the way" in ended.err) == (1, True), ended.err
    inodes = {path: path.stat().st_ino for path in Path("publications/2026-07").rglob("*")}
    mine.unlink()
    ended = publish("2026-07", "--format", "json")
    assert (ended.code, "was published otherwise" in ended.err) == (1, True)
    ended = publish("2026-07")
    assert (ended.code, "publication: publications/2026-07" in ended.out) == (0, True), ended.err
    assert {path: path.stat().st_ino for path in Path("publications/2026-07").rglob("*")} == inodes
    assert Path("publications/site/public/index.html").exists()
    assert (publish("2026-07").code, [path.name for path in Path("publications").glob(".*")]) == (1, [])


@pytest.mark.parametrize("moment", ["before", "between", "after"])
def test_what_a_killed_process_left_is_cleared_and_what_it_was_about_to_replace_is_back(publish, published, moment):
    place = published / "2026-07"
    (published / ".2026-07.99999.part/internal").mkdir(parents=True)
    old, mine = published / ".2026-07.99999.old", published / ".2026-07.notes.part"
    mine.mkdir()
    if moment == "between":
        place.rename(old)
    elif moment == "after":
        shutil.copytree(place, old)
    ended = publish("2026-07")
    assert (ended.code, "was published already" in ended.err) == (1, True)
    assert publish("2026-07", "--force").code == 0
    assert [path.name for path in published.glob(".*")] == [mine.name]
    assert (place / "publication.json").exists()
