"""A logo from a file -> an address that carries the picture; nothing in it can act or ask for anything."""

import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from reportgen.errors import ConfigError

MOST_BYTES = 256 * 1024
MOST_SIDE = 4096
MOST_ELEMENTS = 5_000

_PNG = b"\x89PNG\r\n\x1a\n"
_SVG = "{http://www.w3.org/2000/svg}"
_ELEMENTS = {
    *("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "title", "desc", "defs"),
    *("linearGradient", "radialGradient", "stop", "clipPath", "style"),
}
"""What draws and can neither act nor repeat itself; text is left out, since it would need a font."""

_ATTRIBUTES = {
    *("id", "class", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "width", "height"),
    *(
        "viewBox",
        "preserveAspectRatio",
        "points",
        "transform",
        "fill",
        "fill-opacity",
        "fill-rule",
        "stroke",
        "opacity",
    ),
    *("stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray"),
    *("stroke-dashoffset", "clip-path", "clip-rule", "clipPathUnits", "offset", "style", "type", "stop-color"),
    *("stop-opacity", "gradientUnits", "gradientTransform", "spreadMethod", "version", "color"),
}
_REFERENCE = re.compile(r"url\(|://|data:|javascript:|[\\@]", re.IGNORECASE)
_WITHIN = re.compile(r"url\(\s*#[\w.-]+\s*\)")


def read_logo(path: Path) -> str:
    """The picture of that file as a `data:` address.

    Raises:
        ConfigError: The file cannot be read, is neither PNG nor SVG, is too large, or holds what a logo must not.
    """
    data = _read(path)
    if data.startswith(_PNG):
        _require_small(data, path)
        return f"data:image/png;base64,{b64encode(data).decode()}"
    if path.suffix.lower() == ".svg":
        return f"data:image/svg+xml;base64,{b64encode(_clean_svg(data, path)).decode()}"
    raise _refuse(path, "is neither a PNG file nor an SVG file")


def _refuse(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"report.brand.logo: {path} {why}", "Give a PNG, or an SVG of plain shapes without text or links."
    )


def _read(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise _refuse(path, "is no plain file")
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _refuse(path, f"cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise _refuse(path, f"has more than {MOST_BYTES // 1024} KiB")
    return data


def _require_small(png: bytes, path: Path) -> None:
    """A small file can hold a huge picture, which would fill the memory of who opens it."""
    sides = [int.from_bytes(png[place : place + 4]) for place in (16, 20)]
    if len(png) < 24 or png[12:16] != b"IHDR" or not all(0 < side <= MOST_SIDE for side in sides):
        raise _refuse(path, f"is no PNG of at most {MOST_SIDE} by {MOST_SIDE} pixels")


def _clean_svg(data: bytes, path: Path) -> bytes:
    """The drawing without what other programs left in it.

    Raises:
        ConfigError: There is something in it that could act, ask for something, or swell.
    """
    if re.search(rb"<!(DOCTYPE|ENTITY)", data, re.IGNORECASE) or b"\x00" in data:
        raise _refuse(path, "has a document type or entities")
    try:
        root = ET.fromstring(data)  # noqa: S314 - without entities, and of bounded size
    except (ET.ParseError, ValueError, LookupError) as error:
        raise _refuse(path, f"is not well-formed SVG: {error}") from None
    if root.tag != f"{_SVG}svg":
        raise _refuse(path, "does not begin with an svg element in the namespace of SVG")
    _drop_foreign(root)
    _require_inert(root, path)
    ET.register_namespace("", _SVG[1:-1])
    return ET.tostring(root)


def _drop_foreign(element: ET.Element) -> None:
    """What is of another namespace draws nothing: notes of drawing programs."""
    queue = [element]
    while queue:
        parent = queue.pop()
        for name in [name for name in parent.attrib if name.startswith("{")]:
            if not name.endswith("}href"):
                del parent.attrib[name]
        for child in list(parent):
            if str(child.tag).startswith(_SVG) and child.tag != f"{_SVG}metadata":
                queue.append(child)
            else:
                parent.remove(child)


def _require_inert(root: ET.Element, path: Path) -> None:
    for count, element in enumerate(root.iter(), start=1):
        name = str(element.tag).removeprefix(_SVG)
        if count > MOST_ELEMENTS:
            raise _refuse(path, f"has more than {MOST_ELEMENTS:,} elements")
        if name not in _ELEMENTS:
            raise _refuse(path, f"holds <{name[:40]}>")
        for attribute in _odd_attributes(element):
            raise _refuse(path, f"holds {attribute[:40]!r} in <{name}>")
        if name == "style" and _refers_outside(element.text or ""):
            raise _refuse(path, "has a style that refers to something else")
        if name == "clipPath" and any("clip-path" in part.attrib for part in element.iter()):
            raise _refuse(path, "has a clipping path inside another")


def _odd_attributes(element: ET.Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if name not in _ATTRIBUTES or _refers_outside(value):
            yield name


def _refers_outside(value: str) -> bool:
    """Whether a value asks for more than another part of the same drawing."""
    return bool(_REFERENCE.search(_WITHIN.sub("", value)))
