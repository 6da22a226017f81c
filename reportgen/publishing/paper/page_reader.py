"""What a child process does to read the text of a PDF's pages."""

from pathlib import Path
from typing import Any

import pypdfium2


def work(job: dict[str, Any]) -> list[str]:
    """The text of each page, without the places where a long word may break."""
    document = pypdfium2.PdfDocument(Path(job["pdf"]))
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
