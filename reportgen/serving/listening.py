"""The server at its port, until it is asked to stop."""

import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from reportgen.errors import ServeError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_CONNECTIONS = 100
"""At once; more are told to come again."""
_GRACE = 10
"""Seconds that answers under way may take when the server is asked to stop."""


def open_port(host: str, port: int) -> socket.socket:
    """A socket that listens there; connections wait until the server takes them.

    Raises:
        ServeError: The address is none of this machine, or the port is taken or reserved.
    """
    host = "127.0.0.1" if host == "localhost" else host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        opened = socket.create_server((host, port), family=family)
    except OSError as error:
        what = f"Nothing can listen on {host}, port {port}: {error.strerror or error}"
        raise ServeError(what, "Choose another --port, or another --host; port 0 takes a free one.") from None
    # Named as TCP, for which asyncio sends small answers at once; otherwise each waits for what the last one left.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=opened.detach())


def name_address(opened: socket.socket) -> str:
    """The address of a socket that listens, as one asks for it."""
    host, port = opened.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve_at(opened: socket.socket, app: "ASGIApp", *, tells_requests: bool) -> None:
    """Answers until Ctrl-C or a request to terminate; then answers under way are finished.

    Args:
        opened: The socket.
        app: What answers.
        tells_requests: Whether each request is told on standard error; never a token.
    """
    import uvicorn

    from reportgen.serving.connection import Connection

    logging.getLogger("uvicorn.access").addFilter(_keep_query_out)
    logging.basicConfig(format="%(message)s", level=logging.INFO if tells_requests else logging.WARNING)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=tells_requests,
        lifespan="off",
        ws="none",
        http=Connection,
        loop="asyncio",
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
    )
    with opened, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[opened])


def _keep_query_out(record: logging.LogRecord) -> bool:
    """Takes what follows the path out of a line of the log: somebody may have put a token there."""
    if isinstance(record.args, tuple):
        record.args = tuple(item.partition("?")[0] if isinstance(item, str) else item for item in record.args)
    return True


def require_installed() -> None:
    """Makes sure that the libraries of the optional extra are there.

    Raises:
        ServeError: One is missing.
    """
    try:
        import fastapi
        import uvicorn
    except ModuleNotFoundError as error:
        raise ServeError(f"The library {error.name} is not installed", "`pip install 'reportgen[serve]'`") from None
    assert fastapi
    assert uvicorn
