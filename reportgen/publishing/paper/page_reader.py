"""The process that reads the text of a PDF's pages: `python -m reportgen.publishing.paper.page_reader JOB`."""

from pathlib import Path
from typing import Any

import pypdfium2

from reportgen.publishing.paper import child


def main() -> None:
    """Read, and print the text of each page."""
    child.leave(read(Path(child.begin()["pdf"])))


def read(path: Path) -> list[str]:
    """The text of each page, without the places where a long word may break."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [_read_page(page) for page in document]
    finally:
        document.close()


def _read_page(page: Any) -> str:
    text = page.get_textpage()
    try:
        return str(text.get_text_bounded()).replace("\u200b", "")
    finally:
        text.close()
        page.close()


if __name__ == "__main__":
    main()
