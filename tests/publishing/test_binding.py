"""The bound PDF: archivable, accessible, whole, and the same each time."""

import subprocess
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import page
import pikepdf
import pytest

from reportgen.errors import RenderError
from reportgen.publishing.paper.bound_parts import ELSEWHERE
from reportgen.publishing.paper.children import Child, Limits, run_children
from reportgen.publishing.paper.documents import render_front, render_part
from reportgen.publishing.paper.pdf import Attachment, Binding, bind_pdf
from reportgen.publishing.paper.pdf_bytes import mend_streams
from reportgen.publishing.paper.press import plan_volumes
from reportgen.publishing.text import turn_anchor
from tests.publishing.conftest import make_failure, make_report, make_turn, make_verdict
from tests.publishing.hostile import make_hostile_cases
from tests.publishing.metric_cases import make_metric_cases, make_metric_report

MOMENT = datetime(2026, 7, 20, 9, 30, tzinfo=UTC)
DATA = b'{"figures":[1,2,3]}\n'


def bind(report, sizes):
    """The PDF of a report whose turns are set in parts of these sizes."""
    apart = replace(report, href=lambda turn: f"{ELSEWHERE}{turn_anchor(turn)}")
    entries, parts, start = list(apart.turns()), [render_front(apart)], 0
    for size in sizes:
        parts.append(render_part(apart, entries[start : start + size]))
        start += size
    outcomes = []
    attached = [Attachment("report.json", "The data", [DATA[:5], DATA[5:]], "Source")]
    data = bind_pdf(parts, Binding(attached, MOMENT, "Turn by turn"), outcomes.append)
    return data, outcomes[0]


@pytest.fixture(scope="module")
def bound(tmp_path_factory):
    from tests.publishing import conftest

    cases = conftest.cases.__wrapped__()
    return bind(make_report(cases), (5, 7))


@pytest.fixture(scope="module")
def hostile():
    return bind(make_report(make_hostile_cases()), (9,))


@pytest.fixture
def pdf(bound):
    with pikepdf.open(BytesIO(bound[0])) as opened:
        yield opened


@pytest.mark.parametrize("profile", ["3a", "ua1"])
@pytest.mark.parametrize("which", ["bound", "hostile"])
def test_the_pdf_is_archivable_and_accessible(which, profile, request, tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(request.getfixturevalue(which)[0])
    found = page.validate_pdf(str(path), profile=profile)
    assert found.is_compliant, [(failure.rule_id, failure.message) for failure in found.failures]


@pytest.mark.parametrize("which", ["bound", "hostile"])
def test_the_pdf_is_without_fault_to_qpdf(which, request, tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(request.getfixturevalue(which)[0])
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No syntax or stream encoding errors found" in done.stdout


@pytest.mark.parametrize("kind", ["no turn", "one turn", "all unscored", "metrics"])
def test_odd_runs_become_a_pdf_that_conforms(kind, tmp_path):
    turns = [make_turn(number) for number in range(1, 4)]
    cases = {
        "no turn": [],
        "one turn": [(turns[0], make_verdict(turns[0]))],
        "all unscored": [(turn, make_failure(turn)) for turn in turns],
    }
    report = make_metric_report(make_metric_cases()[17:22]) if kind == "metrics" else make_report(cases[kind])
    (volume,) = plan_volumes(report, all_turns=False, attached="report.json")
    path = tmp_path / "report.pdf"
    path.write_bytes(bind_pdf(volume.parts(), Binding()))
    assert page.validate_pdf(str(path), profile="3a").is_compliant
    assert page.validate_pdf(str(path), profile="ua1").is_compliant


def test_binding_the_same_parts_again_gives_the_same_bytes(bound, report):
    assert bind(report, (5, 7))[0] == bound[0]


def test_the_pdf_says_its_title_and_language_and_that_it_conforms(pdf):
    assert str(pdf.docinfo.Title) == "Answer quality report: Harbour Lines"
    assert str(pdf.Root.Lang) == "en"
    assert pdf.Root.ViewerPreferences.DisplayDocTitle
    metadata = pdf.Root.Metadata.read_raw_bytes()
    for claim in (b'pdfaid:part="3"', b'pdfaid:conformance="A"', b'pdfuaid:part="1"'):
        assert claim in metadata


def test_the_bookmarks_of_all_turns_stand_under_the_one_of_their_chapter(pdf):
    with pdf.open_outline() as outline:
        titles = {entry.title: [child.title for child in entry.children] for entry in outline.root}
    chapter = next(title for title in titles if title.endswith("Turn by turn"))
    assert [title.split()[1] for title in titles[chapter]] == [str(number) for number in range(1, 13)]
    assert any(title.endswith("Summary") for title in titles)
    assert not any(title.startswith("Turn 1") for title in titles)


def test_every_link_leads_to_a_place_in_the_pdf(pdf):
    anchors = set(map(str, pdf.Root.Names.Dests.Names[::2]))
    annotations = [item for sheet in pdf.pages for item in sheet.obj.get("/Annots", ())]
    targets = {str(item.Dest) for item in annotations}
    assert all("/A" not in item for item in annotations)
    assert targets <= anchors
    assert {turn_anchor(f"turn-{number}") for number in range(1, 13)} <= targets


def shown_at_the_foot(sheet):
    """The hexadecimal glyphs of the page number."""
    return [
        bytes(operands[0])
        for operands, operator in pikepdf.parse_content_stream(sheet)
        if str(operator) == "Tj" and isinstance(operands[0], pikepdf.String)
    ][-1]


def test_page_numbers_go_on_from_part_to_part(pdf):
    font = pdf.pages[1].obj.Resources.Font["/PageNumbers"]
    lines = font.ToUnicode.read_bytes().decode().partition("beginbfchar\n")[2].partition("\nendbfchar")[0].splitlines()
    letters = {int(line[1:5], 16): chr(int(line[8:12], 16)) for line in lines}
    total = len(pdf.pages)
    for number, sheet in enumerate(list(pdf.pages)[1:], start=2):
        glyphs = shown_at_the_foot(sheet)
        codes = [int.from_bytes(glyphs[place : place + 2]) for place in range(0, len(glyphs), 2)]
        assert "".join(letters[code] for code in codes) == f"{number} of {total}"


def test_running_heads_and_page_numbers_are_not_part_of_the_text_that_is_read_aloud(pdf):
    artifacts = [
        operands[1]
        for operands, operator in pikepdf.parse_content_stream(pdf.pages[3])
        if str(operator) == "BDC" and str(operands[0]) == "/Artifact"
    ]
    assert len(artifacts) >= 4
    assert all(item.Type == pikepdf.Name.Pagination for item in artifacts)


def test_each_mark_on_a_page_belongs_to_an_element_of_the_document(pdf):
    numbers = pdf.Root.StructTreeRoot.ParentTree.Nums
    places = {int(numbers[at]): numbers[at + 1] for at in range(0, len(numbers), 2)}
    for sheet in pdf.pages:
        marks = [
            int(operands[1].MCID)
            for operands, operator in pikepdf.parse_content_stream(sheet)
            if str(operator) == "BDC" and "/MCID" in operands[1]
        ]
        elements = places[int(sheet.obj.StructParents)]
        for mark in marks:
            assert mark in [kid for kid in elements[mark].K if isinstance(kid, int)]


def test_a_drawing_without_a_title_adorns_and_is_not_announced(tmp_path):
    drawing = "<svg viewBox='0 0 9 9' width=9 height=9 aria-hidden=true><rect width=9 height=9></rect></svg>"
    titled = drawing.replace("<rect", "<title>A bar of 9</title><rect")
    path = tmp_path / "drawn.pdf"
    path.write_bytes(bind_pdf([f"<html lang=en><title>t</title><p>x {drawing} y {titled}"], Binding()))
    assert page.validate_pdf(str(path), profile="ua1").is_compliant
    with pikepdf.open(path) as pdf:
        figures = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and item.get("/S") == "/Figure"]
        assert [str(figure.Alt) for figure in figures] == ["A bar of 9"]


def test_names_of_table_cells_are_unique_in_the_whole_pdf(pdf):
    names = [
        str(item.ID) for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/ID" in item and "/S" in item
    ]
    assert len(names) > 50
    assert len(names) == len(set(names))


def test_the_attachment_is_whole_and_bears_the_date_of_the_report(pdf):
    spec = pdf.attachments["report.json"]
    assert spec.get_file().read_bytes() == DATA
    assert spec.obj.AFRelationship == pikepdf.Name.Source
    assert str(spec.obj.EF.F.Params.ModDate) == str(spec.obj.EF.F.Params.CreationDate) == "D:20260720093000Z"
    assert [item.objgen for item in pdf.Root.AF] == [spec.obj.objgen]


def test_a_link_that_leads_nowhere_is_an_error():
    html = f"<html lang=en><title>t</title><p><a href='{ELSEWHERE}x'>x</a>"
    with pytest.raises(RenderError, match="leads to 'x', which is nowhere"):
        bind_pdf([html], Binding())


def test_a_part_that_fails_is_an_error_and_ends_the_others(tmp_path):
    slow = tmp_path / "slow.html"
    slow.write_text("<p>x" * 20_000)
    jobs = [
        {"page": str(page), "made": str(tmp_path / "made"), "name": "x"} for page in (slow, tmp_path / "none", slow)
    ]
    began = time.monotonic()
    with pytest.raises(RenderError, match="engine failed: FileNotFoundError"):
        run_children([Child("pdf_engine", job) for job in jobs], tmp_path, Limits())
    assert time.monotonic() - began < 15
    assert not (tmp_path / "made").exists()


def test_answers_come_in_the_order_of_the_jobs_although_the_longest_begins_first(tmp_path):
    jobs = []
    for pages in (1, 2, 3, 4):
        pdf = pikepdf.new()
        for _ in range(pages):
            pdf.add_blank_page()
        pdf.save(tmp_path / f"{pages}.pdf")
        jobs.append(Child("page_reader", {"pdf": str(tmp_path / f"{pages}.pdf")}, work=pages))
    assert [len(pages) for pages in run_children(jobs, tmp_path, Limits())] == [1, 2, 3, 4]


def test_no_job_is_no_answer(tmp_path):
    assert run_children([], tmp_path, Limits()) == []


def test_no_data_of_a_stream_ends_in_a_carriage_return_and_the_pdf_reads_as_before():
    pdf = pikepdf.new()
    unlucky = next(text for text in map(b"%d".__mod__, range(99_999)) if zlib.compress(text).endswith(b"\r"))
    for place in range(300):
        sheet = pdf.add_blank_page()
        sheet.obj.Note = f"{place} " * 40
        packed = zlib.compress(unlucky if place % 7 == 0 else b"%d" % place)
        sheet.Contents = pikepdf.Stream(pdf, packed, Filter=pikepdf.Name.FlateDecode)
    plain = BytesIO()
    pdf.save(plain, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    data = plain.getvalue()
    assert b"\r\nendstream" in data
    mended = mend_streams(data)
    with pikepdf.open(BytesIO(mended)) as again:
        assert again.check_pdf_syntax() == []
        assert [item.Contents.read_bytes() for item in again.pages] == [
            item.Contents.read_bytes() for item in pdf.pages
        ]
        for item in again.objects:
            assert not isinstance(item, pikepdf.Stream) or not item.read_raw_bytes().endswith(b"\r")
