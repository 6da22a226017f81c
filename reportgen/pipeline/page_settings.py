"""How the pages of a PDF were made, beside its data: as the PDF carries it, and as it is read with distrust."""

import json
import re
import tempfile
from base64 import b64decode
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reportgen import __version__
from reportgen.errors import ConfigError, RunError
from reportgen.publishing.look.brand import NO_BRAND, Brand, build_style
from reportgen.publishing.look.logo import read_logo
from reportgen.publishing.look.overrides import NO_OVERRIDES
from reportgen.publishing.report import Report

PROGRAM = f"reportgen {__version__}"
FORMAT = "reportgen/pages/1"

_COVER = re.compile(r"--brand: (#[0-9a-fA-F]{6});")
_ACCENT = re.compile(r":root \{ --accent: (#[0-9a-fA-F]{6}); \}")

_KINDS = {"data:image/png;base64,": ".png", "data:image/svg+xml;base64,": ".svg"}


@dataclass(frozen=True, slots=True)
class PageSettings:
    """What is to be known to set the pages again; `program` and `own_templates` say whether that can be done."""

    program: str
    title: str
    all_turns: bool
    own_templates: bool
    brand: Brand


def write_settings(report: Report, *, all_turns: bool) -> bytes:
    """The settings of a report's pages, as JSON."""
    content: dict[str, Any] = {"format": FORMAT, "program": PROGRAM, "title": report.title, "all_turns": all_turns}
    if report.look.brand != NO_BRAND:
        content["brand"] = asdict(report.look.brand)
    if report.look.overrides != NO_OVERRIDES:
        content["own_templates"] = True
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def read_settings(content: Any, place: str) -> PageSettings:
    """The settings in the JSON values that a PDF carries.

    Raises:
        RunError: They are of another format, or hold what the program never writes.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RunError(f"{place} does not say how the pages were made", "Give the PDF as it was published.")
    return PageSettings(
        program=str(content.get("program", "an unknown program"))[:80],
        title=str(content.get("title", "")),
        all_turns=content.get("all_turns") is True,
        own_templates=content.get("own_templates") is True,
        brand=_read_brand(content.get("brand"), place),
    )


def _read_brand(content: Any, place: str) -> Brand:
    if content is None:
        return NO_BRAND
    if not isinstance(content, dict) or set(content) != set(asdict(NO_BRAND)) or not _are_texts(content):
        raise RunError(f"{place}: brand is not one that the program writes", "Give the PDF as it was published.")
    brand = Brand(**content)
    if not _is_style(brand.style) or not _is_logo(brand.logo):
        raise RunError(f"{place}: brand says more than legible colours and a logo", "Give the PDF as it was published.")
    return brand


def _are_texts(content: dict[str, Any]) -> bool:
    return all(isinstance(value, str) or (value is None and name != "style") for name, value in content.items())


def _is_style(style: str) -> bool:
    """Whether a style is what the program makes of its two colours.

    Any other rule could show figures that are not in the data, and a colour like that of the paper could hide those
    that are.
    """
    cover, accent = _COVER.search(style), _ACCENT.search(style)
    try:
        return style == build_style(accent and accent[1], cover and cover[1])
    except ConfigError:
        return False


def _is_logo(address: str | None) -> bool:
    """Whether a logo is one that the program would take from a file."""
    if address is None:
        return True
    kind = next((kind for kind in _KINDS if address.startswith(kind)), None)
    if kind is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"logo{_KINDS[kind]}"
        try:
            path.write_bytes(b64decode(address.removeprefix(kind), validate=True))
            return read_logo(path) == address
        except (ValueError, ConfigError):
            return False
