"""The program in a process of its own, forked from one that has imported everything, so that it begins at once.

It can be told to die at a file operation of its own, as by `kill -9`; from outside it is killed like any process.
"""

import multiprocessing
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path

from reportgen.cli import main

_PRELOADED = ["anthropic", "httpx2", "reportgen.cli.run", "reportgen.pipeline.judge", "reportgen.pipeline.publish"]
_PRELOADED += ["reportgen.pipeline.working", "dramatiq.brokers.redis"]
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([*_PRELOADED, "tests.program"])
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_PART = re.compile(r"\.([0-9]+)\.part$")


def start(arguments, folder, deaths=(), batch=None, heartbeat=None):
    """Starts the program and returns its process.

    Args:
        arguments: Those of the command line.
        folder: Gets `output.txt`, what is printed, and `events.txt`, a line for each file operation on a run.
        deaths: The lines of `events.txt` at any of which it dies, before that is done.
        batch: How it asks in batches; None for what it does by itself.
        heartbeat: Seconds of silence after which a worker is taken for dead; None for what the program has.
    """
    environment = {name: value for name, value in os.environ.items() if name.startswith("ANTHROPIC_")}
    process = _FORKS.Process(target=_run, args=(arguments, folder, deaths, batch, heartbeat, environment))
    process.start()
    return process


def _run(arguments, folder, deaths, batch, heartbeat, environment):  # noqa: PLR0917 - what a process is given
    output = os.open(folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(environment)
    if batch is not None:
        _ask_in_batches_by(batch)
    if heartbeat is not None:
        import reportgen.transport.broker

        reportgen.transport.broker.HEARTBEAT = heartbeat
    _watch(os.open(folder / "events.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND), deaths)
    sys.argv = ["reportgen", *arguments]
    main()


def _ask_in_batches_by(policy):
    """The program has no option for how often it looks; what names the class for its type has done so by now."""
    import reportgen.judging.batch_contract as contract
    import reportgen.pipeline.judge  # noqa: F401

    contract.BatchPolicy = lambda **_: policy


def _watch(log, deaths):
    """Notes each operation by which the program changes what is in the folder of a run."""

    def hook(event, arguments):
        told = _tell(event, arguments)
        if told is not None:
            os.write(log, f"{told}\n".encode())
            if told in deaths:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def _tell(event, arguments):
    """The operation in words, such as `rename run.json`; None for one of another kind."""
    if event not in ("open", "os.rename", "os.remove", "os.mkdir"):
        return None
    if event == "open" and not arguments[2] & _WRITES:
        return None
    with suppress(TypeError):
        path = Path(os.fsdecode(arguments[1 if event == "os.rename" else 0]))
        if "runs" in path.parts:
            return f"{event.removeprefix('os.')} {_PART.sub('.part', path.name)}"
    return None
