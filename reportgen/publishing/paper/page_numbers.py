"""Page numbers, printed when all parts are bound: only then is it known how many pages there are."""

from io import BytesIO
from typing import Any

import pikepdf

from reportgen.publishing.look.fonts import BASE, build_face

_SIZE = 7.5
_GREY = "0.29 0.333 0.376 rg"
_RIGHT = 56.693
"""How far from the right edge a number ends, in points: 20 mm."""

_LOW = 42.5
_LETTERS = "0123456789 of"
_FONT = "/PageNumbers"


def number_pages(pdf: pikepdf.Pdf) -> None:
    """Prints "12 of 114" at the foot of each page but the first, which is the cover."""
    face, total = _Face(pdf), len(pdf.pages)
    for number, page in enumerate(pdf.pages, start=1):
        if number == 1:
            continue
        text = f"{number} of {total}"
        left = float(page.mediabox[2]) - _RIGHT - face.width(text)
        drawn = f"/Artifact <</Type /Pagination>> BDC q BT {_GREY} {_FONT} {_SIZE} Tf {left:.3f} {_LOW} Td"
        page.contents_add(b"q", prepend=True)
        page.contents_add(f"Q {drawn} <{face.encode(text)}> Tj ET Q EMC".encode())
        _own_fonts(page)[_FONT] = face.reference


def _own_fonts(page: pikepdf.Page) -> Any:
    """The fonts of the page's resources, which it may share with others."""
    return page.obj.Resources.Font


class _Face:
    """The few letters of page numbers, as a font in the PDF."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        from fontTools.ttLib import TTFont

        data = build_face(BASE[0], map(ord, _LETTERS))
        font = TTFont(BytesIO(data))
        self._scale = 1000 / font["head"].unitsPerEm
        self._glyphs = {letter: font.getGlyphID(font.getBestCmap()[ord(letter)]) for letter in _LETTERS}
        advances = {font.getGlyphID(name): advance for name, (advance, _) in font["hmtx"].metrics.items()}
        self._widths = {glyph: advances[glyph] * self._scale for glyph in sorted(advances)}
        self.reference = self._embed(pdf, data, font)

    def width(self, text: str) -> float:
        """How wide the text is, in points."""
        return float(sum(self._widths[self._glyphs[letter]] for letter in text)) * _SIZE / 1000

    def encode(self, text: str) -> str:
        """The glyphs of the text, in hexadecimal digits."""
        return "".join(f"{self._glyphs[letter]:04X}" for letter in text)

    def _embed(self, pdf: pikepdf.Pdf, data: bytes, font: Any) -> Any:
        name = pikepdf.Name("/PAGENO+Inter-Regular")
        descendant = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.CIDFontType2,
            BaseFont=name,
            CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            CIDToGIDMap=pikepdf.Name.Identity,
            W=pikepdf.Array([0, pikepdf.Array([round(width, 3) for width in self._widths.values()])]),
            FontDescriptor=pdf.make_indirect(self._describe(pdf, name, data, font)),
        )
        return pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type0,
                BaseFont=name,
                Encoding=pikepdf.Name("/Identity-H"),
                DescendantFonts=pikepdf.Array([pdf.make_indirect(descendant)]),
                ToUnicode=pikepdf.Stream(pdf, self._to_unicode()),
            )
        )

    def _describe(self, pdf: pikepdf.Pdf, name: pikepdf.Name, data: bytes, font: Any) -> pikepdf.Dictionary:
        head, lines = font["head"], font["hhea"]
        box = (head.xMin, head.yMin, head.xMax, head.yMax)
        return pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor,
            FontName=name,
            Flags=4,
            FontBBox=pikepdf.Array([round(edge * self._scale) for edge in box]),
            ItalicAngle=0,
            Ascent=round(lines.ascent * self._scale),
            Descent=round(lines.descent * self._scale),
            CapHeight=round(lines.ascent * self._scale),
            StemV=80,
            FontFile2=pikepdf.Stream(pdf, data, Length1=len(data)),
        )

    def _to_unicode(self) -> bytes:
        lines = "\n".join(f"<{glyph:04X}> <{ord(letter):04X}>" for letter, glyph in self._glyphs.items())
        return (
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
            "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
            "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
            f"{len(self._glyphs)} beginbfchar\n{lines}\nendbfchar\n"
            "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
        ).encode()
