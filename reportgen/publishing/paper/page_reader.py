"""The process that reads the text of a PDF's pages: `python -m reportgen.publishing.paper.page_reader JOB`."""

import json
import sys
from pathlib import Path
from typing import Any

import pypdfium2

from reportgen.publishing.paper.process_limits import set_limits


def main() -> None:
    """Read, and print the text of each page."""
    job = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    set_limits(job["seconds"], job["memory"])
    json.dump(read(Path(job["pdf"])), sys.stdout)


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
