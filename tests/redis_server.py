"""A real redis-server on loopback, on a port of its own, which can be killed and started again on what it had kept."""

import shutil
import socket
import subprocess
import time
from pathlib import Path


class RedisServer:
    """The server, in a process; `with RedisServer(folder) as server` gives `server.url`.

    Args:
        folder: Where it keeps what it writes.
        lasting: Whether it writes each command to disk; otherwise a restart loses all.
        memory: Bytes that it may use; 0 for no limit. Beyond them it refuses to write.
    """

    def __init__(self, folder: Path, *, lasting: bool = True, memory: int = 0):
        self._program = shutil.which("redis-server")
        assert self._program, "redis-server is missing: apt-get install redis-server (`make test` does)"
        self._folder, self._lasting, self._memory = folder, lasting, memory
        self._process = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.kill()

    def start(self):
        """Starts it, and returns when it answers."""
        self._folder.mkdir(exist_ok=True)
        settings = {"port": self.port, "bind": "127.0.0.1", "dir": self._folder, "save": ""}
        settings |= {"appendonly": "yes" if self._lasting else "no", "appendfsync": "everysec", "daemonize": "no"}
        settings |= {"maxmemory": self._memory, "maxmemory-policy": "noeviction"}
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen([self._program, *words], stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self._answers():
                return
            assert self._process.poll() is None, (self._folder / "redis.log").read_text()
            time.sleep(0.01)
        raise AssertionError("redis-server does not answer")

    def kill(self):
        """Ends it as by `kill -9`."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as line:
                line.sendall(b"PING\r\n")
                # It says LOADING while it reads what it had kept.
                return line.recv(100).startswith(b"+PONG")
        except OSError:
            return False
