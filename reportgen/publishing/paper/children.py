"""Child processes that set and bind pages, within limits; their trouble becomes a clear error here.

Hostile input can crash or stall the engine. In a process of its own it takes nothing else along.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.errors import RenderError

AT_ONCE = 2
"""So many processes run beside each other; each takes up to about half a gigabyte."""

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
    """What a process is to do: a module of this package, its job as plain values, and the fonts that it sees."""

    module: str
    job: dict[str, Any]
    fonts: Path | None = None


@dataclass(slots=True)
class _Running:
    process: subprocess.Popen[bytes]
    folder: Path
    until: float


def run_children(children: Iterable[Child], folder: Path, limits: Limits) -> list[Any]:
    """Runs each, a few beside each other, and gives what they answered, in order.

    Args:
        children: What is to be done; the next one is drawn while those before it run.
        folder: Where they may leave files.
        limits: Of each of them.

    Raises:
        RenderError: One failed; the others are ended.
    """
    waiting = enumerate(children)
    running: dict[int, _Running] = {}
    answers: dict[int, Any] = {}
    try:
        ahead = next(waiting, None)
        while ahead or running:
            if ahead and len(running) < AT_ONCE:
                place, child = ahead
                running[place] = _start(child, folder / f"child-{child.module}-{place}", limits)
                ahead = next(waiting, None)
            for place in [place for place, one in running.items() if _has_ended(one, limits)]:
                answers[place] = _read_answer(running.pop(place), limits)
            time.sleep(_LOOK_EVERY)
    finally:
        for one in running.values():
            one.process.kill()
            one.process.wait()
    return [answers[place] for place in range(len(answers))]


def _start(child: Child, folder: Path, limits: Limits) -> _Running:
    folder.mkdir()
    job = folder / "job.json"
    job.write_text(json.dumps({**child.job, "seconds": limits.seconds, "memory": limits.memory}), "utf-8")
    command = [sys.executable, "-m", f"reportgen.publishing.paper.{child.module}", str(job)]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(command, env=_environment(child.fonts), stdout=out, stderr=err)  # noqa: S603 - no shell
    return _Running(process, folder, time.monotonic() + limits.seconds)


def _environment(fonts: Path | None) -> dict[str, str]:
    """That of a child: no setting of the machine decides how a page looks."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_DECIDING)}
    path = os.pathsep.join(filter(None, sys.path))
    set_here = {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    return {**kept, **set_here, **({"FONTCONFIG_FILE": str(fonts)} if fonts else {})}


def _has_ended(one: _Running, limits: Limits) -> bool:
    if one.process.poll() is not None:
        return True
    if time.monotonic() > one.until:
        raise RenderError(f"The PDF was not ready after {limits.seconds} seconds", _FEWER)
    return False


def _read_answer(one: _Running, limits: Limits) -> Any:
    code, said = one.process.returncode, (one.folder / "err").read_bytes()
    if code == 0:
        return json.loads((one.folder / "out").read_bytes())
    raise explain(code, said.decode("utf-8", "replace"), limits)


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
