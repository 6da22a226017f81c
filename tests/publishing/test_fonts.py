"""The fonts: they come as packages, look the same everywhere, and what they lack is named."""

import re
from base64 import b64decode
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from reportgen.errors import RenderError
from reportgen.publishing.look import fonts
from reportgen.publishing.look.fonts import BASE, Face, build_face, covered, font_faces
from reportgen.publishing.paper import print_fonts
from reportgen.publishing.paper.print_fonts import build_boxes, count_scripts, find_lacking, lay_fonts
from tests.publishing.pages import render_pdf

SIGNS = "→←↑↓✓✗●◐○≤≥≈×−±÷†…·–—‘’“”•€£¥§™½│├└█"  # noqa: RUF001
ALPHABETS = "AZazÄßłőĳΑΩαωάАЯаяЁёҐґЄї"  # noqa: RUF001
EVERYWHERE = "中文かな한글 हिन्दी தமிழ் ไทย العربية שלום 👩\u200d💻🇪🇺1️⃣"


def read(data):
    return TTFont(BytesIO(data))


def files(folder):
    return {path.name: path.read_bytes() for path in (folder / "fonts").iterdir()}


def laid(tmp_path, name, text):
    folder = tmp_path / name
    folder.mkdir()
    lay_fonts(folder, text)
    return folder


def test_the_usual_fonts_cover_latin_greek_cyrillic_and_the_signs_of_the_report():
    assert set(map(ord, SIGNS + ALPHABETS)) <= covered(BASE)
    for face in BASE:
        assert set(map(ord, ALPHABETS)) <= covered([face]), face


@pytest.mark.parametrize("face", BASE, ids=lambda face: f"{face.family} {face.style}")
def test_a_face_is_still_and_says_its_style_and_joins_no_signs(face):
    font = read(fonts.name_face(build_face(face, map(ord, "a<=->ffi")), face))
    assert "fvar" not in font
    assert font["OS/2"].usWeightClass == face.weight
    assert bool(font["head"].macStyle & 2) == face.italic
    assert bool(font["head"].macStyle & 1) == (face.weight == 700)
    assert font["name"].getDebugName(1) == face.family
    assert "Project Authors" in font["name"].getDebugName(0)
    records = font["GSUB"].table.FeatureList.FeatureRecord if "GSUB" in font else ()
    assert {record.FeatureTag for record in records} <= {"ccmp", "locl", "tnum"}


def test_a_page_for_a_browser_carries_its_fonts_in_less_than_120_kb():
    rules = font_faces()
    assert len(rules) < 120_000
    found = re.findall(r'font-family: "(.*?)"; font-weight: (\d+);.*?base64,(.*?)"', rules)
    assert [(family, weight) for family, weight, _ in found] == [
        ("Inter", "400"),
        ("Inter", "700"),
        ("Fira Code", "400"),
    ]
    maps = [read(b64decode(data)).getBestCmap() for _, _, data in found]
    assert all(set(map(ord, "Az09Ωя→≤−")) <= set(letters) for letters in maps)
    assert set(map(ord, SIGNS)) <= set().union(*maps)


def test_the_same_text_lays_the_same_fonts_in_any_folder(tmp_path):
    one = laid(tmp_path, "one", EVERYWHERE)
    other = laid(tmp_path, "other", EVERYWHERE[::-1])
    assert files(one) == files(other)
    assert len(files(one)) > len(BASE) + 10


def test_a_folder_holds_no_font_that_its_text_does_not_take(tmp_path):
    folder = laid(tmp_path, "one", ALPHABETS + SIGNS + "\u200d\n\t\u1680")
    assert len(files(folder)) == len(BASE) + 1  # the boxes, for the odd space
    assert find_lacking(map(ord, ALPHABETS + SIGNS)) == frozenset()


def test_with_the_extra_installed_no_script_of_the_wide_world_is_missing():
    assert find_lacking(map(ord, EVERYWHERE)) == frozenset()


def test_han_letters_take_the_forms_of_the_language_of_the_text():
    cjk = print_fonts._CJK
    codes = {text: print_fonts._fit(cjk, frozenset(map(ord, text))).index for text in ("骨", "骨かな", "骨한글")}
    assert codes == {"骨": 2, "骨かな": 0, "骨한글": 1}


def test_han_letters_have_outlines_of_a_kind_that_pdf_knows():
    cjk = print_fonts._CJK
    assert {"CFF ", "CFF2"} & {*read(build_face(cjk, map(ord, "東京"), features=None)).keys()} == {"CFF "}


def test_without_the_extra_a_missing_script_is_counted_and_printed_as_boxes_that_carry_their_letters(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(print_fonts, "EXTRA", ())
    folder = laid(tmp_path, "one", "abc 中文 ไ")
    assert count_scripts(find_lacking(map(ord, "abc 中文 ไ"))) == {"Han": 2, "Thai": 1}
    assert set(read((folder / "fonts" / "boxes.ttf").read_bytes()).getBestCmap()) == set(map(ord, "中文ไ \xa0"))
    outcomes = []
    render_pdf(f"<html lang=en><title>t</title><p style='font-family: Inter'>{'中文ไ'}", on_outcome=outcomes.append)
    (warning,) = outcomes[0].warnings
    assert "boxes in their place: Han (2 letters), Thai (1 letter); the extra reportgen[fonts] brings" in warning


def test_scripts_bear_the_names_that_unicode_gives_them():
    assert count_scripts(map(ord, "😀אקи\u0378")) == {
        "Cyrillic": 1,
        "Emoji and symbols": 1,
        "Hebrew": 2,
        "Unknown": 1,
    }


def test_boxes_are_drawn_and_spaces_are_not():
    font = read(build_boxes([0x3000, 0x4E2D]))
    box, space = (font["glyf"][font.getBestCmap()[code]] for code in (0x4E2D, 0x3000))
    assert box.isComposite()
    assert space.numberOfContours == 0


def test_a_package_that_is_missing_is_named():
    with pytest.raises(RenderError, match="Plain is not installed") as raised:
        build_face(Face("Plain", "fontpkg_no_such", "files/a.ttf"), [65])
    assert "pip install fontpkg-no-such" in raised.value.fix


def test_a_font_of_the_machine_changes_no_byte_of_a_pdf(monkeypatch, tmp_path):
    html = "<html lang=en><title>t</title><p style='font-family: Inter, sans-serif'>Words 12 <code>x</code>"
    usual = render_pdf(html)
    folder = tmp_path / ".local" / "share" / "fonts"
    folder.mkdir(parents=True)
    impostor = read(build_boxes(range(0x20, 0x7F)))
    impostor["name"].setName("Inter", 1, 3, 1, 0x409)
    impostor.save(folder / "inter.ttf")
    (tmp_path / "fonts.conf").write_text(f"<fontconfig><dir>{folder}</dir></fontconfig>")
    for name, value in {
        "HOME": tmp_path,
        "XDG_DATA_HOME": tmp_path / ".local" / "share",
        "FONTCONFIG_FILE": tmp_path / "fonts.conf",
        "FONTCONFIG_PATH": tmp_path,
        "LANG": "ja_JP.UTF-8",
        "LC_ALL": "ja_JP.UTF-8",
        "PANGO_LANGUAGE": "ja",
    }.items():
        monkeypatch.setenv(name, str(value))
    assert render_pdf(html) == usual
