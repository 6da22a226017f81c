"""The folder of a published period: made aside, and moved into its place when it is whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reportgen.archive.digests import file_digest
from reportgen.archive.files import folder_aside, replace_folder
from reportgen.errors import PublicationError
from reportgen.pipeline.making_room import read_marker

FORMAT = "reportgen/publication/1"
MARKER = "publication.json"
"""Says of a folder that it is a publication, and names its files with their digests."""


@contextmanager
def put_in_place(place: Path, *, force: bool) -> Iterator[Path]:
    """A folder to fill, which is moved to that place when the block has ended well, and removed otherwise.

    Raises:
        PublicationError: Something is in the place: a publication without `force`, or anything else in any case.
    """
    require_room(place, force=force)
    with folder_aside(place, PublicationError) as aside:
        yield aside
        replace_folder(aside, place, is_publication)


def is_publication(folder: Path) -> bool:
    """Whether a folder holds a publication, with no file that the program did not put there."""
    files = read_marker(folder / MARKER, FORMAT).get("files")
    if not isinstance(files, dict):
        return False
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    return set(found) <= {*files, MARKER} and all(
        file_digest(path) == files[name] for name, path in found.items() if name != MARKER
    )


def require_room(place: Path, *, force: bool) -> None:
    """Makes sure that a period may be published there.

    Raises:
        PublicationError: A publication stands there, without `force`, or anything else in any case.
    """
    if not os.path.lexists(place):
        return
    if not (place.is_dir() and is_publication(place)):
        raise PublicationError(
            f"{place} is in the way, or holds files that are not as they were published", "Move it, or choose --out."
        )
    if not force:
        raise PublicationError(f"{place} was published already", "To publish it again in its place, give --force.")
