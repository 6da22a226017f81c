"""What a PDF holds that no report does: whatever can act, or lie over a page without being a part of it."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf

from reportgen.publishing.paper.pdf_contents import DATA, PAGES, UNREADABLE

_ACTING = ("/AcroForm", "/OpenAction", "/AA", "/Collection", "/OCProperties", "/Threads")


def find_foreign(data: bytes) -> tuple[str, ...]:
    """What was put into a PDF that the program puts in none, each in words; it does not depend on the engine."""
    try:
        with pikepdf.open(BytesIO(data)) as pdf:
            return tuple(dict.fromkeys([*_in_document(pdf), *_on_pages(pdf)]))
    except UNREADABLE as error:
        return (f"the PDF is not built as one of reportgen: {error}",)


def _in_document(pdf: pikepdf.Pdf) -> Iterator[str]:
    names = pdf.Root.get("/Names", pikepdf.Dictionary())
    for key in (
        *(key for key in _ACTING if key in pdf.Root),
        *("/JavaScript" for _ in names if "/JavaScript" in names),
    ):
        yield f"the PDF holds {key[1:]}, which no report does"
    for name in sorted(set(pdf.attachments) - {DATA, PAGES}):
        yield f"the PDF carries the file {name[:80]!r}, which no report does"


def _on_pages(pdf: pikepdf.Pdf) -> Iterator[str]:
    for number, page in enumerate(pdf.pages, start=1):
        if "/AA" in page.obj:
            yield f"page {number} holds an action, which no report does"
        for note in page.obj.get("/Annots", ()):
            if not _is_link(note):
                yield f"page {number} has something put over it, {str(note.get('/Subtype', 'of no kind'))[:40]}"


def _is_link(note: Any) -> bool:
    """Whether it leads from one place in the PDF to another, and shows nothing itself."""
    action = note.get("/A")
    leads = action is None or action.get("/S") == pikepdf.Name.GoTo
    return note.get("/Subtype") == pikepdf.Name.Link and leads and "/AP" not in note
