"""The folder of a published period: made aside, and moved into its place when it is whole."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reportgen.archive.digests import file_digest
from reportgen.archive.files import folder_aside, replace_folder, write_whole
from reportgen.archive.lock import LOCK, hold
from reportgen.errors import PublicationError
from reportgen.pipeline.making_room import read_marker
from reportgen.record import canonical

FORMAT = "reportgen/publication/1"
MARKER = "publication.json"
"""Says of a folder that it is a publication, and names its files with their digests."""


@contextmanager
def publishing_alone(out: Path) -> Iterator[None]:
    """Keeps others from publishing into the same folder.

    Raises:
        PublicationError: Another process does so, or the folder cannot be written.
    """
    with suppress(OSError):
        out.mkdir(parents=True, exist_ok=True)
    try:
        with hold(out / LOCK, f"The folder of publications {out}", PublicationError):
            yield
    finally:
        with suppress(OSError):
            out.rmdir()


@contextmanager
def put_in_place(place: Path, order: str, *, force: bool) -> Iterator[Path]:
    """A folder to fill, which is moved to that place when the block has ended well, and removed otherwise.

    Beside the place it is noted which order its sites are still to be made for; `note_sites` takes that away.

    Raises:
        PublicationError: Something is in the place: a publication without `force`, or anything else in any case.
    """
    with folder_aside(place, PublicationError) as aside:
        # Only here, since a publication that a killed process was about to replace has just been put back.
        _require_free(place, force=force)
        yield aside
        note = {"order": order, "publication": file_digest(aside / MARKER)}
        write_whole(_note_of(place), [canonical(note) + b"\n"])
        replace_folder(aside, place, is_publication)


def note_sites(place: Path) -> None:
    """The sites of a publication are made."""
    _note_of(place).unlink(missing_ok=True)


def lacks_sites(place: Path, order: str) -> bool:
    """Whether this very order was published there, and stopped before its sites were made.

    Raises:
        PublicationError: Another order did so.
    """
    noted = _read_note(place)
    if noted is not None and noted != order:
        raise PublicationError(
            f"{place} was published otherwise, and the sites are still to be made",
            "Give the same command as before, or --force to publish anew in its place.",
        )
    return noted is not None


def _read_note(place: Path) -> str | None:
    """The order whose sites are still to be made, if it is what is published there."""
    try:
        note = json.loads(_note_of(place).read_bytes())
        return str(note["order"]) if note["publication"] == file_digest(place / MARKER) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _note_of(place: Path) -> Path:
    return place.with_name(f".{place.name}.sites-to-make.json")


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
    """Makes sure that a period may be published there, or that its sites may still be made.

    Raises:
        PublicationError: A publication stands there, without `force`, or anything else in any case.
    """
    _require_free(place, force=force or _read_note(place) is not None)


def _require_free(place: Path, *, force: bool) -> None:
    if not os.path.lexists(place):
        return
    if not (place.is_dir() and is_publication(place)):
        raise PublicationError(
            f"{place} is in the way, or holds files that are not as they were published", "Move it, or choose --out."
        )
    if not force:
        raise PublicationError(f"{place} was published already", "To publish it again in its place, give --force.")
