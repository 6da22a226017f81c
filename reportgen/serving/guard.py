"""What stands before every request: the name that was asked for, the token, and headers that keep a browser strict."""

import re
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reportgen.serving.access import Access, Grant, is_loopback
from reportgen.serving.problems import MEDIA_TYPE, RefusalError, no_place, no_token, other_host, write_problem

OPEN_PATH = "/health"
"""Needs no token, and tells nothing."""
_GRANT = "reportgen.grant"
_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::[0-9]{1,5})?")
_SLASH = re.compile(rb"%(?:2f|5c|00)", re.IGNORECASE)
"""An encoded slash, backslash or NUL: no id has one, and decoded it would ask for something else."""


class Guard:
    """Lets through what may be asked, and says of everything else why not.

    Args:
        app: What answers.
        access: The tokens.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or hands it on with what its token is for."""
        if scope["type"] != "http":
            return

        async def send_strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *_HEADERS]}
            elif scope["method"] == "HEAD":
                message = {**message, "body": b""}
            await send(message)

        try:
            grant = self._admit(scope)
        except RefusalError as refusal:
            await _refuse(refusal, send_strict)
        else:
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            await self._app({**scope, "method": method, _GRANT: grant}, receive, send_strict)

    def _admit(self, scope: Scope) -> Grant:
        """What the request may see.

        Raises:
            RefusalError: Nothing.
        """
        if self._access.is_open and not _is_own_name(_read_header(scope, b"host")):
            raise other_host()
        grant = Grant() if self._access.is_open else self._find_grant(scope)
        if _SLASH.search(scope.get("raw_path") or b""):
            raise no_place()
        return grant

    def _find_grant(self, scope: Scope) -> Grant:
        if scope["path"] == OPEN_PATH:
            return Grant(frozenset())
        given = re.fullmatch(rb"(?i:bearer) +(\S+)", _read_header(scope, b"authorization") or b"")
        grant = self._access.find(given[1]) if given else None
        if grant is None:
            raise no_token()
        return grant


def grant_of(scope: Scope) -> Grant:
    """What the guard found that a request may see."""
    grant: Grant = scope[_GRANT]
    return grant


def _read_header(scope: Scope, name: bytes) -> bytes | None:
    """The value of a header; None where it is not there, or there twice."""
    values = [value for key, value in scope["headers"] if key.lower() == name]
    return values[0] if len(values) == 1 else None


def _is_own_name(host: bytes | None) -> bool:
    found = _HOST.fullmatch((host or b"").decode("latin-1"))
    return found is not None and is_loopback((found[1] or found[2]).lower())


async def _refuse(refusal: RefusalError, send: Send) -> None:
    body = write_problem(refusal)
    headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **refusal.headers}
    await send({"type": "http.response.start", "status": refusal.status, "headers": list(encode_headers(headers))})
    await send({"type": "http.response.body", "body": body})


def encode_headers(headers: dict[str, str]) -> Iterable[tuple[bytes, bytes]]:
    """Headers as ASGI takes them."""
    return ((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items())
