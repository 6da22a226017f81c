"""Parts of a report that were set apart, joined to one PDF: pages, tags, bookmarks, anchors and links."""

from dataclasses import dataclass
from typing import Any

import pikepdf

ELSEWHERE = "https://part.invalid/#"
"""Begins the address of a link to an anchor that may stand in another part; the binder makes it an internal one."""

Anchors = dict[str, Any]
"""Where each named place is: a page and a point on it."""


@dataclass(frozen=True, slots=True)
class Added:
    """What came with a part: its anchors, and its bookmarks with their titles, places and children."""

    anchors: Anchors
    bookmarks: list[pikepdf.OutlineItem]


def append_part(pdf: pikepdf.Pdf, part: pikepdf.Pdf) -> Added:
    """Adds the pages of a part after those that are there, with their tags."""
    before = len(pdf.pages)
    pdf.pages.extend(part.pages)
    pages = {page.obj.objgen: pdf.pages[before + place].obj for place, page in enumerate(part.pages)}
    _append_tags(pdf, part, before)
    anchors = {name: _move(place, pages) for name, place in read_anchors(part).items()}
    with part.open_outline() as outline:
        bookmarks = [_move_entry(entry, pages) for entry in outline.root]
    return Added(anchors, bookmarks)


def _move(place: Any, pages: dict[tuple[int, int], Any]) -> Any:
    """The same place on the page as it is now."""
    page, *rest = place
    return pikepdf.Array([pages[page.objgen], *rest])


def _move_entry(entry: pikepdf.OutlineItem, pages: dict[tuple[int, int], Any]) -> pikepdf.OutlineItem:
    moved = pikepdf.OutlineItem(entry.title, _move(entry.destination, pages))
    moved.is_closed = True
    moved.children.extend(_move_entry(child, pages) for child in entry.children)
    return moved


def _append_tags(pdf: pikepdf.Pdf, part: pikepdf.Pdf, before: int) -> None:
    """Hangs the tags of a part into the document; the numbers by which its pages find them go on after those there."""
    document = pdf.Root.StructTreeRoot.K[0]
    numbers = pdf.Root.StructTreeRoot.ParentTree.Nums
    start = int(numbers[-2]) + 1
    added = pdf.copy_foreign(part.Root.StructTreeRoot.K[0])
    for element in list(added.K):
        element.P = document
        document.K.append(element)
    for place, value in enumerate(added.P.ParentTree.Nums):
        numbers.append(int(value) + start if place % 2 == 0 else value)
    for page in list(pdf.pages)[before:]:
        page.obj.StructParents = int(page.obj.StructParents) + start
        for annotation in page.obj.get("/Annots", ()):
            annotation.StructParent = int(annotation.StructParent) + start


def read_anchors(pdf: pikepdf.Pdf) -> Anchors:
    """The named places of a PDF of the engine."""
    names = pdf.Root.get("/Names", pikepdf.Dictionary()).get("/Dests", pikepdf.Dictionary()).get("/Names", ())
    return {str(names[place]): names[place + 1] for place in range(0, len(names), 2)}


def set_anchors(pdf: pikepdf.Pdf, anchors: Anchors) -> None:
    """Makes these the named places of the PDF; they must stand in order."""
    if not anchors:
        return
    names = pikepdf.Array()
    for name in sorted(anchors, key=lambda name: bytes(pikepdf.String(name))):
        names.append(pikepdf.String(name))
        names.append(anchors[name])
    if "/Names" not in pdf.Root:
        pdf.Root.Names = pikepdf.Dictionary()
    pdf.Root.Names.Dests = pdf.make_indirect(pikepdf.Dictionary(Names=names))


def lead_links(pdf: pikepdf.Pdf, anchors: Anchors) -> None:
    """Makes links within the PDF of those that lead to another part.

    Raises:
        ValueError: One leads nowhere.
    """
    for page in pdf.pages:
        for annotation in page.obj.get("/Annots", ()):
            address = str(annotation.get("/A", pikepdf.Dictionary()).get("/URI", ""))
            if address.startswith(ELSEWHERE):
                name = address.removeprefix(ELSEWHERE)
                if name not in anchors:
                    raise ValueError(f"a link leads to {name!r}, which is nowhere")
                annotation.Dest = annotation.Contents = pikepdf.String(name)
                del annotation.A


def hang_outline(pdf: pikepdf.Pdf, under: str | None, bookmarks: list[pikepdf.OutlineItem]) -> None:
    """Adds the bookmarks of further parts under the one whose title ends so, or at the end if there is none."""
    with pdf.open_outline() as outline:
        found = (entry.children for entry in outline.root if under and entry.title.endswith(under))
        next(found, outline.root).extend(bookmarks)
