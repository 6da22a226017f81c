"""What a child process does to set pages: WeasyPrint runs in it."""

import gc
import logging
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pydyf
import weasyprint
from weasyprint.text.ffi import pango
from weasyprint.urls import URLFetcher

from reportgen.publishing.paper.pdf_tags import improve_tags

VARIANT = "pdf/a-3a"
_RECURSION = 20_000
"""WeasyPrint recurses with the nesting of the page; Python's usual limit is too low for it."""

_WARNINGS_KEPT = 200
_CARRIED = ("data:image/png;base64,", "data:image/svg+xml;base64,")
"""Pictures that stand in the page itself, such as a logo; no captured text can place one there."""


def work(job: dict[str, Any]) -> dict[str, Any]:
    """Writes the PDF of a page; gives its number of pages, how much was asked for and blocked, and the warnings."""
    sys.setrecursionlimit(_RECURSION)
    gc.disable()  # the process ends with its document; looking for garbage in it takes a tenth of the time
    warnings = _gather_warnings()
    blocked = _render(Path(job["page"]).read_text("utf-8"), Path(job["made"]), job["name"])
    pages = blocked.pop("pages")
    return {"pages": pages, "blocked": sum(blocked.values()), "warnings": list(warnings)}


def _gather_warnings() -> dict[str, None]:
    """The different warnings of the engine, which gives some of them once a letter."""
    found: dict[str, None] = {}

    class Gather(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if len(found) < _WARNINGS_KEPT:
                found[record.getMessage()] = None

    logger = logging.getLogger("weasyprint")
    logger.handlers = [Gather(logging.WARNING)]
    logger.propagate = False
    return found


def _render(html: str, made: Path, name: str) -> dict[str, int]:
    """Write the PDF; gives its pages, and how often each address was asked for and blocked."""
    _number_pages_once()
    counts: dict[str, int] = {}
    page = weasyprint.HTML(string=html, base_url=None, url_fetcher=_blocker(counts))
    document = page.render(pdf_variant=VARIANT)

    def finish(_document: Any, pdf: Any) -> None:
        improve_tags(pdf, name)
        pdf.info["Producer"] = pydyf.String(_name_engine())

    document.write_pdf(made, finisher=finish, pdf_variant=VARIANT)
    return {**counts, "pages": len(document.pages)}


def _number_pages_once() -> None:
    """Keeps the references to all pages, which pydyf makes anew for each tag: that takes quadratic time."""
    made: dict[int, tuple[bytes, ...]] = {}
    make = pydyf.PDF.page_references.fget

    def page_references(pdf: Any) -> tuple[bytes, ...]:
        count = pdf.pages["Count"]
        if count not in made:
            made.clear()
            made[count] = make(pdf)
        return made[count]

    pydyf.PDF.page_references = property(page_references)


def _name_engine() -> str:
    """All that decides how the pages look, with versions: where they are the same, so are the bytes."""
    number = pango.pango_version()
    packages = ("weasyprint", "pydyf", "fonttools", "uharfbuzz", "fontpkg-inter", "fontpkg-fira-code")
    named = [f"{name} {version(name)}" for name in packages]
    return ", ".join([*named, f"pango {number // 10000}.{number // 100 % 100}.{number % 100}"])


def _blocker(counts: dict[str, int]) -> Any:
    """A fetcher that fetches nothing but pictures in the page itself: a report is whole in itself."""

    class Blocker(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if url.startswith(_CARRIED):
                return super().fetch(url, headers)
            counts[url] = counts.get(url, 0) + 1
            raise ValueError(f"a report fetches nothing: {url[:200]}")

    return Blocker()
