"""The process in which WeasyPrint runs: `python -m reportgen.publishing.pdf_engine PAGE PDF SECONDS BYTES`."""

import json
import logging
import resource
import sys
from pathlib import Path
from typing import Any

_RECURSION = 20_000
"""WeasyPrint recurses with the nesting of the page; Python's usual limit is too low for it."""

_WARNINGS_KEPT = 200


def main() -> None:
    """Render, and say on standard output what became of it."""
    page, made, seconds, memory = sys.argv[1:]
    _limit(int(seconds), int(memory))
    warnings = _gather_warnings()
    blocked = _render(Path(page).read_text("utf-8"), Path(made))
    pages = blocked.pop("pages")
    json.dump({"pages": pages, "blocked": sum(blocked.values()), "warnings": list(warnings)}, sys.stdout)


def _limit(seconds: int, memory: int) -> None:
    _lower(resource.RLIMIT_AS, memory, memory)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 5)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(_RECURSION)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Sets a limit, unless the system's own is lower."""
    _, given = resource.getrlimit(kind)
    most = hard if given == resource.RLIM_INFINITY else min(hard, given)
    resource.setrlimit(kind, (min(soft, most), most))


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


def _render(html: str, made: Path) -> dict[str, int]:
    """Write the PDF; gives its pages, and how often each address was asked for and blocked."""
    import weasyprint

    counts: dict[str, int] = {}
    document = weasyprint.HTML(string=html, base_url=None, url_fetcher=_blocker(counts)).render()
    document.write_pdf(made)
    return {**counts, "pages": len(document.pages)}


def _blocker(counts: dict[str, int]) -> Any:
    """A fetcher that fetches nothing: a report is whole in itself."""
    from weasyprint.urls import URLFetcher

    class Blocker(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:  # noqa: ARG002
            counts[url] = counts.get(url, 0) + 1
            raise ValueError(f"a report fetches nothing: {url[:200]}")

    return Blocker()


if __name__ == "__main__":
    main()
