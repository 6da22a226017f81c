"""The fonts of one PDF: a folder of its own and a configuration that lets the engine see no others.

The same letters give the same folder on each machine, whatever fonts the system has. A letter that no font of the
report has is printed as a box that still carries the letter, so that it can be copied, searched for and read aloud.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportgen.publishing.look.fonts import BASE, MONO, SANS, Face, build_face, covered, name_face

_BOXES = "Reportgen Boxes"
_UNITS = 1000
_MOST_BOXES = 60_000
_JOINERS = frozenset({0x200C, 0x200D, 0xFE0E, 0xFE0F, 0x20E3, *range(0xE0020, 0xE0080)})
"""They join emoji and letters to one glyph."""

_SPACES = frozenset({0x20, 0xA0})
"""Between words they are set in the font of the words."""

_NOTO = ("Arabic", "Hebrew", "Armenian", "Georgian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil")
_NOTO_MORE = ("Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Myanmar", "Khmer", "Ethiopic", "Symbols")
_CJK = Face("Noto Sans CJK", "manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc", index=2)
EXTRA = (
    Face("Noto Sans", "manimgx_fonts", "NotoSans[wght].ttf"),
    *(Face(f"Noto Sans {name}", "manimgx_fonts", f"NotoSans{name}[wght].ttf") for name in (*_NOTO, *_NOTO_MORE)),
    _CJK,
    Face("Noto Emoji", "manimgx_fonts", "NotoEmoji[wght].ttf"),
)
"""The faces of the optional extra `fonts`, in the order in which they are asked for a letter."""

_JAPANESE, _KOREAN = 0, 1
_KANA, _HANGUL = (0x3040, 0x30FF), (0xAC00, 0xD7A3)

_CONFIGURATION = """<?xml version="1.0"?>
<fontconfig>
<dir>{folder}</dir>
<cachedir>{cache}</cachedir>
{aliases}
</fontconfig>
"""
_ALIAS = '<alias binding="same"><family>{name}</family><prefer>{families}</prefer></alias>'


def lay_fonts(folder: Path, text: str) -> Path:
    """Writes the fonts that a text takes into a folder; gives their configuration.

    Raises:
        RenderError: The fonts that each report takes are not installed.
    """
    codes = frozenset(map(ord, set(text)))
    fonts, cache = folder / "fonts", folder / "font-cache"
    fonts.mkdir()
    cache.mkdir()
    for number, face in enumerate(BASE):
        write_face(fonts, number, face, _build_whole(face))
    added = list(_add_extra(fonts, codes - covered(BASE)))
    lacking = find_lacking(codes)
    if boxes := sorted(lacking | {code for code in codes - covered(BASE) if _is_space(code)})[:_MOST_BOXES]:
        (fonts / "boxes.ttf").write_bytes(build_boxes([*_SPACES, *boxes]))
    configuration = folder / "fonts.conf"
    configuration.write_text(_configure(fonts, cache, added), "utf-8")
    return configuration


@cache
def _build_whole(face: Face) -> bytes:
    """The font with all its letters, which each part of a report takes anew."""
    return name_face(build_face(face, covered([face])), face)


def write_face(folder: Path, number: int, face: Face, data: bytes) -> None:
    """Writes a font under a name that keeps the order."""
    (folder / f"{number:02}-{face.family}-{face.style}.font".replace(" ", "-")).write_bytes(data)


def _add_extra(folder: Path, codes: frozenset[int]) -> Iterator[str]:
    """Writes the letters that the usual fonts lack from the extra ones; gives the families."""
    joiners = codes & _JOINERS
    left = frozenset(code for code in codes if not _is_unseen(code))
    for place, face in enumerate(_fit(face, codes) for face in EXTRA):
        taken = left & covered([face])
        left -= taken
        for weight in (400, 700) if taken else ():
            styled = replace(face, weight=weight)
            data = build_face(styled, taken | joiners | _SPACES, features=None)
            write_face(folder, 10 + place, styled, name_face(data, styled))
        if taken:
            yield face.family


def _fit(face: Face, codes: frozenset[int]) -> Face:
    """The face whose Han letters have the forms of the language that the text seems to be in."""
    if face != _CJK:
        return face
    if any(_KANA[0] <= code <= _KANA[1] for code in codes):
        return replace(face, index=_JAPANESE)
    return replace(face, index=_KOREAN) if any(_HANGUL[0] <= code <= _HANGUL[1] for code in codes) else face


def find_lacking(codes: Iterable[int]) -> frozenset[int]:
    """Those of the code points that no installed font of the report has, and that would be seen."""
    rest = frozenset(codes) - covered(BASE)
    return frozenset(code for code in rest - covered(EXTRA) if not _is_unseen(code) and not _is_space(code))


def _is_unseen(code: int) -> bool:
    """Whether a letter is one that acts on others and is never drawn itself."""
    return unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs") or code in _JOINERS or 0xFE00 <= code <= 0xFE0F


def _is_space(code: int) -> bool:
    return unicodedata.category(chr(code)).startswith("Z")


def count_scripts(codes: Iterable[int]) -> dict[str, int]:
    """How many of the code points are of which script, by the name that Unicode gives it.

    >>> count_scripts(map(ord, "中文ไ"))
    {'Han': 2, 'Thai': 1}
    """
    from fontTools.unicodedata import script, script_name

    counts: dict[str, int] = {}
    for code in codes:
        name = script_name(script(chr(code)), default="Unknown")
        name = "Emoji and symbols" if name == "Common" else name.replace("_", " ")
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def build_boxes(codes: Iterable[int]) -> bytes:
    """A font in which each of the code points has a glyph of its own, which shows a box, or nothing for a space."""
    from fontTools.fontBuilder import FontBuilder

    names = {code: f"u{code:05X}" for code in codes}
    builder = FontBuilder(_UNITS, isTTF=True)
    builder.setupGlyphOrder([".notdef", "box", *names.values()])
    builder.setupCharacterMap(names)
    builder.setupGlyf({".notdef": _draw_box(), "box": _draw_box(), **{n: _refer(c) for c, n in names.items()}})
    builder.setupHorizontalMetrics(dict.fromkeys(builder.font.getGlyphOrder(), (600, 60)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": _BOXES, "styleName": "Regular", "psName": "Reportgen-Boxes"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


def _draw_box() -> Any:
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for left, low, right, high, step in ((60, 0, 540, 700, 1), (110, 50, 490, 650, -1)):
        corners = [(left, low), (left, high), (right, high), (right, low)][::step]
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def _refer(code: int) -> Any:
    """A glyph that shows the box by reference, so that many cost little."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    if not _is_space(code):
        pen.glyphSet = {"box": None}
        pen.addComponent("box", (1, 0, 0, 1, 0, 0))
    return pen.glyph()


def _configure(fonts: Path, cache: Path, added: list[str]) -> str:
    rest = [*added, _BOXES]
    orders = {"sans-serif": [SANS, MONO, *rest], "monospace": [MONO, SANS, *rest], "emoji": [*rest, SANS]}
    aliases = [
        _ALIAS.format(name=name, families="".join(f"<family>{family}</family>" for family in families))
        for name, families in orders.items()
    ]
    return _CONFIGURATION.format(folder=escape(str(fonts)), cache=escape(str(cache)), aliases="\n".join(aliases))
