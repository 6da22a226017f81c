"""The beginning and the end of a process that `children` starts: its job, its limits, and its answer."""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any, NoReturn


def begin() -> dict[str, Any]:
    """The job of this process, once it has limited what it may take; it leaves no core file either."""
    job: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    _lower(resource.RLIMIT_AS, job["memory"], job["memory"])
    _lower(resource.RLIMIT_CPU, job["seconds"], job["seconds"] + 5)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return job


def _lower(kind: int, soft: int, hard: int) -> None:
    """Sets a limit, unless the system's own is lower."""
    _, given = resource.getrlimit(kind)
    most = hard if given == resource.RLIM_INFINITY else min(hard, given)
    resource.setrlimit(kind, (min(soft, most), most))


def leave(answer: Any) -> NoReturn:
    """Says what became of the job and ends at once: to free millions of objects one by one takes seconds."""
    json.dump(answer, sys.stdout)
    sys.stdout.flush()
    os._exit(0)
