"""What a PDF of a report holds: the files in it, the program that set it, and the text of its pages."""

import re
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import BytesIO
from itertools import takewhile
from pathlib import Path

import pikepdf

from reportgen.errors import RenderError, RunError
from reportgen.publishing.paper.children import Child, Limits, run_children

DATA = "report.json"
PAGES = "pages.json"
_MOST = 2 * 1024**3
"""No attachment that is larger than this is read: a small PDF can hold a file that unpacks to any size."""

READING = Limits(seconds=600, memory=1024**3)
"""What reading the pages of a PDF may take."""

UNREADABLE = (
    *(pikepdf.PikepdfError, zlib.error),
    *(OSError, ValueError, TypeError, RuntimeError, AttributeError, LookupError),
)
"""What comes of a PDF that is damaged, locked, or built otherwise than any program builds one."""

_FIGURE = re.compile(r"[-\u2212]?\d(?:[\d.,:/]*\d)?")
_ALIGNED = 1_000
"""So many figures of a page are aligned with those that follow: it takes a time that grows with their square."""

_ELSEWHERE = "Give the PDF as reportgen wrote it; of several volumes, the first."


@dataclass(frozen=True, slots=True)
class PageDifference:
    """A place on a page where the printed figure is not the one that follows; None where there is none."""

    page: int
    stated: str | None
    found: str | None


def read_attachments(path: Path) -> dict[str, bytes]:
    """The files of data in a PDF of a report, by their names.

    Raises:
        RunError: It is no PDF, or holds no data of a report.
    """
    try:
        with pikepdf.open(path) as pdf:
            found = {name: pdf.attachments[name].get_file().obj for name in (DATA, PAGES) if name in pdf.attachments}
            files = {name: _unpack(stream, f"{path}: {name}") for name, stream in found.items()}
    except UNREADABLE as error:
        raise RunError(f"{path} cannot be read as a PDF: {error}", _ELSEWHERE) from None
    if DATA not in files:
        raise RunError(f"{path} carries no data of a report: there is no {DATA} in it", _ELSEWHERE)
    return files


def _unpack(stream: pikepdf.Object, place: str) -> bytes:
    """The content of an attachment, as far as it is of a size that a report can have."""
    packed, kind = stream.read_raw_bytes(), stream.get("/Filter")
    if kind is None:
        return packed
    if kind != pikepdf.Name.FlateDecode or "/DecodeParms" in stream:
        raise RunError(f"{place} is packed in a way that reportgen does not pack", _ELSEWHERE)
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(packed, _MOST)
    if not unpacker.eof:
        raise RunError(f"{place} is damaged, or larger than {_MOST // 1024**2:,} MiB", _ELSEWHERE)
    return content


def is_report_pdf(path: Path) -> bool:
    """Whether the file is a PDF that this program made, as it says itself."""
    try:
        with pikepdf.open(path) as pdf:
            return str(pdf.docinfo.get("/Creator", "")).startswith("reportgen ")
    except UNREADABLE:
        return False


def read_producer(data: bytes) -> str:
    """The engine that set a PDF, as the PDF says; empty if it says nothing that can be read."""
    try:
        with pikepdf.open(BytesIO(data)) as pdf:
            return str(pdf.docinfo.get("/Producer", ""))
    except UNREADABLE:
        return ""


def compare_pages(pages: Sequence[str], others: Sequence[str]) -> Iterator[PageDifference]:
    """Where the figures in the text of a PDF's pages are not those of another PDF, in the order of the pages.

    Args:
        pages: The texts of the PDF that is in question.
        others: Those of the PDF that follows from its data.
    """
    if len(pages) != len(others):
        yield PageDifference(min(len(pages), len(others)) + 1, f"{len(pages)} pages", f"{len(others)} pages")
    for number, (text, other) in enumerate(zip(pages, others, strict=False), start=1):
        if text != other:
            yield from _compare_figures(number, _FIGURE.findall(text), _FIGURE.findall(other))


def same_words(pages: Sequence[str], others: Sequence[str]) -> bool:
    """Whether all pages of two PDFs have the same text, but for white space."""
    return [text.split() for text in pages] == [text.split() for text in others]


def _compare_figures(page: int, stated: list[str], found: list[str]) -> Iterator[PageDifference]:
    """Where the figures of a page differ; of too many to be aligned in a reasonable time, from where on they do."""
    same = _count_same(stated, found)
    stated, found = stated[same:], found[same:]
    if max(len(stated), len(found)) > _ALIGNED:
        yield PageDifference(page, *(" ".join([*figures[:3], "…"]) for figures in (stated, found)))
        return
    for kind, start, end, other_start, other_end in SequenceMatcher(None, stated, found, False).get_opcodes():
        if kind != "equal":
            left, right = " ".join(stated[start:end]), " ".join(found[other_start:other_end])
            yield PageDifference(page, left or None, right or None)


def _count_same(stated: Sequence[str], found: Sequence[str]) -> int:
    """With how many equal figures both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(stated, found, strict=False)))


def read_pages(*pdfs: bytes, limits: Limits = READING) -> list[list[str]]:
    """The text of each page of each PDF, as a reader's program would copy it.

    They are read in processes of their own, since a PDF from anywhere can stall or crash whoever reads it.

    Raises:
        RunError: A PDF cannot be read within the limits.
    """
    with tempfile.TemporaryDirectory(prefix="reportgen-pages-") as name:
        folder = Path(name)
        paths = [folder / f"{number}.pdf" for number in range(len(pdfs))]
        for path, data in zip(paths, pdfs, strict=True):
            path.write_bytes(data)
        try:
            return run_children([Child("page_reader", {"pdf": str(path)}) for path in paths], folder, limits)
        except RenderError as error:
            raise RunError(f"The pages of the PDF cannot be read: {error.what}", _ELSEWHERE) from None
