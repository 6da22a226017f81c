"""The folder of a site: what may stand there already, so that nobody loses what the program did not make."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from reportgen.errors import SiteError
from reportgen.model.audience import Audience
from reportgen.pipeline.making_room import is_ours, read_marker

FORMAT = "reportgen/site/1"
MARKER = "site.json"
"""Says of a folder that it is a site, and names its files."""

STATISTICS = "stats.json"
_PAGES = {MARKER, "index.html", "style.css", "feed.xml"}
_RUN = r"reports/[A-Za-z0-9][A-Za-z0-9._-]*/[0-9]+"
_FOLDER = re.compile(r"reports(/[A-Za-z0-9][A-Za-z0-9._-]*(/[0-9]+)?)?")
_FILE = re.compile(rf"{_RUN}/report(-volume-[0-9]+\.pdf|\.html|\.pdf|\.json)")
_DATA = re.compile(r"reports/[A-Za-z0-9][A-Za-z0-9._-]*/(stats|records-[0-9]{4,})\.json")
_DATA_BEGINS = re.compile(rb'\{\s*"(total_queries"|format": "reportgen/records/)')
_REPORT = re.compile(rf"{_RUN}/report")


def require_place(out: Path, runs: Path, *, force: bool) -> None:
    """Makes sure that a site may be put there.

    Args:
        out: Its place.
        runs: Where the runs are kept; they are never replaced.
        force: Whether any other folder may be.

    Raises:
        SiteError: Something is there that may not be replaced.
    """
    if not os.path.lexists(out) or (out.is_dir() and is_site_folder(out)):
        return
    if not out.is_dir():
        raise SiteError(f"{out} is no folder", "Choose another place by --out.")
    if not force:
        raise SiteError(
            f"{out} is in the way and is no site of reportgen alone",
            "Choose another place by --out, or give --force, which deletes all in it.",
        )
    if any(kept.resolve().is_relative_to(out.resolve()) for kept in (runs, Path())):
        raise SiteError(f"{out} holds the runs or the working folder", "Choose another place by --out.")


def require_same_readers(out: Path, audience: Audience, *, force: bool) -> None:
    """Makes sure that a site is replaced by one for the same readers only.

    Raises:
        SiteError: The site in that place is for others, and `force` is not given.
    """
    marker = read_marker(out / MARKER, FORMAT)
    readers = Audience(marker["audience"], marker.get("client")) if "audience" in marker else audience
    if readers != audience and not force:
        raise SiteError(
            f"{out} holds the site for {readers}, not for {audience}",
            "Choose another place by --out, or give --force, which replaces it.",
        )


def is_site_folder(folder: Path) -> bool:
    """Whether the folder is empty, or a site that this program made with nothing else in it at any depth."""
    paths = list(_walk(folder))
    return not paths or (bool(read_marker(folder / MARKER, FORMAT)) and all(_is_part(path, folder) for path in paths))


def _walk(folder: Path) -> Iterator[Path]:
    """All that is in the folder, except what is in the folder of a report."""
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files))
        folders[:] = [name for name in folders if not _REPORT.fullmatch(_name(Path(root, name), folder))]


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _is_part(path: Path, folder: Path) -> bool:
    from reportgen.publishing.browser.folder import is_report_folder

    name = _name(path, folder)
    if path.is_symlink():
        return False
    if path.is_dir():
        return _FOLDER.fullmatch(name) is not None or (_REPORT.fullmatch(name) is not None and is_report_folder(path))
    if _DATA.fullmatch(name):
        return _is_data(path)
    return name in _PAGES or (_FILE.fullmatch(name) is not None and is_ours(path))


def _is_data(path: Path) -> bool:
    """Whether it holds statistics or raw rows that the program wrote."""
    try:
        with path.open("rb") as file:
            return _DATA_BEGINS.match(file.read(100)) is not None
    except OSError:
        return False
