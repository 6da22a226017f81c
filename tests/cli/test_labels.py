"""Labels from the drawing of a sample to the annexes of its run."""

import io
import json
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest

from reportgen.archive.annexes import read_annex
from reportgen.archive.records import open_records
from reportgen.errors import LabelError
from reportgen.model.label import CalibrationSample, LabelImport, standing_labels
from reportgen.pipeline.importing_labels import name_turns
from reportgen.publishing.labelling.form import LabellingForm
from reportgen.publishing.labelling.page import render_page
from reportgen.publishing.labelling.workbook import write_labelling_workbook
from reportgen.publishing.look.look import PLAIN
from tests.publishing.conftest import make_report
from tests.publishing.hostile import make_hostile_cases

DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")
NOW = datetime(2026, 8, 1, tzinfo=UTC)


@pytest.fixture
def run(demo_run, tmp_path, monkeypatch):
    """A run of its own, so that its annexes may be written."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo_run, "runs/july")
    return Path("runs/july")


@pytest.fixture
def sampled(reportgen, run):
    assert reportgen("sample", "july", "--n", "30").code == 0
    return run


def sample_of(run):
    return read_annex(CalibrationSample, run, json.loads((run / "run.json").read_text())["seal"])[-1]


def labels_of(run):
    content = open_records(run).run
    return read_annex(LabelImport, run, *content.seals)


def write_csv(path, *rows, head="turn,labeller,date,intent-understood,sql-quality,band,comment"):
    Path(path).write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_a_sample_has_its_strata_counts_and_probabilities_and_is_drawn_once(reportgen, sampled):
    sample = sample_of(sampled)
    assert sum(stratum.drawn for stratum in sample.strata) == len(sample.turns) == 30
    assert [(item.band, item.population, item.drawn) for item in sample.strata] == [
        ("good", 49, 10),
        ("partial", 10, 10),
        ("poor", 10, 10),
    ]
    assert {str(turn.probability) for turn in sample.turns} == {"10/49", "1"}
    again = reportgen("sample", "july", "--n", "30")
    assert "nothing was added" in again.err
    assert len((sampled / "annexes/calibration-samples.jsonl").read_text().splitlines()) == 1


def test_a_larger_sample_keeps_the_picks_strata_and_seed_of_the_one_before(reportgen, run):
    assert reportgen("sample", "july", "--n", "20", "--strata", "surface", "--seed", "mine").code == 0
    before = sample_of(run)
    ended = reportgen("sample", "july", "--n", "40", "--format", "json")
    after = json.loads(ended.out)
    assert (after["labels"], after["seed"]) == (["surface"], "mine")
    assert {turn.turn for turn in before.turns} < {turn["turn"] for turn in after["turns"]}
    assert reportgen("sample", "july", "--n", "2").code == 1


def test_turns_without_a_score_are_not_drawn_and_counted(reportgen, sampled):
    scores = [json.loads(line) for line in (sampled / "scores.jsonl").read_text().splitlines()]
    unscored = {score["turn"] for score in scores if "score" not in score}
    sample = sample_of(sampled)
    assert sample.unscored == len(unscored)
    assert sum(stratum.population for stratum in sample.strata) == len(scores) - len(unscored)
    assert not unscored & {turn.turn for turn in sample.turns}


def test_the_options_of_a_capture_and_of_a_run_do_not_mix(reportgen, run):
    assert reportgen("sample", "july", "--n", "5", "--out", "x").code == 2
    assert reportgen("sample", "july", "--budget", "5", "--out", "x", "--format", "json").code == 2
    assert reportgen("sample", "july").code == 2


def bytes_within(path):
    data = Path(path).read_bytes()
    if path.endswith(".xlsx"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = b"".join(archive.read(name) for name in archive.namelist())
    return data.decode("utf-8")


def test_nothing_of_what_the_judge_said_is_in_the_bytes_of_page_and_workbook(reportgen, run):
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").read_text().splitlines()]
    words = {verdict["reply"]["explanation"] for verdict in verdicts if "reply" in verdict}
    reportgen("sample", "july", "--n", "60")
    reportgen("labels", "export", "july", "--out", "forms", "--labeller", "anna")
    scores = [json.loads(line) for line in (run / "scores.jsonl").read_text().splitlines()]
    exact = {score["score"] for score in scores if "." in score.get("score", "")}
    assert len(words) > 40
    assert len(exact) > 10
    for name in ("forms/labels-anna.html", "forms/labels-anna.xlsx"):
        # The id of the example run says that its verdicts are recorded ones.
        text = bytes_within(name).replace("example-verdicts", "")
        assert [word for word in words if word[:40] in text or json.dumps(word)[1:40] in text] == []
        evidence = " ".join((run / "turns.jsonl").read_text().split())
        assert [number for number in exact if number in text and number not in evidence] == []
        for key in ("explanation", "composite", "probability", "stratum", 'class="band', "verdict"):
            assert key not in text.rpartition("</style>")[2].rpartition("<script>")[0], key
        assert "recorded:" not in text


def test_each_labeller_has_the_same_turns_in_an_order_of_their_own(reportgen, sampled):
    orders = []
    for labeller in ("anna", "ben", "anna"):
        assert reportgen("labels", "export", "july", "--out", "f", "--labeller", labeller, "--force").code == 0
        book = openpyxl.load_workbook(f"f/labels-{labeller}.xlsx")
        orders.append([row[0] for row in book["labels"].iter_rows(min_row=2, values_only=True)])
    assert orders[0] == orders[2] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(turn.turn for turn in sample_of(sampled).turns)


def fill_workbook(path, labeller="anna", sort=False):
    """Fills the workbook in as a person would, and gives what was filled in by turn."""
    book = openpyxl.load_workbook(path)
    about = {row[0].value: row[1] for row in book["about"].iter_rows(max_col=2) if row[0].value}
    about["labeller"].value, about["date"].value = labeller, NOW.replace(tzinfo=None)
    sheet = book["labels"]
    rows = list(sheet.iter_rows(min_row=2))
    filled = {}
    for number, cells in enumerate(rows[:-1]):
        values = [number % 11, 10, 0, "N/A", "Poor", f"row {number}"]
        for cell, value in zip(cells[4:], values, strict=True):
            cell.value = value
        filled[cells[0].value] = (number % 11, f"row {number}")
    if sort:
        lines = [[cell.value for cell in cells] for cells in rows]
        for cells, line in zip(rows, reversed(lines), strict=True):
            for cell, value in zip(cells, line, strict=True):
                cell.value = value
    book.save(path)
    return filled


def test_a_workbook_is_read_back_by_turn_whatever_the_order_of_its_rows(reportgen, sampled):
    reportgen("labels", "export", "july", "--out", "f")
    filled = fill_workbook("f/labels.xlsx", sort=True)
    ended = reportgen("labels", "import", "july", "f/labels.xlsx")
    assert ended.out == "f/labels.xlsx: 29 labels by anna\n  1 rows are empty\n", ended.err
    (item,) = labels_of(sampled)
    found = {label.turn: (label.scores["intent-understood"], label.comment) for label in item.labels}
    assert found == filled
    assert {label.scores["answer-faithfulness"] for label in item.labels} == {None}
    assert {(label.band, str(label.dated)) for label in item.labels} == {("poor", "2026-08-01")}
    rows = {turn.id: turn for turn in open_records(sampled).turns()}
    assert all(label.content and label.turn in rows for label in item.labels)


def test_labels_of_many_people_in_a_table_are_joined_by_turn_and_listed(reportgen, sampled):
    one, other, *_ = (turn.turn for turn in sample_of(sampled).turns)
    write_csv(
        "l.csv", f"{other},ben,2026-08-02,3,4,poor,", f"{one},anna,2026-08-01,9,,,", f"{one},ben,2026-08-01,,8,,x"
    )
    assert reportgen("labels", "import", "july", "l.csv").code == 0
    ended = reportgen("labels", "list", "july")
    assert ended.out.splitlines() == [
        "anna  1 turns, 1 of the sample, 2026-08-01",
        "ben  2 turns, 2 of the sample, 2026-08-01 to 2026-08-02",
        "labelled: 2 turns, 1 by several people; 2 of 30 sampled turns",
    ]
    listed = json.loads(reportgen("labels", "list", "july", "--format", "json").out)
    assert [item["name"] for item in listed["labellers"]] == ["anna", "ben"]


def test_a_later_label_of_the_same_person_supersedes_and_nothing_is_lost(reportgen, sampled):
    turn = sample_of(sampled).turns[0].turn
    write_csv("a.csv", f"{turn},anna,2026-08-01,9,,,")
    write_csv("b.csv", f"{turn},anna,2026-08-02,2,,,", f"{turn},anna,2026-08-03,5,,,")
    assert reportgen("labels", "import", "july", "a.csv").code == 0
    ended = reportgen("labels", "import", "july", "b.csv")
    assert "2 earlier labels of the same labeller on the same turn no longer stand" in ended.out
    imports = labels_of(sampled)
    assert [len(item.labels) for item in imports] == [1, 2]
    (label,) = standing_labels(imports)
    assert label.scores == {"intent-understood": 5}
    again = reportgen("labels", "import", "july", "b.csv")
    assert "nothing new" in again.out
    assert len(labels_of(sampled)) == 2


def test_several_files_are_taken_over_together_or_not_at_all(reportgen, sampled):
    turn = sample_of(sampled).turns[0].turn
    write_csv("good.csv", f"{turn},anna,2026-08-01,9,,,")
    write_csv("bad.csv", f"{turn},ben,2026-08-01,11,,,")
    ended = reportgen("labels", "import", "july", "good.csv", "bad.csv")
    assert (ended.code, "bad.csv, row 2: intent-understood is '11'" in ended.err) == (1, True)
    assert labels_of(sampled) == []
    ended = reportgen("labels", "import", "july", "good.csv", "bad.csv", "--drop-off-scale")
    assert (ended.code, "no label on a turn" in ended.err) == (1, True)
    assert labels_of(sampled) == []


def test_not_applicable_may_be_another_word_and_off_scale_values_are_dropped_on_request(reportgen, sampled):
    one, other, *_ = (turn.turn for turn in sample_of(sampled).turns)
    head = "turn;answer-faithfulness;sql-quality"
    write_csv("l.csv", f"{one};0;12", f"{other};4;5", "t-none;4;5", head=head)
    ended = reportgen(
        *("labels", "import", "july", "l.csv", "--na", "0", "--drop-off-scale", "--labeller", "anna"),
        *("--date", "2026-08-01"),
    )
    assert ended.code == 0, ended.err
    (item,) = labels_of(sampled)
    assert [label.scores for label in item.labels] == [
        {"answer-faithfulness": None},
        {"answer-faithfulness": 4, "sql-quality": 5},
    ]
    assert (item.left_out.off_scale, item.left_out.unknown_turns) == ({"sql-quality": 1}, 1)


def make_saved(run, **changes):
    content = open_records(run).run
    turn = sample_of(run).turns[0].turn
    label = {"turn": turn, "scores": {"sql-quality": 4, "answer-faithfulness": None}, "band": None, "comment": " "}
    page = {
        "format": "reportgen/label-sheet/1",
        "run": "july",
        "seal": content.seal,
        "rubric": content.rubric.digest,
        "labeller": "anna",
        "date": "2026-08-01",
        "labels": [label],
    }
    Path("saved.json").write_text(json.dumps(page | changes))


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"seal": "0" * 64}, "labels of another run"),
        ({"rubric": "0" * 64}, "by another rubric"),
        ({"format": "reportgen/label-sheet/2"}, "is newer than this program"),
        ({"format": "reportgen/turn/1"}, "format: "),
        ({"labels": [{"turn": "t", "scores": {"a": "5"}}]}, "labels.0.scores"),
        ({"more": 1}, "there is no such key"),
        ({"date": "soon"}, "is not a day"),
        ({"labels": []}, "holds no label on a turn of the run"),
    ],
)
def test_a_saved_file_of_another_run_rubric_or_form_is_refused(reportgen, sampled, changes, what):
    make_saved(sampled, **changes)
    ended = reportgen("labels", "import", "july", "saved.json")
    assert (ended.code, what in ended.err) == (1, True), ended.err
    assert ended.err.startswith("error[labels]: saved.json")
    assert labels_of(sampled) == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xlsx", b"no archive"),
        ("a.csv", b"turn,date\n\xff\xfe,x\n"),
        ("b.csv", b"id,band\nt,good\n"),
        ("c.csv", b"turn,band,band\nt,good,poor\n"),
        ("d.csv", b"turn,band\nt,good,poor\n"),
        ("a.json", b"[" * 100_000),
        ("a.txt", b""),
        ("none.csv", None),
    ],
)
def test_a_file_that_is_none_of_labels_is_refused_in_words(reportgen, sampled, name, data):
    if data is not None:
        Path(name).write_bytes(data)
    ended = reportgen("labels", "import", "july", name)
    assert (ended.code, ended.err.startswith("error[labels]")) == (1, True), ended.err


def test_a_workbook_without_its_sheets_or_of_too_many_rows_is_refused(reportgen, sampled):
    book = openpyxl.Workbook()
    book.save("a.xlsx")
    assert "has no sheet 'labels'" in reportgen("labels", "import", "july", "a.xlsx").err
    with zipfile.ZipFile("b.xlsx", "w") as archive:
        archive.writestr("x", "y")
    assert "cannot be read as a workbook" in reportgen("labels", "import", "july", "b.xlsx").err
    book.active.title = "labels"
    book.active.cell(300_000, 1, "t")
    book.active["A1"] = "turn"
    book.save("c.xlsx")
    assert "more than 200,000 rows" in reportgen("labels", "import", "july", "c.xlsx").err


SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)


def write_bomb(path, rows="", sheets=1, junk=0):
    """A workbook of little size; `sheets` all show the one sheet of labels, `junk` bytes of nothing lie beside it."""
    book = openpyxl.Workbook()
    book.active.title = "labels"
    book.active["A1"] = "turn"
    book.save("plain.xlsx")
    with zipfile.ZipFile("plain.xlsx") as plain, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in plain.namelist():
            data = plain.read(name)
            if name == "xl/worksheets/sheet1.xml" and rows:
                data = SHEET.format(rows).encode()
            if name == "xl/workbook.xml":
                one = data[data.index(b"<sheet ") : data.index(b"</sheets>")]
                more = b"".join(one.replace(b'"labels"', b'"s%d"' % number) for number in range(sheets - 1))
                data = data.replace(one, one + more)
            archive.writestr(name, data)
        archive.writestr("junk", bytes(junk))
    return path


def test_a_small_workbook_that_becomes_large_is_refused_before_it_does(reportgen, sampled):
    write_bomb("many.xlsx", junk=20_000_000)
    assert Path("many.xlsx").stat().st_size < 50_000
    assert "unpacks to 20," in reportgen("labels", "import", "july", "many.xlsx").err
    row = '<row><c r="A{0}" t="str"><v>turn</v></c><c r="XFD{0}" t="str"><v>x</v></c></row>'
    write_bomb("wide.xlsx", row.format(1))
    assert "has no column turn" not in reportgen("labels", "import", "july", "wide.xlsx").err
    inside = "".join(f'<c t="str"><v>c{number}</v></c>' for number in range(300))
    write_bomb("full.xlsx", f"<row>{inside}</row>")
    assert "has more than 200 columns" in reportgen("labels", "import", "july", "full.xlsx").err


def test_of_a_workbook_no_sheet_is_read_but_the_two_that_are_needed(sampled, monkeypatch):
    from reportgen.labelling import workbook

    read = []
    monkeypatch.setattr(workbook, "_read_sheet", lambda sheet: read.append(sheet.title) or [["turn"]])
    workbook.read_workbook(Path(write_bomb("sheets.xlsx", sheets=50)).read_bytes(), "sheets.xlsx")
    assert read == ["labels"]
    with pytest.raises(LabelError, match="more than 50 sheets"):
        workbook.read_workbook(Path(write_bomb("sheets.xlsx", sheets=51)).read_bytes(), "sheets.xlsx")


def test_a_run_for_other_readers_is_not_labelled(reportgen, sampled):
    Path("key").write_text("5a" * 32)
    client = "Aktaia Seaways"
    assert reportgen("derive", "july", "--client", client, "--key", "key", "--run-id", "ours").code == 0
    write_csv("l.csv", "t,anna,2026-08-01,9,,,")
    for command in (("sample", "ours", "--n", "5"), ("labels", "export", "ours", "--out", "f")):
        assert "was derived for other readers" in reportgen(*command).err
    assert "was derived for other readers" in reportgen("labels", "import", "ours", "l.csv").err
    assert not Path("runs/ours/annexes").exists()


def test_a_run_without_a_sample_is_not_exported(reportgen, run):
    assert "`reportgen sample july" not in reportgen("labels", "export", "july", "--out", "f").out
    assert "--n 60" in reportgen("labels", "export", "july", "--out", "f").err


def test_an_erasure_takes_comments_digests_and_label_values_and_leaves_what_was_given(reportgen, sampled):
    assert reportgen("sample", "july", "--n", "65", "--strata", "topic").code == 0
    drawn = {turn.turn for turn in sample_of(sampled).turns}
    topics = {turn.id: turn.labels["topic"] for turn in open_records(sampled).turns() if turn.id in drawn}
    one = next(turn for turn, topic in topics.items() if list(topics.values()).count(topic) == 1)
    other = next(turn for turn, topic in topics.items() if topic == "passengers")
    write_csv("l.csv", f"{one},anna,2026-08-01,9,,,secret words", f"{other},anna,2026-08-01,8,,,kept words")
    reportgen("labels", "import", "july", "l.csv")
    assert topics[one] in (sampled / "annexes/calibration-samples.jsonl").read_text()
    assert reportgen("erase", "july", one, "--reason", "asked", "--label", "topic").code == 0
    annexes = "".join(path.read_text() for path in sorted((sampled / "annexes").iterdir()))
    assert "secret words" not in annexes
    assert topics[one] not in annexes
    assert "passengers" in annexes
    first, second = sorted(labels_of(sampled)[0].labels, key=lambda label: label.turn != one)
    assert (first.scores, first.content) == ({"intent-understood": 9}, None)
    assert (second.comment, bool(second.content)) == ("kept words", True)
    again = json.loads(reportgen("sample", "july", "--n", "65", "--format", "json").out)
    assert again["erased"] == 1
    assert one not in {turn["turn"] for turn in again["turns"]}
    assert reportgen("labels", "list", "july").code == 0
    assert reportgen("labels", "export", "july", "--out", "f").code == 0
    assert reportgen("verify", sampled).code == 0
    assert reportgen("labels", "import", "july", "l.csv").code == 0
    assert "secret words" not in "".join(path.read_text() for path in (sampled / "annexes").iterdir())


def test_hostile_turns_are_inert_in_the_workbook_and_found_again_by_their_ids(tmp_path):
    cases = make_hostile_cases()[:3]
    form = LabellingForm(make_report(cases).run, tuple(turn for turn, _ in cases), "=cmd|' /C calc'!A0", NOW)
    file = io.BytesIO()
    write_labelling_workbook(form, file)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert not any(b"<f>" in part or b"hyperlink" in part for part in parts.values())
    assert not any("externalLink" in name or "vba" in name for name in parts)
    book = openpyxl.load_workbook(file)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert {cell.data_type for cell in cells} == {"s"}
    known = name_turns([turn.id for turn, _ in cases])
    ids = [row[0] for row in book["labels"].iter_rows(min_row=2, values_only=True)]
    assert [known[name] for name in ids] == [turn.id for turn, _ in cases]


def test_a_name_that_could_stand_for_two_turns_stands_for_none():
    assert name_turns(["a ", "a  "]).get("a") is None
    assert name_turns(["a ", "a"])["a"] == "a"
    assert name_turns(["=a"])["'=a"] == "=a"


def test_the_same_form_gives_the_same_page(sampled):
    turns = tuple(open_records(sampled).turns())[:3]
    form = LabellingForm(open_records(sampled).run, turns, "anna", NOW)
    assert "".join(render_page(form, PLAIN)) == "".join(render_page(form, PLAIN))
