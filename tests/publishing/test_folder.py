"""The HTML of many turns: a folder of pages, each of a bounded size, that hold together and need no script."""

import json
import re
from dataclasses import replace
from posixpath import dirname, join, normpath

import pytest

from reportgen.publishing.browser import lists, sheets
from reportgen.publishing.browser.folder import is_report_folder, render_folder
from reportgen.publishing.text import turn_anchor
from tests.publishing.conftest import make_report, make_turn, make_verdict
from tests.publishing.hostile import ALL, make_hostile_cases
from tests.publishing.pages import read_page


def read_folder(report):
    """Each file of the folder by name, and the pages among them parsed."""
    files = {name: "".join(pieces) for name, pieces in render_folder(report)}
    return files, {name: read_page([text]) for name, text in files.items() if name.endswith(".html")}


@pytest.fixture
def small_pages(monkeypatch):
    """Pages of few turns, so that twelve turns need several."""
    monkeypatch.setattr(sheets, "_TURNS_AT_MOST", 5)
    monkeypatch.setattr(lists, "LINES_AT_MOST", 4)


@pytest.fixture
def folder(report, small_pages):
    return read_folder(report)


@pytest.fixture(scope="module")
def hostile_folder():
    return read_folder(make_report(make_hostile_cases()))


def test_every_turn_stands_on_one_page_in_the_order_of_the_capture(folder, cases):
    _, pages = folder
    turns = [name for name in pages if name.startswith("turns/")]
    assert turns == ["turns/0001.html", "turns/0002.html", "turns/0003.html"]
    anchors = [attrs["id"] for name in turns for tag, attrs in pages[name].tags if tag == "article"]
    assert anchors == [turn_anchor(turn.id) for turn, _ in cases]


@pytest.mark.parametrize("which", ["folder", "hostile_folder"])
def test_every_link_leads_to_a_place_within_the_folder(which, request):
    files, pages = request.getfixturevalue(which)
    for name, page in pages.items():
        assert page.unbalanced == []
        assert page.open_tags == []
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        for href in page.values("href") + page.values("src"):
            path, _, anchor = href.partition("#")
            target = normpath(join(dirname(name), path)) if path else name
            assert target in files, f"{name} leads to {href}"
            assert not anchor or anchor in pages[target].values("id"), f"{name} leads to {href}"


def test_no_page_loads_anything_but_the_style_and_the_script_of_the_folder(folder, hostile_folder):
    for _, pages in (folder, hostile_folder):
        for name, page in pages.items():
            policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
            assert policy == (
                "default-src 'none'; style-src 'self'; script-src 'self'; font-src data:; "
                "base-uri 'none'; form-action 'none'"
            )
            root = "" if name == "index.html" else "../"
            assert [attrs["href"] for tag, attrs in page.tags if tag == "link"] == [f"{root}style.css"]
            assert set(page.values("src")) <= {f"{root}script.js"}
            assert not {"style", "img", "iframe", "object", "embed", "base", "form"} & page.names()
            assert not any(key.startswith("on") for _, attrs in page.tags for key in attrs)


def test_pages_lead_to_the_one_before_the_one_after_and_the_report(folder):
    _, pages = folder
    middle = pages["turns/0002.html"].values("href")
    assert {"../turns/0001.html", "../turns/0003.html", "../index.html", "../index.html#section-turns"} <= set(middle)
    assert [attrs.get("rel") for tag, attrs in pages["turns/0001.html"].tags if "rel" in attrs] == [
        "stylesheet",
        "next",
        "next",
    ]
    assert "../turns/0004.html" not in pages["turns/0003.html"].values("href")


def test_lists_by_band_cap_dimension_and_label_need_no_script(folder):
    _, pages = folder
    index = pages["index.html"]
    text = re.sub(r"\s+", " ", index.all_text)
    for heading in ("Band", "Cap that holds", "First weak dimension", "Label region", "Lowest, at most 100 of each"):
        assert heading in text
    north = next(href for href in index.values("href") if href.startswith("lists/label-region-north"))
    hrefs = [href for href in pages[north].values("href") if "#turn-" in href]
    assert [href.split("#")[1] for href in hrefs] == [turn_anchor(f"turn-{number}") for number in (1, 3, 5, 7)]
    lowest = next(href for href in index.values("href") if href.startswith("lists/lowest-score"))
    scores = re.findall(r"\b(\d+\.\d)\b", pages[lowest].all_text)
    assert scores == sorted(scores, key=float)


def test_the_data_stands_in_scripts_that_only_hand_it_over(folder, cases):
    files, pages = folder
    carried = json.loads(re.search(r'id="report-data">(.*?)</script>', files["index.html"], re.DOTALL)[1])
    assert carried["parts"] == ["data/0001.js", "data/0002.js", "data/0003.js"]
    turns = []
    for name in carried["parts"]:
        handed = re.fullmatch(r'takeTurns\("([^"]+)",(\[.*\])\);\n', files[name], re.DOTALL)
        assert handed[1] == name
        turns += json.loads(handed[2].replace(",\n]", "\n]"))
    assert [turn["number"] for turn in turns] == list(range(1, len(cases) + 1))
    for turn in turns:
        path, anchor = turn["href"].split("#")
        assert anchor in pages[path].values("id")


def test_hostile_text_ends_no_script_and_no_element(hostile_folder):
    files, pages = hostile_folder
    for name, text in files.items():
        if name.startswith("data/"):
            assert text.isascii()
            assert "<" not in text
        for carried in re.findall(r'<script type="application/json" id="report-data">(.*?)</script>', text, re.DOTALL):
            assert json.loads(carried)
            assert "<" not in carried
    assert [tag for tag, _ in pages["turns/0001.html"].tags].count("script") == 2


def test_a_page_of_turns_ends_before_it_grows_too_heavy(monkeypatch):
    monkeypatch.setattr(sheets, "_LETTERS_AT_MOST", 10_000)
    cases = [(turn := make_turn(number), make_verdict(turn)) for number in range(1, 8)]
    files, pages = read_folder(make_report(cases))
    turns = [name for name in pages if name.startswith("turns/")]
    assert len(turns) > 1
    assert sum([tag for tag, _ in pages[name].tags].count("article") for name in turns) == 7
    assert all(len(files[name]) < 20_000 for name in turns)


def test_no_more_than_a_line_is_kept_of_a_turn(report):
    """While the files are read one by one, each turn is given out only when its page is due."""
    given = []

    def turns():
        for entry in report.turns():
            given.append(entry.number)
            yield entry

    files = render_folder(replace(report, turns=turns))
    assert [next(files)[0], next(files)[0]] == ["style.css", "script.js"]
    assert given == []
    assert next(files)[0] == "turns/0001.html"
    assert given == list(range(1, 13))


@pytest.mark.parametrize("cases", [[], [(turn := make_turn(1), make_verdict(turn))]], ids=["no turn", "one turn"])
def test_few_turns_make_a_folder_too(cases):
    files, pages = read_folder(make_report(cases))
    assert ("turns/0001.html" in files) == bool(cases)
    assert "index.html" in pages


def test_the_same_report_gives_the_same_bytes(report):
    assert [(name, "".join(text)) for name, text in render_folder(report)] == [
        (name, "".join(text)) for name, text in render_folder(report)
    ]


def test_a_folder_with_anything_else_in_it_is_not_taken_for_a_report(report, tmp_path):
    for name, pieces in render_folder(report):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(pieces), "utf-8")
    assert is_report_folder(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    assert not is_report_folder(tmp_path)
    (tmp_path / "notes.txt").unlink()
    (tmp_path / "index.html").write_text("<p>mine")
    assert not is_report_folder(tmp_path)


def test_names_of_files_are_safe_whatever_the_labels_say(hostile_folder):
    files, _ = hostile_folder
    assert ALL[:20] not in "".join(files)
    assert all(re.fullmatch(r"(turns/|lists/|data/)?[a-z0-9-]+\.(html|js|css)", name) for name in files)


def test_labels_made_to_share_a_short_digest_do_not_share_a_list():
    # Found by trying spellings until two had one slug and the same first 32 bits of their digests.
    labels = "a?!!!!!????!!!??!!b", "a?!??!!!??!!?!!!?!b"
    cases = [(turn := make_turn(n, labels={"region": label}), make_verdict(turn)) for n, label in enumerate(labels, 1)]
    names = [name for name, _ in render_folder(make_report(cases))]
    assert sum(name.startswith("lists/label-region-a-b") for name in names) == 2
    assert len(names) == len(set(names))
