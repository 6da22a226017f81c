"""Brand and templates of the publisher's own: what they change, what they must not, and what is refused."""

import re
import struct
import zlib
from base64 import b64decode
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from reportgen.config import BrandConfig, ReportConfig
from reportgen.errors import ConfigError, RenderError
from reportgen.publishing.browser.html import render_html
from reportgen.publishing.look.colours import NIGHT, NIGHT_WASH, PAPER, WASH, contrast
from reportgen.publishing.look.logo import MOST_BYTES, read_logo
from reportgen.publishing.look.look import read_look
from reportgen.publishing.look.overrides import read_overrides
from reportgen.publishing.paper.documents import render_front
from reportgen.resources import resource
from tests.publishing.pages import read_page, render_pdf

SHAPES = '<circle cx="5" cy="5" r="4" style="fill:#0b6e4f"/>'


def make_svg(inside=SHAPES, attributes=""):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" {attributes}>{inside}</svg>'


def make_png(width=2, height=2):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + b"\x00\x80\x00" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture
def write(tmp_path):
    """Writes a file, and gives its path."""

    def write_file(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def dress(report, brand=None, templates=None):
    config = ReportConfig(brand=BrandConfig(**(brand or {})))
    return replace(report, look=read_look(config, templates))


def test_name_logo_and_footer_of_the_publisher_stand_in_the_page(write, report):
    brand = {"name": "Tide & Co", "logo": str(write("logo.svg", make_svg())), "footer": "In confidence"}
    html = "".join(render_html(dress(report, brand)))
    page = read_page([html])
    (image,) = [attrs for tag, attrs in page.tags if tag == "img"]
    assert image["alt"] == "Tide & Co"
    assert image["src"].startswith("data:image/svg+xml;base64,")
    assert "In confidence" in page.all_text
    assert "img-src data:;" in html
    assert "img-src" not in "".join(render_html(report))


@pytest.mark.parametrize(("file", "make"), [("logo.svg", make_svg), ("logo.png", make_png)])
def test_a_logo_is_drawn_on_paper_and_nothing_is_fetched(write, report, file, make):
    brand = {"name": "Tide", "logo": str(write(file, make()))}
    outcomes = []
    pdf = render_pdf(render_front(dress(report, brand), ["cover", "summary"]), on_outcome=outcomes.append)
    assert outcomes[0].blocked == 0
    assert b"/XObject" in pdf


@pytest.mark.parametrize(
    ("inside", "what"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ("<foreignObject/>", "<foreignObject>"),
        ('<image href="http://a.example/x.png"/>', "<image>"),
        ('<use href="#a"/>', "<use>"),
        ("<text>Tide</text>", "<text>"),
        ('<path onload="alert(1)"/>', "'onload'"),
        ('<path d="M0 0" fill="url(http://a.example/x)"/>', "'fill'"),
        ('<path style="fill:url( &quot;//a.example&quot; )"/>', "'style'"),
        ('<path xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="javascript:1"/>', "href'"),
        ("<style>@import 'http://a.example'</style>", "a style that refers"),
        ('<clipPath id="a"><path clip-path="url(#b)"/></clipPath>', "a clipping path inside another"),
        ("<g/>" * 5_001, "more than 5,000 elements"),
        ("<g>", "not well-formed"),
    ],
)
def test_a_logo_that_could_act_or_swell_is_refused_by_name(write, inside, what):
    with pytest.raises(ConfigError, match=re.escape(what)):
        read_logo(write("logo.svg", make_svg(inside)))


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("logo.svg", "<!DOCTYPE svg [<!ENTITY a 'b'>]>" + make_svg(), "document type"),
        ("logo.svg", "<svg/>", "namespace"),
        ("logo.svg", make_svg().encode("utf-16"), "document type|not well-formed"),
        ("logo.gif", b"GIF89a", "neither a PNG"),
        ("logo.png", make_png()[:20], "no PNG of at most"),
        ("logo.png", make_png(2, 2)[:16] + struct.pack(">II", 70_000, 70_000) + make_png()[24:], "no PNG of at most"),
        ("logo.svg", b" " * (MOST_BYTES + 1), "more than 256 KiB"),
    ],
)
def test_a_file_that_is_no_small_picture_is_refused(write, name, content, what):
    with pytest.raises(ConfigError, match=what):
        read_logo(write(name, content))


def test_a_missing_logo_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.png cannot be read"):
        read_logo(tmp_path / "absent.png")


def test_what_drawing_programs_leave_in_a_logo_is_taken_out(write):
    inside = f'<metadata><x/></metadata><i:note xmlns:i="urn:notes">hidden</i:note>{SHAPES}'
    address = read_logo(write("logo.svg", make_svg(inside, 'xmlns:j="urn:more" j:version="1"')))
    root = ET.fromstring(b64decode(address.partition(",")[2]))
    assert [element.tag.rpartition("}")[2] for element in root.iter()] == ["svg", "circle"]
    assert b"hidden" not in ET.tostring(root)
    assert set(root.attrib) == {"viewBox"}


def test_a_logo_without_a_name_is_refused_since_nobody_could_read_it_aloud(write):
    with pytest.raises(ConfigError, match=r"without report\.brand\.name"):
        read_look(ReportConfig(brand=BrandConfig(logo="logo.svg")))


@pytest.mark.parametrize("accent", ["#0b6e4f", "#5a0000", "#000000", "#6b3fa0"])
def test_a_colour_of_the_publisher_can_be_read_in_the_light_and_in_the_dark(accent):
    style = read_look(ReportConfig(brand=BrandConfig(accent=accent))).brand.style
    light, dark = re.findall(r"--accent: (#[0-9a-f]{6})", style)
    assert light == accent
    assert min(contrast(light, PAPER), contrast(light, WASH)) >= 4.5
    assert min(contrast(dark, NIGHT), contrast(dark, NIGHT_WASH)) >= 4.5
    cover, letters = re.search(r"--brand: (#\w+); --on-brand: (#\w+)", style).groups()
    assert contrast(cover, letters) >= 4.5


def test_a_colour_that_could_not_be_read_is_refused_with_one_that_can():
    with pytest.raises(ConfigError, match=r"contrast of 1\.\d to the page") as refused:
        read_look(ReportConfig(brand=BrandConfig(accent="#ffcc4d")))
    offered = re.search(r"is (#[0-9a-f]{6})", refused.value.fix)[1]
    assert contrast(offered, WASH) >= 4.5
    assert read_look(ReportConfig(brand=BrandConfig(accent=offered, cover="#ffcc4d"))).brand.style


def test_the_style_sheets_have_the_grounds_on_which_colours_are_held():
    styles = "".join(path.read_text("utf-8") for path in (resource("templates") / "style").glob("*.css"))
    for name, grounds in (("paper", {PAPER, NIGHT}), ("wash", {WASH, NIGHT_WASH})):
        assert set(re.findall(rf"--{name}: (#[0-9a-f]{{6}});", styles)) == grounds


def test_every_colour_of_text_can_be_read_on_its_ground():
    styles = {path.stem: path.read_text("utf-8") for path in (resource("templates") / "style").glob("*.css")}
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", styles[name])) for name in ("base", "screen"))
    dark = light | dark
    for name in ("ink", "muted", "accent"):
        for colours in (light, dark):
            assert min(contrast(colours[name], colours[ground]) for ground in ("paper", "wash")) >= 4.5, name
    for name in ("good", "partial", "poor", "none"):
        assert all(contrast(colours["on-band"], colours[name]) >= 4.5 for colours in (light, dark)), name
    assert contrast(light["brand"], light["on-brand"]) >= 4.5


def test_templates_of_ones_own_take_the_place_of_the_programs_and_are_named(write, report):
    write("mine/sections/roadmap.html", '{% include "program/sections/roadmap.html" %}<p>Ours, in addition.</p>')
    prose = write("mine/prose/summary/6-changed.md", "# What changed\n\nOurs: {{ plural(summary.turns, 'turn') }}.\n")
    folder = prose.parents[2]
    page = read_page(render_html(dress(report, templates=folder)))
    text = re.sub(r"\s+", " ", page.all_text)
    assert "Ours, in addition." in text
    assert "Ours: 12 turns." in text
    assert "2 templates of this report are the publisher’s own" in text
    for file in read_overrides(folder).files:
        assert file.name in text
        assert file.digest in text
    assert page.unbalanced == []


def test_a_style_of_ones_own_takes_the_place_of_the_programs(write, report):
    folder = write("mine/style/print.css", "@media print { body { color: #111111; } }").parents[1]
    html = "".join(render_html(dress(report, templates=folder)))
    assert "color: #111111" in html
    assert "size: A4" not in html


def test_a_report_without_templates_of_ones_own_says_nothing_of_them(report):
    assert "publisher’s own" not in "".join(render_html(report))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("sections/roadmaps.html", "Did you mean sections/roadmap.html"),
        ("prose/limitations/8-mine.md", "Did you mean prose/limitations"),
        ("script/check.js", "overrides nothing"),
        ("notes.txt", "overrides nothing"),
    ],
)
def test_a_file_that_overrides_nothing_is_named(write, name, hint):
    path = write(f"mine/{name}", "x")
    with pytest.raises(RenderError, match=re.escape(hint)) as refused:
        read_overrides(path.parents[name.count("/")])
    assert str(path) in str(refused.value)


def test_hidden_files_in_the_folder_are_left_alone(write):
    write("mine/.git/config", "x")
    folder = write("mine/prose/roadmap.md", "Text.").parents[1]
    assert [file.name for file in read_overrides(folder).files] == ["prose/roadmap.md"]


def test_a_folder_that_is_absent_or_empty_is_named(tmp_path):
    with pytest.raises(RenderError, match="no folder of templates"):
        read_overrides(tmp_path / "absent")
    with pytest.raises(RenderError, match="is empty"):
        read_overrides(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("sections/roadmap.html", "{% if %}", r"roadmap\.html, line 1"),
        ("prose/roadmap.md", "\n{{ 1", r"roadmap\.md, line 2"),
        ("style/print.css", "</style><script>", "ends a style sheet"),
        ("prose/roadmap.md", b"\xff", "cannot be read"),
        ("prose/roadmap.md", "x" * (1024 * 1024 + 1), "more than 1024 KiB"),
    ],
)
def test_a_template_that_is_wrong_is_named_before_anything_is_rendered(write, name, text, what):
    path = write(f"mine/{name}", text)
    with pytest.raises(RenderError, match=what):
        read_overrides(path.parents[1])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("turn.html", "{{ 1|nosuch }}"),
        ("report.html", '{% extends "nosuch.html" %}'),
        ("sections/roadmap.html", "{{ 1|nosuch }}"),
        ("prose/roadmap.md", "{{ 1|nosuch }}"),
        ("prose/roadmap.md", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
        ("prose/roadmap.md", '{% include "prose/roadmap.md" %}'),
    ],
)
def test_a_template_that_compiles_to_nothing_or_has_no_end_is_named(write, report, name, text):
    path = write(f"mine/{name}", text)
    look = read_look(ReportConfig(), path.parents[name.count("/")])
    with pytest.raises(RenderError, match=path.name):
        "".join(render_html(replace(report, look=look)))


def test_a_link_to_a_folder_of_templates_is_refused_and_not_passed_over(write, tmp_path):
    folder = write("mine/prose/roadmap.md", "x").parents[1]
    (folder / "sections").symlink_to(tmp_path)
    with pytest.raises(RenderError, match="sections is neither a file nor a folder"):
        read_overrides(folder)


@pytest.mark.parametrize(
    "text", ["{{ data.absent }}", "{{ ''.__class__.__mro__ }}", "{{ data | length }}", "{% include 'absent.html' %}"]
)
def test_a_template_that_fails_while_it_is_rendered_is_named_with_its_line(write, report, text):
    folder = write("mine/sections/roadmap.html", f"<p>\n{text}</p>").parents[1]
    with pytest.raises(RenderError, match=r"sections/roadmap\.html, line 2: "):
        list(render_html(dress(report, templates=folder)))


@pytest.mark.parametrize("text", ["{{ ''.__class__ }}", "{{ n.__init__.__globals__ }}", "{{ absent }}"])
def test_prose_of_ones_own_reaches_nothing_but_figures(write, report, text):
    folder = write("mine/prose/roadmap.md", text).parents[1]
    with pytest.raises(RenderError, match=r"mine/prose/roadmap\.md cannot be rendered"):
        list(render_html(dress(report, templates=folder)))


def test_captured_text_stays_text_in_templates_of_ones_own(write, report):
    folder = write("mine/sections/roadmap.html", "{{ '<b>x</b>' }}").parents[1]
    assert "&lt;b&gt;x" in "".join(render_html(dress(report, templates=folder)))
