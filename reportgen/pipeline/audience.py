"""The run that a report for some audience is made from: the run itself, or one that is derived from it once."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reportgen.archive.digests import seal_of
from reportgen.archive.files import sync_folder
from reportgen.archive.lock import locked
from reportgen.archive.records import open_records
from reportgen.archive.store import RUN, is_finished, list_folders, load_run
from reportgen.config import RedactionConfig
from reportgen.errors import RunError
from reportgen.model.audience import Audience
from reportgen.pipeline.client import derive_run
from reportgen.pipeline.derived import choose_derived_id
from reportgen.pipeline.public import derive_public_run

_ASIDE = ".derived-"
"""What the folders begin with in which runs are derived before they are moved to their place."""


def run_for(parent: Path, audience: Audience, key: bytes | None, redaction: RedactionConfig, archive: Path) -> Path:
    """The folder of the run to publish for an audience; the same one each time, for as long as nothing changes.

    Args:
        parent: The folder of a finished run.
        audience: For whom; for the publisher's own people it is the run itself.
        key: The publisher's key; None for the run itself.
        redaction: What is to be withheld.
        archive: The folder in which runs are kept.

    Raises:
        ConfigError: A pattern of the configuration is wrong.
        RunError: There is no key, no such client, too few turns, or the run cannot be derived or written.
    """
    if audience.kind == "internal":
        return parent
    if key is None:
        raise RunError(f"A report for {_name(audience)} needs the publisher's key", "Give its file by --key FILE.")
    with locked(archive):
        remove_unfinished(archive)
        with TemporaryDirectory(dir=archive, prefix=_ASIDE) as aside:
            fresh = _derive(parent, audience.client, key, redaction, archive, Path(aside))
            return _find_same(fresh, archive) or _move(fresh, archive)


def _name(audience: Audience) -> str:
    return f"the client {audience.client}" if audience.client else f"the {audience.kind}"


def remove_unfinished(archive: Path) -> None:
    """Removes what was being derived when it was killed; the lock of the archive must be held."""
    for left in archive.glob(f"{_ASIDE}*"):
        shutil.rmtree(left, ignore_errors=True)


def _derive(  # noqa: PLR0917 - likewise
    parent: Path, client: str | None, key: bytes, redaction: RedactionConfig, archive: Path, aside: Path
) -> Path:
    """The run as it would be made now, under an id that is free in the archive."""
    run_id = choose_derived_id(open_records(parent), archive, client)
    if client is None:
        return derive_public_run(parent, key, redaction, aside, run_id)
    return derive_run(parent, client, key, redaction, aside, run_id)


def _find_same(fresh: Path, archive: Path) -> Path | None:
    """A run of the archive that is the same but for its id."""
    content: dict[str, Any] = json.loads((fresh / RUN).read_bytes())
    for folder in list_folders(archive):
        named = {**content, "manifest": {**content["manifest"], "run_id": folder.name}}
        if is_finished(folder) and load_run(folder).seal == seal_of(named):
            return folder
    return None


def _move(fresh: Path, archive: Path) -> Path:
    place = archive / fresh.name
    fresh.rename(place)
    sync_folder(archive)
    return place
