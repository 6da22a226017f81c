"""Who may ask for what: tokens, each for all collections or for some."""

import hashlib
import hmac
import os
import re
import stat
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from reportgen.errors import ServeError
from reportgen.reading import read_yaml
from reportgen.record import Record

VARIABLE = "REPORTGEN_TOKEN"
_FORM = r"^[A-Za-z0-9._~+/-]{32,512}={0,2}$"
_MAKE = "Make one with `openssl rand -hex 32`."


class _Entry(Record):
    """A token in a token file, with the collections that it is for."""

    token: Annotated[str, Field(pattern=_FORM)]
    collections: Literal["all"] | Annotated[tuple[str, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Grant:
    """What somebody may see: these collections, or with None everything."""

    collections: frozenset[str] | None = None

    def allows(self, collection: str) -> bool:
        """Whether that collection is among them."""
        return self.collections is None or collection in self.collections


@dataclass(frozen=True, slots=True)
class Access:
    """The digests of all tokens with what each is for; with none, everybody may see everything."""

    grants: tuple[tuple[bytes, Grant], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether no token is asked for."""
        return not self.grants

    def find(self, token: bytes) -> Grant | None:
        """What a token is for; None where it is none of ours. How long it takes tells nothing of them."""
        given, found = _digest(token), None
        for known, grant in self.grants:
            if hmac.compare_digest(given, known):
                found = grant
        return found


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def read_access(path: Path | None, archive: Path) -> Access:
    """The tokens of a file, or the one of the environment, or none.

    Raises:
        ServeError: The file cannot be read, others may read it, it lies among the runs, or holds something else.
    """
    if path is not None:
        _require_private(path, archive)
        return _build(_read_file(path))
    token = os.environ.get(VARIABLE)
    if token is None:
        return Access()
    if not re.fullmatch(_FORM, token):
        raise ServeError(f"{VARIABLE} is no token of at least 32 letters, digits or ._~+/-", _MAKE)
    return _build([_Entry(token=token, collections="all")])


def _require_private(path: Path, archive: Path) -> None:
    """Makes sure that nobody but its owner has the tokens."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise ServeError(f"The token file {path} cannot be read: {error.strerror}", "Name another file.") from None
    if not stat.S_ISREG(mode) or mode & 0o077:
        raise ServeError(f"Others than its owner may use the token file {path}", f"`chmod 600 {path}`, and new tokens.")
    if archive.resolve() in path.resolve().parents:
        raise ServeError(f"The token file {path} lies among the runs", "Keep it elsewhere.")


def _read_file(path: Path) -> list[_Entry]:
    """The entries of a token file. No message quotes it, so that no token gets into a log."""
    fix = "Write one token, or a list of `token` and `collections`; see serving.md in the documentation."
    try:
        data = read_yaml(path)
    except (OSError, ValueError):
        raise ServeError(f"The token file {path} is not YAML in UTF-8", fix) from None
    if isinstance(data, str):
        data = [{"token": data, "collections": "all"}]
    if not isinstance(data, list) or not data:
        raise ServeError(f"The token file {path} is no list of tokens", fix)
    return [_read_entry(item, f"{path}, entry {number}", fix) for number, item in enumerate(data, start=1)]


def _read_entry(item: Any, place: str, fix: str) -> _Entry:
    try:
        return TypeAdapter(_Entry).validate_json(_to_json(item))
    except (ValidationError, ValueError, TypeError):
        what = "needs a `token` of at least 32 letters, digits or ._~+/-, and `collections`: a list of text, or `all`"
        raise ServeError(f"{place}: {what}", f"{_MAKE} {fix}") from None


def _to_json(item: Any) -> str:
    import json

    return json.dumps(item, allow_nan=False)


def _build(entries: list[_Entry]) -> Access:
    """The digests of the entries' tokens.

    Raises:
        ServeError: A token stands there twice.
    """
    if len({entry.token for entry in entries}) != len(entries):
        raise ServeError("A token stands twice in the token file", "Give each entry a token of its own.")
    return Access(tuple((_digest(entry.token.encode()), _grant(entry)) for entry in entries))


def _grant(entry: _Entry) -> Grant:
    return Grant() if entry.collections == "all" else Grant(frozenset(entry.collections))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def require_safe(host: str, access: Access) -> None:
    """Makes sure that nothing is shown to other machines without a token.

    Raises:
        ServeError: The address is reached from other machines, and no token is asked for.
    """
    if access.is_open and not is_loopback(host):
        raise ServeError(
            f"Without a token, internal runs are not served on {host}, which other machines reach",
            f"Give --token-file FILE or set {VARIABLE}, or leave out --host.",
        )
