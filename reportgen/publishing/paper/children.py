"""Child processes that set and bind pages, within limits; their trouble becomes a clear error here.

Hostile input can crash or stall the engine. In a process of its own it takes nothing else along.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from reportgen.errors import RenderError

AT_ONCE = 2
"""So many processes run beside each other; each takes up to about half a gigabyte."""

_AHEAD = 4
"""So much work is ready to be begun; the longest begins first, so that all end at about the same time."""

_INSTALL = "apt-get install -y --no-install-recommends libpangoft2-1.0-0 libharfbuzz-subset0"
_FEWER = "Publish fewer turns, or only --format html,json; or raise the limit."
_DECIDING = ("FONTCONFIG_", "FC_", "PANGO", "LANG", "LC_", "G_")
"""Variables of the environment that decide how text is set, by how they begin."""

_LOOK_EVERY = 0.02

_OUT_OF_MEMORY = (
    *("MemoryError", "Cannot allocate memory", "failed to allocate", "Memory allocation still failed"),
    "error return without exception set",
)
"""What a process says that gets no more memory: Python, the system, GLib, OpenBLAS, and libraries that break then."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take: seconds of waiting and of computing each, and bytes of memory."""

    seconds: int = 1800
    memory: int = 4 * 1024**3


@dataclass(frozen=True, slots=True)
class Child:
    """What a process is to do: a module of this package, its job as plain values, and the fonts that it sees.

    `work` is how much there is to do, in any unit.
    """

    module: str
    job: dict[str, Any]
    fonts: Path | None = None
    work: int = 0


def run_children(children: Iterable[Child], folder: Path, limits: Limits) -> list[Any]:
    """Does each, a few beside each other, and gives what they answered, in order.

    Args:
        children: What is to be done, all by one module; a few are drawn while those before them run.
        folder: Where they may leave files.
        limits: Of each of them.

    Raises:
        RenderError: One failed; the others are ended.
    """
    coming, ready, more = enumerate(children), dict[int, Child](), True
    idle, busy = list[_Worker](), dict[int, _Worker]()
    answers: dict[int, Any] = {}
    try:
        while more or ready or busy:
            more = more and (len(ready) >= _AHEAD or _draw(coming, ready))
            while ready and len(busy) < AT_ONCE:
                place = max(ready, key=lambda place: ready[place].work)
                child = ready.pop(place)
                busy[place] = idle.pop() if idle else _Worker(child.module, folder, limits)
                busy[place].begin(child, folder / f"job-{child.module}-{place}")
            for place in [place for place, worker in busy.items() if worker.has_ended()]:
                answers[place] = busy[place].read_answer()
                idle.append(busy.pop(place))
            time.sleep(_LOOK_EVERY)
    finally:
        for worker in (*idle, *busy.values()):
            worker.end()
    return [answers[place] for place in range(len(answers))]


def _draw(coming: Iterator[tuple[int, Child]], ready: dict[int, Child]) -> bool:
    """Adds the next one to those that are ready; False if there is none."""
    drawn = dict(islice(coming, 1))
    ready.update(drawn)
    return bool(drawn)


class _Worker:
    """A process that does one job after the other, each in a fork of its own."""

    def __init__(self, module: str, folder: Path, limits: Limits) -> None:
        self._limits = limits
        self._until = 0.0
        self._job = folder
        self._said = TemporaryFile(dir=folder)  # noqa: SIM115 - `end` closes it
        self._process = subprocess.Popen(  # noqa: S603 - no shell
            [sys.executable, "-m", "reportgen.publishing.paper.child", module],
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            process_group=0,
        )
        self._jobs: IO[bytes] = self._process.stdin  # type: ignore[assignment]
        self._codes: IO[bytes] = self._process.stdout  # type: ignore[assignment]

    def begin(self, child: Child, folder: Path) -> None:
        """Has it do this, in a folder that is made for it."""
        folder.mkdir()
        fonts = {"FONTCONFIG_FILE": str(child.fonts)} if child.fonts else {}
        task = {"job": child.job, "environment": fonts, "seconds": self._limits.seconds, "memory": self._limits.memory}
        (folder / "job").write_text(json.dumps(task), "utf-8")
        self._job, self._until = folder, time.monotonic() + self._limits.seconds
        with suppress(BrokenPipeError):  # it has ended, as its answer will say
            self._jobs.write(json.dumps(str(folder)).encode() + b"\n")
            self._jobs.flush()

    def has_ended(self) -> bool:
        """Whether there is an answer.

        Raises:
            RenderError: It took too long.
        """
        if wait([self._codes.fileno()], 0):
            return True
        if time.monotonic() > self._until:
            raise RenderError(f"The PDF was not ready after {self._limits.seconds} seconds", _FEWER)
        return False

    def read_answer(self) -> Any:
        """What became of the job.

        Raises:
            RenderError: It failed.
        """
        line = self._codes.readline()
        if line == b"0\n":
            return json.loads((self._job / "answer").read_bytes())
        if line:
            raise explain(int(line), _decode((self._job / "said").read_bytes()), self._limits)
        code = self._process.wait()
        self._said.seek(0)
        raise explain(code, _decode(self._said.read()), self._limits)

    def end(self) -> None:
        """Ends it, and whatever it is at."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()
        self._said.close()


def _decode(said: bytes) -> str:
    return said.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    """That of a child: no setting of the machine decides how a page looks."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_DECIDING)}
    path = os.pathsep.join(filter(None, sys.path))
    return {**kept, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}


def explain(code: int, said: str, limits: Limits) -> RenderError:
    """The error that says why a process failed: its return code, negative for a signal, and what it said last."""
    last = said.strip().splitlines()[-1] if said.strip() else "it said nothing"
    if "cannot load library" in said:
        return RenderError(f"WeasyPrint misses a system library: {last}", f"Install it: {_INSTALL}")
    if "No module named" in said:
        return RenderError(
            f"A part of the PDF engine is not installed: {last}", "Install reportgen with its dependencies."
        )
    more = f"more than {limits.memory // 1024**2} MiB of memory"
    if any(sign in said for sign in _OUT_OF_MEMORY):
        return RenderError(f"The PDF needs {more}", _FEWER)
    if code == -signal.SIGXCPU:
        return RenderError(f"The PDF took more than {limits.seconds} seconds of computing", _FEWER)
    if code < 0:
        name = signal.Signals(-code).name
        return RenderError(f"The PDF engine crashed ({name}; {last}), perhaps for want of {more}", _REPORT)
    return RenderError(f"The PDF engine failed: {last}", _REPORT)


_REPORT = "Publish --format html,json, and report it with the run."
