"""The fonts of the pages: open-licence families that come as packages, cut down to still and small ones.

The packages carry variable fonts. HarfBuzz makes from them the few weights that the pages use, in milliseconds and with
the same bytes on each machine. Ligatures go, since `<=` in a statement must not look like another sign.
"""

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from reportgen.errors import RenderError

SANS = "Inter"
MONO = "Fira Code"

_FEATURES = ("ccmp", "kern", "locl", "mark", "mkmk", "tnum")
_LETTERS = (
    *((0x20, 0x7E), (0xA0, 0x17F), (0x218, 0x21B), (0x386, 0x3CE), (0x400, 0x45F), (0x490, 0x491)),
    *((0x2009, 0x204A), (0x2070, 0x208E), (0x20AC, 0x20BF), (0x2113, 0x2122), (0x2190, 0x2199), (0x2202, 0x2265)),
    *((0x2500, 0x253C), (0x2588, 0x2593), (0x25A0, 0x25E6), (0x26A0, 0x26A0), (0x2713, 0x2717)),
)
"""What the fonts in an HTML page cover: Latin, Greek, Cyrillic, and signs; a browser has fonts for the rest."""

_PRIVATE = range(0xE000, 0xF900)
_BOLD = 700


@dataclass(frozen=True, slots=True)
class Face:
    """A font file in an installed package; `index` is its place in a collection, `axes` what its axes are set to."""

    family: str
    package: str
    file: str
    weight: int = 400
    italic: bool = False
    index: int = 0
    axes: tuple[tuple[str, float], ...] = ()

    @property
    def path(self) -> Path | None:
        """Where it is; None if its package is not installed."""
        spec = find_spec(self.package)
        places = (spec.submodule_search_locations or ()) if spec else ()
        return next((path for place in places if (path := Path(place) / self.file).exists()), None)

    @property
    def style(self) -> str:
        """Its style in words, as font menus name it."""
        return " ".join(filter(None, ("Bold" * (self.weight == _BOLD), "Italic" * self.italic))) or "Regular"


_INTER = "files/Inter[opsz,wght].ttf"
_INTER_ITALIC = "files/Inter-Italic[opsz,wght].ttf"
_FIRA = "files/FiraCode[wght].ttf"
_TEXT_SIZE = (("opsz", 14.0),)

BASE = (
    Face(SANS, "fontpkg_inter", _INTER, axes=_TEXT_SIZE),
    Face(SANS, "fontpkg_inter", _INTER, weight=_BOLD, axes=_TEXT_SIZE),
    Face(SANS, "fontpkg_inter", _INTER_ITALIC, italic=True, axes=_TEXT_SIZE),
    Face(SANS, "fontpkg_inter", _INTER_ITALIC, weight=_BOLD, italic=True, axes=_TEXT_SIZE),
    Face(MONO, "fontpkg_fira_code", _FIRA),
    Face(MONO, "fontpkg_fira_code", _FIRA, weight=_BOLD),
)
"""The faces of each report: Latin, Greek, Cyrillic, and signs."""

_IN_HTML = (BASE[0], BASE[1], BASE[4])


def covered(faces: Iterable[Face]) -> frozenset[int]:
    """The code points for which all of the installed faces together have a glyph."""
    return frozenset().union(*(_coverage(face) for face in faces))


@cache
def _coverage(face: Face) -> frozenset[int]:
    """Those of one face, but for the places that Unicode leaves to private use: each font shows its own signs there."""
    path = face.path
    if path is None:
        return frozenset()
    found = frozenset(open_face(path, face.index).unicodes)
    return frozenset(code for code in found if code not in _PRIVATE)


def open_face(path: Path, index: int = 0) -> Any:
    """A font file, for HarfBuzz."""
    import uharfbuzz

    return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)), index)


def build_face(face: Face, codes: Iterable[int], features: Iterable[str] | None = _FEATURES) -> bytes:
    """A still font of the face, as TrueType or OpenType, with the glyphs for these code points.

    Args:
        face: Which.
        codes: Code points; those that the face does not have are passed over.
        features: Which of its typographic features it keeps; None keeps those that writing its scripts takes.

    Raises:
        RenderError: Its package is not installed.
    """
    import uharfbuzz

    path = face.path
    if path is None:
        name = face.package.replace("_", "-")
        raise RenderError(f"The font {face.family} is not installed", f"Install it: pip install {name}.")
    order = uharfbuzz.SubsetInput()
    order.unicode_set.update(_coverage(face).intersection(codes))
    order.pin_all_axes_to_default(source := open_face(path, face.index))
    for axis, value in (("wght", float(face.weight)), *face.axes):
        order.pin_axis_location(source, axis, value)
    if features is not None:
        order.layout_feature_tag_set.clear()
        order.layout_feature_tag_set.update(int.from_bytes(name.encode()) for name in features)
    order.drop_table_tag_set.add(int.from_bytes(b"STAT"))
    flags = uharfbuzz.SubsetFlags
    # PDF knows no CFF2, so a reader of PDFs may refuse a font that has it.
    order.flags = flags.NO_HINTING | flags.NOTDEF_OUTLINE | flags.DOWNGRADE_CFF2
    return bytes(uharfbuzz.subset(source, order).blob.data)


def name_face(data: bytes, face: Face, flavor: str | None = None) -> bytes:
    """The font with the names and marks by which its style is told, in TrueType or as `woff2`."""
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), recalcTimestamp=False)
    names = {1: face.family, 2: face.style, 4: f"{face.family} {face.style}"}
    names[6] = names[4].replace(" ", "-")
    licence = [name for name in font["name"].names if name.nameID in (0, 13, 14)]
    font["name"].names = licence
    for number, name in names.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    bold = face.weight == _BOLD
    font["head"].macStyle = bold | face.italic << 1
    font["OS/2"].usWeightClass = face.weight
    font["OS/2"].fsSelection = (
        font["OS/2"].fsSelection & 0x80 | face.italic | bold << 5 | (face.style == "Regular") << 6
    )
    font.flavor = flavor
    made = BytesIO()
    font.save(made)
    return made.getvalue()


@cache
def font_faces() -> str:
    """The style rules that carry the fonts of an HTML page within it, about 100 KB; the page fetches none."""
    codes = [code for first, last in _LETTERS for code in range(first, last + 1)]
    return "\n".join(_font_face(face, codes) for face in _IN_HTML)


def _font_face(face: Face, codes: list[int]) -> str:
    data = b64encode(name_face(build_face(face, codes), face, "woff2")).decode()
    return (
        f'@font-face {{ font-family: "{face.family}"; font-weight: {face.weight}; font-style: normal; '
        f'src: url("data:font/woff2;base64,{data}") format("woff2"); }}'
    )
