"""Files that stand where a report is to go: those of an earlier report make way, anybody else's stay."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from reportgen.errors import RunError

_VOLUME = re.compile(r"report-volume-[0-9]+\.pdf")


def require_room(out: Path, formats: Collection[str]) -> None:
    """Makes sure that the files of a report can be written without loss of what is somebody else's.

    Raises:
        RunError: A file is in the way that the program did not make.
    """
    for name in formats:
        require_ours(out / f"report.{name}")


def require_ours(path: Path) -> None:
    """Makes sure that there is no such file, or an empty one, or one of an earlier report.

    Raises:
        RunError: There is another one.
    """
    if path.is_file() and path.stat().st_size and not _is_ours(path):
        raise RunError(
            f"{path} is in the way and was not made by reportgen", "Move it, or choose another folder by --out."
        )


def find_volumes(out: Path) -> Iterator[Path]:
    """The second and further volumes of earlier reports in a folder."""
    return (path for path in out.glob("report-volume-*.pdf") if _VOLUME.fullmatch(path.name) and _is_ours(path))


def _is_ours(path: Path) -> bool:
    from reportgen.publishing.browser.html import is_report_page
    from reportgen.publishing.data import is_report_data
    from reportgen.publishing.paper.pdf_contents import is_report_pdf

    kinds = {".html": is_report_page, ".pdf": is_report_pdf, ".json": is_report_data}
    try:
        return path.is_file() and kinds[path.suffix](path)
    except OSError:
        return False
