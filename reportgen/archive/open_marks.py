"""By what name a turn is known in an open run, and the mark that says that it was erased from there on request."""

import hashlib
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reportgen.archive.open_runs import OpenRun

ERASED: Final = "erased"
"""The folder of the marks."""
_PART = re.compile(r"#[1-9][0-9]*$")


def name_of(turn: str) -> str:
    """The name of the file of the turn of that id."""
    return hashlib.sha256(turn.encode()).hexdigest()


def whole_of(turn: str) -> str:
    """The id of the turn that was handed in, for a part of a bundle that of the bundle.

    >>> whole_of("t-1#2"), whole_of("t-1")
    ('t-1', 't-1')
    """
    return _PART.sub("", turn)


def mark_of(run: "OpenRun", turn: str) -> Path:
    """The file that says that a turn was erased on request."""
    return run.folder / ERASED / name_of(whole_of(turn))


def is_erased(run: "OpenRun", turn: str) -> bool:
    """Whether a turn was erased from an open run, so that it may not come back."""
    return mark_of(run, turn).exists()


def count_erased(run: "OpenRun") -> int:
    """How many turns were erased from an open run."""
    with suppress(FileNotFoundError):
        return len(list((run.folder / ERASED).iterdir()))
    return 0
