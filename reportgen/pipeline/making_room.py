"""Files that stand where a report is to go: those of an earlier report make way, anybody else's stay."""

import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from reportgen.archive.files import replace_folder, require_replaceable, sync_folder
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
    if path.is_file() and path.stat().st_size and not is_ours(path):
        raise RunError(
            f"{path} is in the way and was not made by reportgen", "Move it, or choose another folder by --out."
        )


def move_in(aside: Path, out: Path, before: Callable[[], None]) -> None:
    """Moves all that was rendered aside into its place; what it replaces of earlier reports goes.

    Args:
        aside: The folder with what was rendered.
        out: The folder of the report.
        before: Called when nothing is in the way any more.

    Raises:
        RunError: Something that the program did not make is in the way.
    """
    from reportgen.publishing.browser.folder import is_report_folder

    new = sorted(aside.iterdir())
    for path in new:
        _require_place(path, out / path.name)
    before()
    for path in new:
        if path.is_dir():
            replace_folder(path, out / path.name, is_report_folder)
        else:
            path.replace(out / path.name)
    sync_folder(out)
    _remove_outdated({path.name for path in new}, out)


def _require_place(new: Path, place: Path) -> None:
    from reportgen.publishing.browser.folder import is_report_folder

    if new.is_dir():
        require_replaceable(place, is_report_folder)
    elif place.exists() and not place.is_file():
        raise RunError(f"{place} is not a plain file", "Move it, or choose another folder by --out.")
    else:
        require_ours(place)


def _remove_outdated(new: Collection[str], out: Path) -> None:
    """Of an earlier report nothing stays that could be taken for a part of the new one."""
    from reportgen.publishing.browser.folder import is_report_folder

    if "report" in new:
        (out / "report.html").unlink(missing_ok=True)
    elif "report.html" in new and is_report_folder(out / "report"):
        shutil.rmtree(out / "report")
    if "report.pdf" in new:
        for old in find_volumes(out):
            if old.name not in new:
                old.unlink()


def require_free(paths: Iterable[Path], *, force: bool = False) -> None:
    """Makes sure that no file stands in these places, or that what stands there may go.

    Raises:
        RunError: One does.
    """
    for path in paths:
        if not force and os.path.lexists(path):
            raise RunError(f"{path} exists already", "Choose another place, or overwrite it by --force.")


def find_volumes(out: Path) -> Iterator[Path]:
    """The second and further volumes of reports in a folder."""
    return (path for path in out.glob("report-volume-*.pdf") if _VOLUME.fullmatch(path.name) and is_ours(path))


def is_ours(path: Path) -> bool:
    """Whether it is a file of a report that the program made."""
    from reportgen.publishing.browser.html import is_report_page
    from reportgen.publishing.data import is_report_data
    from reportgen.publishing.paper.pdf_contents import is_report_pdf

    kinds = {".html": is_report_page, ".pdf": is_report_pdf, ".json": is_report_data}
    try:
        return path.is_file() and kinds[path.suffix](path)
    except OSError:
        return False


def read_marker(path: Path, form: str) -> dict[str, Any]:
    """What the file says by which a folder is known as the program's; empty where it is none of that format."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and content.get("format") == form else {}
