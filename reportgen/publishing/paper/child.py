"""The process that `children` starts: it loads a module once, and does each job in a fork of itself.

`python -m reportgen.publishing.paper.child MODULE` reads the folders of jobs from standard input, one a line, and
answers each with the return code of the fork, negative for a signal. The fork leaves its answer, and what else it says,
in the folder.
"""

import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn


def main() -> None:
    """Do what comes in, until nothing more does."""
    module = import_module(f"reportgen.publishing.paper.{sys.argv[1]}")
    for line in sys.stdin:
        print(_run(module.work, Path(json.loads(line))), flush=True)


def _run(work: Callable[[Any], Any], folder: Path) -> int:
    """The return code of a fork that does the job in the folder."""
    number = os.fork()
    if number == 0:
        _work(work, folder)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def _work(work: Callable[[Any], Any], folder: Path) -> NoReturn:
    """Does the job and ends at once, whatever happens: to free millions of objects one by one takes seconds."""
    code = 1
    try:
        _turn_to(folder)
        job = json.loads((folder / "job").read_bytes())
        os.environ.update(job["environment"])
        _limit(job["seconds"], job["memory"])
        (folder / "answer").write_text(json.dumps(work(job["job"])), "utf-8")
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it is, the fork must not go on as its parent
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _turn_to(folder: Path) -> None:
    """Reads nothing from here on, and says all in the folder."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT)
    os.dup2(said, 1)
    os.dup2(said, 2)


def _limit(seconds: int, memory: int) -> None:
    """Limits the seconds of computing and the bytes of memory of this process; it leaves no core file either."""
    _lower(resource.RLIMIT_AS, memory, memory)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 5)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _lower(kind: int, soft: int, hard: int) -> None:
    """Sets a limit, unless the system's own is lower."""
    _, given = resource.getrlimit(kind)
    most = hard if given == resource.RLIM_INFINITY else min(hard, given)
    resource.setrlimit(kind, (min(soft, most), most))


if __name__ == "__main__":
    main()
