"""The labelling page: worked by keyboard alone, readable by everyone, and silent."""

import json
import shutil
from datetime import UTC, datetime

import pytest

from reportgen.archive.annexes import read_annex
from reportgen.archive.records import open_records
from reportgen.model.label import CalibrationSample, LabelImport, standing_labels
from reportgen.pipeline.exporting_labels import FormOrder, export_forms
from reportgen.pipeline.labelled_sample import LabelledOrder, sample_run
from reportgen.publishing.labelling.form import LabellingForm
from reportgen.publishing.labelling.page import render_page
from reportgen.publishing.look.look import PLAIN
from tests.browser.conftest import NARROW, WIDE, make_varied_cases
from tests.browser.test_access import AXE, SPILLED, TAGS, violations, walk
from tests.publishing.conftest import make_report
from tests.publishing.hostile import make_hostile_cases

NOW = datetime(2026, 8, 4, tzinfo=UTC)


@pytest.fixture
def run(demo_run, tmp_path):
    """A run with a sample of three turns, and the page for them."""
    shutil.copytree(demo_run, tmp_path / "runs" / "july")
    folder = tmp_path / "runs" / "july"
    sample_run(LabelledOrder(folder, 3, ()), NOW)
    export_forms(FormOrder(folder, tmp_path / "forms"))
    return folder


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The page of these turns."""

    def write(cases, name):
        path = tmp_path_factory.mktemp("labelling") / f"{name}.html"
        form = LabellingForm(make_report(cases).run, tuple(turn for turn, _ in cases), "anna", NOW)
        path.write_text("".join(render_page(form, PLAIN)), "utf-8")
        return path

    return {"varied": write(make_varied_cases(), "varied"), "hostile": write(make_hostile_cases()[:3], "hostile")}


def tab_to(page, wanted, key="Tab"):
    """Presses the tabulator until the focus is on such an element."""
    for _ in range(400):
        page.keyboard.press(key)
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"the focus never comes to {wanted}")


def choose(page, name, value):
    """Chooses a value of a row of them, from the first one on by the arrow keys."""
    tab_to(page, f"[name='{name}']")
    page.keyboard.press("Space")
    for _ in range(12):
        if page.evaluate("document.activeElement.value") == value:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"{name} has no {value}")


def test_the_page_is_filled_in_by_keyboard_alone_and_what_it_saves_is_imported(open_page, run, reportgen, tmp_path):
    opened = open_page(tmp_path / "forms" / "labels.html")
    page = opened.page
    tab_to(page, "#labeller")
    page.keyboard.type("expert 1")
    for number in range(1, 4):
        choose(page, "score-intent-understood", str(number))
        choose(page, "score-sql-quality", "10")
        if number > 1:
            choose(page, "score-result-relevance", "0")
        choose(page, "score-answer-faithfulness", "N/A")
        choose(page, "band", "poor")
        tab_to(page, "#comment")
        page.keyboard.type(f"=1+{number} <b>\nnext line")
        if number < 3:
            tab_to(page, "#next")
            page.keyboard.press("Enter")
            assert page.evaluate("document.activeElement.id") == f"turn-{number + 1}-title"
    assert page.text_content("#progress-said") == "2 of 3 turns labelled in full"
    tab_to(page, "#save", "Shift+Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "labels-expert-1.json"
    download.value.save_as(tmp_path / "saved.json")
    assert (opened.files, opened.complaints) == (["labels.html"], [])
    ended = reportgen("labels", "import", run, tmp_path / "saved.json")
    assert (ended.code, "3 labels by expert 1" in ended.out) == (0, True), ended.err
    records = open_records(run)
    labels = {label.turn: label for label in standing_labels(read_annex(LabelImport, run, *records.run.seals))}
    order = json.loads(page.text_content("#report-data"))["turns"]
    assert sorted(order) == sorted(turn.turn for turn in read_annex(CalibrationSample, run, records.run.seal)[-1].turns)
    for number, turn in enumerate(order, start=1):
        relevance = {"result-relevance": 0} if number > 1 else {}
        scores = {"intent-understood": number, "sql-quality": 10, "answer-faithfulness": None}
        assert labels[turn].scores == scores | relevance
        assert (labels[turn].band, labels[turn].comment) == ("poor", f"=1+{number} <b>\nnext line")
    assert "No labels of people were held against the judge of this run" in calibration_of(run, reportgen)
    assert reportgen("calibrate", run).code == 0
    said = calibration_of(run, reportgen)
    assert ("not estimable" in said, "by 1 person" in said) == (True, True), said


def calibration_of(run, reportgen):
    """The section of the run's report on what people say, as it is now."""
    out = run.parent / "report"
    ended = reportgen("report", run, "--format", "html", "--out", out)
    assert ended.code == 0, ended.err
    return (out / "report.html").read_text("utf-8").partition('id="section-calibration"')[2].partition("</section>")[0]


def test_a_draft_outlives_the_page_and_a_saved_file_is_gone_on_with(open_page, run, tmp_path):
    path = tmp_path / "forms" / "labels.html"
    page = open_page(path).page
    page.check("[name=band][value=good]")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    assert page.is_checked("[name=band][value=good]")
    assert "taken over from the draft" in page.text_content("#said")
    page.click("#save")
    assert page.text_content("#said") == "Fill in your labeller id first."
    page.fill("#labeller", "anna")
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(tmp_path / "saved.json")
    page.click("#clear")
    assert not page.is_checked("[name=band][value=good]")
    page.click("#discard")
    page.set_input_files("#saved", tmp_path / "saved.json")
    page.locator("#said").filter(has_text="1 turns taken over from the file").wait_for()
    assert page.is_checked("[name=band][value=good]")
    (tmp_path / "other.json").write_text((tmp_path / "saved.json").read_text().replace('"seal": "', '"seal": "0'))
    page.set_input_files("#saved", tmp_path / "other.json")
    page.locator("#said").filter(has_text="not one of labels of this run").wait_for()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_rule_of_wcag_is_violated(open_page, page_of, size):
    page = open_page(page_of["varied"], viewport=size).page
    page.check("[name=score-sql-quality][value='7']")
    page.evaluate(AXE)
    for place in (0, 4):
        page.select_option("#go", str(place))
        assert violations(page, {"type": "tag", "values": TAGS}) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}) == []
    if size is NARROW:
        assert page.evaluate("document.scrollingElement.scrollWidth") <= NARROW["width"]
        assert page.evaluate(SPILLED) == []


def test_the_focus_goes_through_all_of_it_in_its_order_and_is_seen(open_page, page_of):
    page = open_page(page_of["varied"]).page
    stops = walk(page)
    assert stops[0]["href"] == "#labels"
    places = [stop["place"] for stop in stops]
    assert places == sorted(places)
    assert all(stop["outlined"] and stop["seen"] for stop in stops), [s for s in stops if not s["outlined"]]
    assert {"labeller", "save", "saved", "discard", "comment", "clear", "next", "open", "go"} <= {
        s["id"] for s in stops
    }


def test_hostile_turns_neither_act_nor_ask_for_anything(open_page, page_of):
    opened = open_page(page_of["hostile"])
    page, dialogs = opened.page, []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for _ in range(page.locator("article").count() - 1):
        page.check("[name=band][value=poor]")
        page.click("#next")
    assert (opened.files, opened.complaints, dialogs) == (["hostile.html"], [], [])
    assert "<script>alert(1)</script>" in page.text_content("#turn-1")
