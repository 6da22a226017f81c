"""How much memory may be taken by reading what somebody sent."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reportgen.errors import RunError

BASE = 768 * 1024**2
"""Bytes that reading may take beside what its size explains; with the program itself that stays below 1 GiB."""

FOR_A_BYTE = 20
"""Bytes that each byte of a file may take; a report of 5,000 turns takes seven."""


@contextmanager
def bounded_memory(path: Path) -> Iterator[None]:
    """Ends what is done within where it takes far more memory than a run or report of that size.

    A small file may unpack to any size, and hold values that fill any memory. Where the system does not say how much
    a process takes, there is no bound.

    Raises:
        RunError: It took more.
    """
    import numpy as np  # noqa: F401 - what it maps for its threads when it is loaded is not taken by the file

    limits, taken = resource.getrlimit(resource.RLIMIT_AS), _mapped()
    allowed = BASE + FOR_A_BYTE * _size_of(path)
    try:
        if taken is not None:
            _limit(taken + allowed, limits)
        yield
    except MemoryError:
        what = f"{path} takes more than {allowed // 1024**2:,} MiB of memory, as no run or report of its size does"
        raise RunError(what, "Ask whoever sent it for the run folder.") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _mapped() -> int | None:
    """How many bytes this process has mapped."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[0]
    except OSError:
        return None
    return int(pages) * resource.getpagesize()


def _limit(wanted: int, limits: tuple[int, int]) -> None:
    given = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *given]), limits[1]))


def _size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file())
