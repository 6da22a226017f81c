"""A PDF alone can be verified: what is forged on its pages or in the data that it carries is named."""

import json
import zlib
from datetime import UTC, datetime
from io import BytesIO

import pikepdf
import pytest

from reportgen.errors import RunError
from reportgen.model.revision import Correction, Notes
from reportgen.pipeline import verify_pdf
from reportgen.pipeline.correcting import withdraw_report
from reportgen.pipeline.publish import ReportOrder, publish_report
from reportgen.pipeline.revising import Terms
from reportgen.pipeline.verify_pdf import check_pages, open_pdf
from reportgen.publishing.paper import pdf_contents
from reportgen.publishing.paper.children import Limits
from reportgen.publishing.paper.pdf_contents import DATA, PAGES, compare_pages, read_pages
from reportgen.verification import check_records
from tests.example_runs import judge_example

MOMENT = datetime(2026, 8, 1, 6, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The PDF of three turns."""
    out = tmp_path_factory.mktemp("three")
    folder = judge_example(out / "runs", MOMENT, limit=3)
    publish_report(folder, ReportOrder(("pdf",), "Three turns", out, terms=Terms(MOMENT)), MOMENT)
    return out / "report.pdf"


@pytest.fixture
def copy(published, tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(published.read_bytes())
    return path


@pytest.fixture
def as_published(published, monkeypatch):
    """Setting the pages again gives the PDF as it was published, without the time that it takes."""
    monkeypatch.setattr(verify_pdf, "_set_again", lambda data: published.read_bytes())


def test_notes_a_correction_and_a_withdrawal_are_on_pages_that_are_verified(published, tmp_path):
    run = published.parent / "runs" / "judged"
    notes = Notes(text="The **outage** of 3 July is in here.", signed="A. Müller", dated=MOMENT)
    correction = Correction(supersedes=1, changed="A turn was judged again.", reason="Its rows were cut off.")
    order = ReportOrder(("pdf",), "Three turns", tmp_path, terms=Terms(MOMENT, notes, correction))
    publish_report(run, order, MOMENT)
    withdraw_report(run, 2, "The capture lacked a week.", MOMENT)
    publish_report(run, order := ReportOrder(("pdf",), "Three turns", tmp_path), MOMENT)
    assert not order.as_published
    path = tmp_path / "report.pdf"
    text = " ".join(" ".join(page.split()) for page in read_pages(path.read_bytes(), path.read_bytes())[0])
    for said in (
        "WITHDRAWN",
        "lacked a week",
        "corrects revision 1",
        "The outage of 3 July",
        "A. Müller, 1 August 2026",
    ):
        assert said in text
    differences, pages = check(path)
    assert (differences, pages.differences, pages.is_whole) == ([], (), True)


def check(path):
    data = open_pdf(path)
    return [str(item) for item in check_records(data.records)], check_pages(path, data)


def change(path, edit):
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        edit(pdf)
        pdf.save(path)


def forge_figure(pdf, number, old, new):
    """Draws another digit in place of the first such digit on a page."""
    sheet = pdf.pages[number - 1]
    fonts = {name: _letters(font) for name, font in sheet.obj.Resources.Font.items()}
    forged, font, is_done = [], None, False
    for operands, operator in pikepdf.parse_content_stream(sheet):
        if str(operator) == "Tf":
            font = fonts[str(operands[0])]
        if str(operator) == "TJ" and not is_done and old in font and new in font:
            items = [_swap(item, font[old], font[new]) for item in operands[0]]
            is_done = items != list(operands[0])
            forged.append(([pikepdf.Array(items)], operator))
        else:
            forged.append((operands, operator))
    assert is_done
    sheet.Contents = pdf.make_stream(pikepdf.unparse_content_stream(forged))


def _letters(font):
    lines = font.ToUnicode.read_bytes().decode().splitlines()
    pairs = [line.replace("<", "").replace(">", "").split() for line in lines if line.count("<") == 2]
    return {bytes.fromhex(pair[1]).decode("utf-16-be"): bytes.fromhex(pair[0]) for pair in pairs if len(pair[0]) == 4}


def _swap(item, old, new):
    if not isinstance(item, pikepdf.String):
        return item
    data = bytes(item)
    glyphs = [data[at : at + 2] for at in range(0, len(data), 2)]
    if old not in glyphs:
        return item
    glyphs[glyphs.index(old)] = new
    return pikepdf.String(b"".join(glyphs))


def test_the_pdf_as_published_is_byte_for_byte_what_follows_from_its_data(published):
    differences, pages = check(published)
    assert differences == []
    assert pages.differences == ()
    assert pages.account == "the pages are, byte for byte, those that follow from the data"


def test_a_page_of_a_million_figures_is_not_aligned_but_named():
    begins = "1 of 2, 81.2 and "
    (found,) = compare_pages([begins + "7 8 " * 500_000], [begins + "7 7 " * 500_000])
    assert (found.page, found.stated, found.found) == (1, "8 7 8 …", "7 7 7 …")


def put_note_over(pdf):
    note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FreeText, Rect=[60, 300, 360, 420])
    pdf.pages[0].obj.Annots = pdf.make_indirect(pikepdf.Array([pdf.make_indirect(note)]))


def put_script_in(pdf):
    script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)"))
    pdf.Root.OpenAction = script


def put_link_out_of_it(pdf):
    action = pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("http://evil.example"))
    link = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 9, 9], A=action)
    pdf.pages[1].obj.Annots = pdf.make_indirect(pikepdf.Array([pdf.make_indirect(link)]))


def put_file_in(pdf):
    pdf.attachments["invoice.exe"] = b"MZ"


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (put_note_over, "page 1 has something put over it, /FreeText"),
        (put_script_in, "the PDF holds OpenAction"),
        (put_link_out_of_it, "page 2 has something put over it, /Link"),
        (put_file_in, "the PDF carries the file 'invoice.exe'"),
    ],
)
@pytest.mark.parametrize("engine", [None, "weasyprint 99"])
def test_what_no_report_holds_is_named_whatever_engine_the_pdf_claims(copy, as_published, edit, says, engine):
    def forge(pdf):
        edit(pdf)
        if engine:
            pdf.docinfo["/Producer"] = engine

    change(copy, forge)
    differences, pages = check(copy)
    assert differences == []
    assert any(str(item).startswith(says) for item in pages.differences), pages


@pytest.mark.parametrize("info", [5, "odd"])
def test_odd_document_information_is_no_bug(copy, as_published, info):
    change(copy, lambda pdf: pdf.docinfo.__setitem__("/Producer", info))
    pages = check(copy)[1]
    assert "by their figures alone" in pages.account
    assert not pages.is_whole


def test_pages_that_stall_or_crash_a_reader_are_an_error_in_words(published):
    with pytest.raises(RunError, match="The pages of the PDF cannot be read"):
        read_pages(b"%PDF-1.7 and nothing more")
    with pytest.raises(RunError, match="The pages of the PDF cannot be read"):
        read_pages(published.read_bytes(), limits=Limits(seconds=0, memory=2 * 1024**3))


def test_the_headline_figure_forged_on_the_cover_is_named_with_its_page_and_both_values(copy, as_published):
    cover = read_pages(copy.read_bytes())[0][0]
    mean = next(line for line in cover.split() if line.replace(".", "").isdigit() and "." in line)
    other = str((int(mean[0]) + 1) % 10)
    change(copy, lambda pdf: forge_figure(pdf, 1, mean[0], other))
    differences, pages = check(copy)
    assert differences == []
    assert any(str(item).startswith("page 1: states ") for item in pages.differences)
    assert any(mean[0] in str(item) and other in str(item) for item in pages.differences)


def test_a_figure_forged_on_any_page_is_named(copy, as_published):
    last = len(read_pages(copy.read_bytes())[0])
    change(copy, lambda pdf: forge_figure(pdf, last, "1", "7"))
    _, pages = check(copy)
    assert [item.place for item in pages.differences] == [f"page {last}"]


def test_what_is_drawn_over_a_page_is_noticed_although_its_text_is_right(copy, as_published):
    change(copy, lambda pdf: pdf.pages[0].contents_add(b"1 1 1 rg 0 0 300 300 re f"))
    _, pages = check(copy)
    assert [str(item) for item in pages.differences] == [
        "the PDF holds the text that follows, but is not drawn or bound as it follows"
    ]


def test_a_page_that_was_taken_out_is_noticed(copy, as_published):
    def take_out(pdf):
        del pdf.pages[2]

    change(copy, take_out)
    _, pages = check(copy)
    assert any("pages" in str(item) for item in pages.differences)


def replace_attachment(pdf, name, edit):
    content = json.loads(pdf.attachments[name].get_file().read_bytes())
    edit(content)
    data = json.dumps(content).encode()
    pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, data, filename=name)


def test_a_score_forged_in_the_data_is_named_there_and_by_the_pages_that_do_not_say_it(copy):
    def forge(report):
        report["scores"][0]["score"] = "12.5"

    change(copy, lambda pdf: replace_attachment(pdf, DATA, forge))
    differences, pages = check(copy)
    assert any("scores.jsonl:1" in item and "12.5" in item for item in differences)
    assert any("12.5" in str(item) for item in pages.differences)


def test_pages_of_another_version_of_the_program_are_said_not_to_have_been_compared(copy):
    change(copy, lambda pdf: replace_attachment(pdf, PAGES, lambda pages: pages.update(program="reportgen 99.0")))
    differences, pages = check(copy)
    assert differences == []
    assert pages.account.startswith("the pages were not compared: reportgen 99.0 made them, and this is reportgen ")
    assert not pages.is_whole


def test_pages_that_another_engine_set_are_compared_by_their_figures(copy, as_published):
    def edit(pdf):
        pdf.docinfo.Producer = "Another engine 1.0"
        forge_figure(pdf, 1, "6", "9")

    change(copy, edit)
    _, pages = check(copy)
    assert "by what is drawn over them: Another engine 1.0 set them" in pages.account
    assert pages.differences[0].place == "page 1"


@pytest.mark.parametrize("content", [b"%PDF-1.7 nothing", b"", b"%PDF-1.7\n" + b"\x00" * 2000])
def test_what_is_no_pdf_is_an_error(tmp_path, content):
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    with pytest.raises(RunError, match="cannot be read as a PDF"):
        open_pdf(path)


def test_an_attachment_that_unpacks_to_too_much_is_not_unpacked(copy, monkeypatch):
    monkeypatch.setattr(pdf_contents, "_MOST", 1_000_000)

    def swell(pdf):
        bomb = pikepdf.Stream(pdf, zlib.compress(bytes(50_000_000), 9), Filter=pikepdf.Name.FlateDecode)
        pdf.attachments[DATA].obj.EF = pikepdf.Dictionary(F=bomb, UF=bomb)

    change(copy, swell)
    with pytest.raises(RunError, match=r"report\.json is damaged, or larger than"):
        open_pdf(copy)


def test_a_pdf_without_data_is_an_error(tmp_path):
    pdf = pikepdf.new()
    pdf.add_blank_page()
    made = BytesIO()
    pdf.save(made)
    path = tmp_path / "other.pdf"
    path.write_bytes(made.getvalue())
    with pytest.raises(RunError, match="carries no data of a report"):
        open_pdf(path)


def test_the_command_names_differences_and_ends_with_its_code(reportgen, copy, published, as_published):
    ended = reportgen("verify", published)
    assert ended.code == 0
    assert "pages  the pages are, byte for byte" in ended.out
    assert "stated by the publisher: the title, 'Three turns', and name, logo and footer" in ended.out
    change(copy, lambda pdf: forge_figure(pdf, 1, "6", "9"))
    ended = reportgen("verify", copy)
    assert ended.code == 4
    assert "DIFFERENT  page 1: states " in ended.out
