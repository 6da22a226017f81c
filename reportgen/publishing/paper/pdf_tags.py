"""What the engine's tags need before a reader's program can make good use of them.

Running heads and page numbers are marked as no part of the text, so that they are not read aloud on each page. Marks
that say nothing go, which halves the tags. Names of table cells are made unique beyond their document, so that several
can be bound to one.
"""

from collections.abc import Iterator
from typing import Any

_WITH_TEXT = {
    *("/P", "/H1", "/H2", "/H3", "/H4", "/H5", "/H6", "/TH", "/TD", "/LBody", "/Lbl", "/Caption", "/Link"),
    *("/Span", "/NonStruct"),
}
"""Structure elements that may hold text themselves."""

_WITHOUT_TEXT = {"/L", "/Table", "/THead", "/TBody", "/TFoot", "/TR"}


def improve_tags(pdf: Any, prefix: str) -> None:
    """Changes the tags of a PDF that the engine is about to write.

    Args:
        pdf: As pydyf has it.
        prefix: What names of table cells begin with.
    """
    elements = {item.number: item for item in pdf.objects if _is_element(item)}
    root = pdf.objects[_number(pdf.catalog["StructTreeRoot"])]
    numbers = pdf.objects[_number(root["ParentTree"])]["Nums"]
    _leave_gaps(elements)
    reached = set(_walk(elements, _number(root["K"][0])))
    _mark_artifacts(pdf, numbers, set(elements) - reached)
    _drop_inner_links(pdf, elements, numbers)
    _pair_terms(elements, reached)
    moved = _lift_text(elements, reached)
    _point_to(numbers, moved)
    for element in filter(None, elements.values()):
        _rename(element, prefix)


def _is_element(item: Any) -> bool:
    return isinstance(item, dict) and item.get("Type") == "/StructElem"


def _number(reference: Any) -> int:
    """The number of the object that is referred to."""
    return int(bytes(reference).split()[0])


def _children(element: Any) -> list[int]:
    """The numbers of the objects in an element, without the places of its text."""
    return [_number(kid) for kid in element["K"] if isinstance(kid, bytes)]


def _leave_gaps(elements: dict[int, Any]) -> None:
    """Takes out what says nothing: white space where no text may be, and drawings that adorn, which have no title."""
    for element in elements.values():
        gaps = {kid for kid in _children(element) if kid in elements and _says_nothing(elements[kid], element)}
        if gaps:
            element["K"][:] = [kid for kid in element["K"] if not isinstance(kid, bytes) or _number(kid) not in gaps]


def _says_nothing(kid: Any, element: Any) -> bool:
    if kid["S"] == "/Figure":
        return "Alt" not in kid
    return bool(kid["S"] == "/Span" and element["S"] in _WITHOUT_TEXT)


def _walk(elements: dict[int, Any], start: int) -> Iterator[int]:
    """The numbers of all elements under one, itself first."""
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number in elements:
            yield number
            waiting += _children(elements[number])


def _mark_artifacts(pdf: Any, numbers: list[Any], unreached: set[int]) -> None:
    """Makes artifacts of what no element of the document holds: running heads, and drawings that adorn."""
    for page in (item for item in pdf.objects if isinstance(item, dict) and item.get("Type") == "/Page"):
        places = numbers[2 * page["StructParents"] + 1]
        outside = {place for place, reference in enumerate(places) if _number(reference) in unreached}
        if outside:
            _turn_to_artifacts(pdf.objects[_number(page["Contents"])].stream, outside)
            for place in outside:
                places[place] = b"null"
    for number in unreached:
        pdf.objects[number].clear()


def _turn_to_artifacts(stream: list[Any], places: set[int]) -> None:
    """Replaces the marks of these places; a mark is three items: its name, its place, and the operator."""
    for index, item in enumerate(stream):
        if item == b"BDC" and isinstance(stream[index - 1], dict) and stream[index - 1].get("MCID") in places:
            kind = "Layout" if stream[index - 2] == "/Figure" else "Pagination"
            stream[index - 2 : index + 1] = ["/Artifact", f"<</Type /{kind}>>", b"BDC"]


def _drop_inner_links(pdf: Any, elements: dict[int, Any], numbers: list[Any]) -> None:
    """Takes away the links that the engine makes of the parts of a link, beside the one of the whole."""
    dropped = set()
    for element in filter(None, elements.values()):
        for kid in _children(element) if element["S"] != "/Link" else ():
            reference = pdf.objects[kid]
            if reference.get("Type") == "/OBJR":
                element["K"].remove(reference.reference)
                pdf.objects[_number(reference["Pg"])]["Annots"].remove(reference["Obj"])
                dropped.add(pdf.objects[_number(reference["Obj"])]["StructParent"])
    pairs = [pair for pair in zip(numbers[::2], numbers[1::2], strict=True) if pair[0] not in dropped]
    numbers[:] = [item for pair in pairs for item in pair]


def _pair_terms(elements: dict[int, Any], reached: set[int]) -> None:
    """Makes one item of each term and what is said of it, where the page groups them in a block."""
    for number in reached:
        element = elements[number]
        if element["S"] == "/Div" and elements[_number(element["P"])]["S"] == "/L":
            element["S"] = "/LI"
            bodies = [body for item in _children(element) for body in _children(elements[item])]
            element["K"][:] = [elements[body].reference for body in bodies]
            for place, body in enumerate(bodies):
                elements[body].update(P=element.reference, S="/LBody" if place else "/Lbl")


def _lift_text(elements: dict[int, Any], reached: set[int]) -> dict[int, int]:
    """Takes away marks of nothing but text in an element that may hold it; gives which element holds the text now."""
    moved: dict[int, int] = {}
    for number in sorted(reached, reverse=True):
        element = elements[number]
        if element["S"] in _WITH_TEXT:
            element["K"][:] = [kid for item in element["K"] for kid in _lift(item, element, elements, moved)]
    return moved


def _lift(item: Any, parent: Any, elements: dict[int, Any], moved: dict[int, int]) -> list[Any]:
    """What stands in the parent instead of an item: the text in it, if it says nothing more."""
    kid = elements.get(_number(item)) if isinstance(item, bytes) else None
    if kid is None or kid["S"] != "/Span" or kid["Pg"] != parent["Pg"] or {"Alt", "A", "ID"} & set(kid):
        return [item]
    if any(isinstance(place, bytes) for place in kid["K"]):
        return [item]
    moved[kid.number] = parent.number
    places = list(kid["K"])
    kid.clear()
    return places


def _point_to(numbers: list[Any], moved: dict[int, int]) -> None:
    """Leads the places of the pages to the elements that hold their text now."""
    for places in numbers[1::2]:
        if isinstance(places, list):
            places[:] = [_follow(place, moved) for place in places]


def _follow(reference: bytes, moved: dict[int, int]) -> bytes:
    if reference == b"null":
        return reference
    number = _number(reference)
    while number in moved:
        number = moved[number]
    return f"{number} 0 R".encode()


def _rename(element: Any, prefix: str) -> None:
    import pydyf

    if "ID" in element:
        element["ID"] = pydyf.String(f"{prefix}-{element['ID'].string}")
    headers = element["A"].get("Headers") if "A" in element else None
    if headers is not None:
        headers[:] = [pydyf.String(f"{prefix}-{header.string}") for header in headers]
