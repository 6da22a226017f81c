"""Keyed commitments to the turns of a run: they tell nothing by themselves, and each can be opened alone."""

import hashlib
import hmac
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

from pydantic import model_validator

from reportgen.archive.store import parse, read_lines
from reportgen.errors import RunError
from reportgen.model.derivation import Derivation, Digest
from reportgen.model.turn import Turn
from reportgen.record import Record, canonical

_LONGEST = 1_000
_PURPOSE = "reportgen/commitment/1"


class Origin(Record):
    """A run that others were derived from."""

    run: str
    seal: Digest


class Opening(Record):
    """What opens one commitment: a turn as it was captured, or the run, with a key that opens nothing else.

    `commitment` is the HMAC-SHA-256 of the canonical form of `turn` or `origin` under `key`, both in hexadecimal.
    """

    format: Literal["reportgen/opening/1"] = "reportgen/opening/1"
    commitment: Digest
    key: Digest
    turn: Turn | None = None
    origin: Origin | None = None

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.turn is None) == (self.origin is None):
            raise ValueError('give either "turn" or "origin"')
        return self


def read_key(path: Path, archive: Path) -> bytes:
    """The publisher's key, 64 hexadecimal digits in a file outside of the archive.

    Raises:
        RunError: There is no such file, it holds something else, or it lies where runs are kept.
    """
    fix = "Make one with `openssl rand -hex 32`, keep it out of the archive, and keep it for as long as the runs."
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST).decode("ascii").strip()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not plain text"
        raise RunError(f"The key {path} cannot be read: {why}", fix) from None
    if archive.resolve() in path.resolve().parents:
        raise RunError(f"The key {path} lies among the runs, and would be handed on with them", fix)
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise RunError(f"The key {path} is not 64 hexadecimal digits", fix)
    return bytes.fromhex(text)


def is_exposed(path: Path) -> bool:
    """Whether others than its owner can read or change the file of a key."""
    found = path.stat()
    return stat.S_ISREG(found.st_mode) and bool(found.st_mode & 0o077)


def open_run(key: bytes, run_id: str, seal: str) -> Opening:
    """What opens the commitment to a run."""
    own, origin = _mac(key, canonical([_PURPOSE, "run", seal])), Origin(run=run_id, seal=seal)
    return Opening(commitment=_commitment(own, origin), key=own.hex(), origin=origin)


def commit_turns(key: bytes, seal: str, turns: Iterable[Turn]) -> tuple[str, ...]:
    """The commitments to the turns of the run with that seal, in ascending order, which tells nothing of theirs."""
    return tuple(sorted(open_turn(key, seal, turn).commitment for turn in turns))


def open_turn(key: bytes, seal: str, turn: Turn) -> Opening:
    """What opens the commitment to a turn of the run with that seal."""
    own = _mac(key, canonical([_PURPOSE, "turn", seal, turn.id]))
    return Opening(commitment=_commitment(own, turn), key=own.hex(), turn=turn)


def draw_order(key: bytes, seal: str, turn: Turn) -> str:
    """What the turns of a run for the public are in order of: it tells nothing, not even with an opening."""
    return _mac(key, canonical([_PURPOSE, "order", seal, turn.id])).hex()


def draw_tag(key: bytes, seal: str) -> str:
    """Six hexadecimal digits that the ids of a run for the public begin with, so that those of two runs never meet."""
    return _mac(key, canonical([_PURPOSE, "tag", seal])).hex()[:6]


def read_opening(path: Path) -> Opening:
    """An opening from its file.

    Raises:
        RunError: It is none.
    """
    return parse(Opening, b"\n".join(read_lines(path)), str(path))


def check_opening(opening: Opening, derived: Derivation) -> str | None:
    """Why an opening does not prove that its turn is one of the parent's, or its run the parent; None where it does."""
    content = opening.turn or opening.origin
    if content is None or _commitment(bytes.fromhex(opening.key), content) != opening.commitment:
        return "its commitment does not follow from its key and its content"
    if opening.commitment not in (derived.commitments if opening.turn else (derived.parent,)):
        return "its commitment is none of the run's"
    return None


def _commitment(own: bytes, content: Record) -> str:
    return _mac(own, canonical(content.to_data())).hex()


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()
