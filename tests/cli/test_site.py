"""The archive site: for one audience, of every revision, with a feed that validates, and nobody's files lost."""

import json
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reportgen.archive.digests import file_digest, seal_of
from tests.atom import ATOM, parse_feed
from tests.publications import HOSTILE, make_archive

BASE = "https://example.org/r/"


class Links(HTMLParser):
    """The addresses that a page names, and the ids in it."""

    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.hrefs += [value for name, value in attrs if name in ("href", "src")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return make_archive(tmp_path_factory.mktemp("archive"))


@pytest.fixture(autouse=True)
def _in_a_copy(archive, tmp_path, monkeypatch):
    shutil.copytree(archive / "runs", tmp_path / "runs")
    monkeypatch.chdir(tmp_path)


def make(reportgen, *options) -> None:
    ended = reportgen("site", "runs", "--format", "json", *options)
    assert ended.code == 0, ended.err


def withdraw(reportgen, monkeypatch, run, seconds="1806710400"):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
    assert reportgen("withdraw", run, "--reason", f"Why {HOSTILE}").code == 0
    monkeypatch.delenv("SOURCE_DATE_EPOCH")


def content_of(folder: str) -> dict[str, bytes]:
    root = Path(folder)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def entries_of(feed) -> list[tuple[str, str]]:
    return [
        (entry.find(f"{ATOM}category").get("term"), entry.find(f"{ATOM}title").text)
        for entry in feed.findall(f"{ATOM}entry")
    ]


def test_the_site_has_every_revision_of_every_published_run_and_says_who_may_read_it(reportgen):
    ended = reportgen("site", "runs", "--format", "html,json")
    assert (ended.code, ended.out) == (0, "site: site/index.html\n"), ended.err
    assert "for internal and shows 3 of 4 runs" in ended.err
    page = Path("site/index.html").read_text()
    assert "not for publication" in page
    assert "unpublished" not in page
    links = Links()
    links.feed(page)
    for href in links.hrefs:
        assert (Path("site") / href.partition("#")[0]).is_file() or href.startswith("#"), href
    assert "script" not in links.tags
    for name in ("may/1", "may/2", "june/1", "july/1"):
        assert Path(f"site/reports/{name}/report.html").is_file()
    assert json.loads(Path("site/reports/may/1/report.json").read_text())["standing"]["revision"] == 2
    assert reportgen("verify", "site/reports/may/1/report.json").code == 0


def test_the_same_archive_gives_the_same_bytes_and_an_old_site_makes_way(reportgen):
    make(reportgen)
    first = content_of("site")
    Path("site/reports/may/9").mkdir()
    make(reportgen)
    assert content_of("site") == first
    assert not Path("site/reports/may/9").exists()
    listed = json.loads(first["site.json"])["runs"][0]["revisions"][0]["files"]
    assert listed == {"reports/may/1/report.json": file_digest(Path("site/reports/may/1/report.json"))}


def test_the_trend_is_broken_between_runs_of_different_judges(reportgen):
    make(reportgen)
    page = Path("site/index.html").read_text()
    drawing = page.partition("<svg")[2].partition("</svg>")[0]
    assert (drawing.count('class="dot"'), drawing.count('class="edge"')) == (3, 1)
    assert drawing.count('stroke="#4a5560" stroke-width="1"') == 1, "one line, that joins May and June"
    assert "From june to july" in page
    assert "judge: recorded:example-verdicts → recorded:other" in page.replace(".jsonl", "")


@pytest.mark.parametrize("base", [None, BASE])
def test_the_feed_validates_and_tells_of_reports_corrections_and_withdrawals(reportgen, monkeypatch, base):
    withdraw(reportgen, monkeypatch, "june")
    make(reportgen, "--title", HOSTILE, *(("--base-url", base) if base else ()))
    feed = parse_feed(Path("site/feed.xml").read_bytes())
    assert [kind for kind, _ in entries_of(feed)] == ["withdrawal", "correction", "report", "report", "report"]
    assert feed.find(f"{ATOM}updated").text == "2027-04-03T00:00:00Z"
    assert feed.find(f"{ATOM}title").text == HOSTILE.replace("\u202e", "[U+202E]")
    summaries = [entry.find(f"{ATOM}summary").text for entry in feed.findall(f"{ATOM}entry")]
    assert "Why <script>alert(1)</script> & ]]>" in summaries[0]
    assert "Changed <script>alert(1)</script>" in summaries[1]
    assert "<script>" not in Path("site/feed.xml").read_text()
    for link in feed.iter(f"{ATOM}link"):
        assert link.get("href").startswith(base or "")
        path = Path("site") / link.get("href").removeprefix(base or "")
        assert path.is_file()


def test_ids_of_entries_stay_when_the_site_moves_and_grows(reportgen, monkeypatch):
    def ids():
        feed = parse_feed(Path("site/feed.xml").read_bytes())
        return feed.find(f"{ATOM}id").text, {entry.find(f"{ATOM}id").text for entry in feed.findall(f"{ATOM}entry")}

    make(reportgen)
    own, before = ids()
    withdraw(reportgen, monkeypatch, "may")
    make(reportgen, "--base-url", BASE, "--title", "Another")
    same, after = ids()
    assert (same, len(after - before)) == (own, 1)
    assert before < after


def test_a_report_that_no_longer_stands_shows_its_reason_and_no_figures(reportgen, monkeypatch):
    withdraw(reportgen, monkeypatch, "may")
    make(reportgen)
    page = Path("site/index.html").read_text()
    article = page.partition("may</span></h3>")[2].partition("</article>")[0]
    assert "WITHDRAWN" in article
    assert "Why &lt;script&gt;alert(1)&lt;/script&gt; &amp; ]]&gt; [U+202E] 東京" in article
    assert "out of 100" not in article
    assert "<script" not in page
    assert "<polyline" not in page
    standing = json.loads(Path("site/reports/may/2/report.json").read_text())["standing"]
    assert standing["state"] == "withdrawn"


def derive(folder: str, client: str) -> None:
    """Makes a run look as if it were derived for a client."""
    path = Path("runs", folder, "run.json")
    content = json.loads(path.read_text())
    old = content["seal"]
    content["manifest"]["derived"] = {"client": client, "parent": "0" * 64, "commitments": []}
    content["seal"] = seal_of(content)
    path.write_text(json.dumps(content))
    for annexe in Path("runs", folder, "annexes").glob("*.jsonl"):
        annexe.write_text(annexe.read_text().replace(old, content["seal"]))


def test_runs_of_several_audiences_are_never_mixed_by_a_guess(reportgen):
    derive("june", "Norrsund")
    derive("july", "Aktaia")
    ended = reportgen("site", "runs")
    assert (ended.code, "several audiences: internal, the client Aktaia, the client Norrsund" in ended.err) == (1, True)
    assert not Path("site").exists()


def test_a_site_for_a_client_has_nothing_of_others(reportgen):
    derive("june", "Norrsund")
    derive("july", "Aktaia")
    make(reportgen, "--client", "Norrsund")
    everything = b"".join(content_of("site").values())
    assert b"For the client Norrsund only." in everything
    for other in (b"Aktaia Ltd", b"may", b"july"):
        assert other not in b"".join(content_of("site")[name] for name in ("index.html", "feed.xml", "site.json"))
    assert sorted(path.name for path in Path("site/reports").iterdir()) == ["june"]
    assert reportgen("site", "runs", "--out", "b", "--audience", "public").code == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--audience", "client"),
        ("--audience", "public", "--client", "Norrsund"),
        ("--base-url", "ftp://example.org"),
        ("--base-url", "https://exa mple.org"),
        ("--base-url", 'https://example.org/"onclick'),
    ],
)
def test_options_that_make_no_sense_are_a_usage_error(reportgen, options):
    assert reportgen("site", "runs", *options).code == 2


def test_a_site_without_a_report_is_refused(reportgen):
    Path("none").mkdir()
    for folder in ("none", "nowhere"):
        ended = reportgen("site", folder)
        assert (ended.code, "error[site]" in ended.err) == (1, True), ended.err


def put_beside(_site: Path) -> None:
    Path("site").mkdir(exist_ok=True)
    Path("site/mine.txt").write_text("mine")


def put_within(site: Path) -> None:
    (site / "reports/may/1/report.html").write_text("mine")


def put_link(site: Path) -> None:
    (site / "reports/june/1/report.pdf").symlink_to(Path("runs").resolve())


@pytest.mark.parametrize("put", [put_beside, put_within, put_link])
def test_a_folder_with_something_of_somebody_elses_is_replaced_by_force_only(reportgen, put):
    make(reportgen)
    put(Path("site"))
    before = set(Path("site").rglob("*"))
    ended = reportgen("site", "runs", "--format", "json")
    assert (ended.code, "is no site of reportgen alone" in ended.err) == (1, True), ended.err
    assert set(Path("site").rglob("*")) == before
    make(reportgen, "--force")
    assert len(set(Path("site").rglob("*"))) == len(before) - 1
    assert Path("runs/may/run.json").exists()


def test_a_site_for_others_is_replaced_by_force_only(reportgen):
    make(reportgen)
    marker = Path("site/site.json")
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "audience": "client", "client": "Aktaia"}))
    before = content_of("site")
    ended = reportgen("site", "runs", "--format", "json")
    assert (ended.code, "holds the site for the client Aktaia, not for internal" in ended.err) == (1, True), ended.err
    assert content_of("site") == before
    make(reportgen, "--force")
    assert json.loads(marker.read_text())["audience"] == "internal"


@pytest.mark.parametrize("out", [".", "runs", ".."])
def test_force_never_replaces_the_runs_or_the_working_folder(reportgen, out):
    ended = reportgen("site", "runs", "--out", out, "--force")
    assert (ended.code, "holds the runs or the working folder" in ended.err) == (1, True), ended.err


def test_a_failure_half_way_leaves_the_old_site_and_nothing_beside_it(reportgen):
    make(reportgen)
    before = content_of("site")
    with Path("runs/july/turns.jsonl").open("a") as file:
        file.write("{}\n")
    ended = reportgen("site", "runs", "--format", "json")
    assert (ended.code, "was changed after it was finished" in ended.err) == (1, True), ended.err
    assert content_of("site") == before
    assert sorted(path.name for path in Path().iterdir()) == ["runs", "site"]


def test_an_id_that_is_unfit_for_an_address_gets_a_safe_folder(reportgen):
    shutil.move("runs/july", "runs/<b>juli & 東京")
    path = Path("runs/<b>juli & 東京/run.json")
    content = json.loads(path.read_text())
    old = content["seal"]
    content["manifest"]["run_id"] = "<b>juli & 東京"
    content["seal"] = seal_of(content)
    path.write_text(json.dumps(content))
    annexe = path.parent / "annexes" / "revisions.jsonl"
    annexe.write_text(annexe.read_text().replace(old, content["seal"]))
    make(reportgen)
    parse_feed(Path("site/feed.xml").read_bytes())
    assert "&lt;b&gt;juli &amp; 東京" in Path("site/index.html").read_text()
    names = sorted(path.name for path in Path("site/reports").iterdir())
    assert names[:2] == ["june", "may"]
    assert names[2].startswith("run-b-juli-")
