"""Keeping keys, and what a terminal would obey, out of everything that is said or stored."""

import json
import re
from contextlib import suppress
from math import isfinite
from typing import Any, overload

_KEY = re.compile(r"(?<![A-Za-z0-9])sk-(?=[A-Za-z_\-]*[0-9])[A-Za-z0-9_\-]{8,}")
_REDACTED = "[key]"


class Redactor:
    """Replaces known secrets, and anything of the form of a key, in texts that came from outside."""

    def __init__(self, *secrets: str | None) -> None:
        self._secrets = tuple(secret for secret in secrets if secret)

    @overload
    def __call__(self, text: str) -> str: ...
    @overload
    def __call__(self, text: None) -> None: ...
    @overload
    def __call__(self, text: str | None) -> str | None: ...
    def __call__(self, text: str | None) -> str | None:
        """The text without secrets; None stays None.

        >>> Redactor("hunter22")("no such key: hunter22, sk-ant-api03-abcdef")
        'no such key: [key], [key]'
        """
        if text is None:
            return None
        for secret in self._secrets:
            text = text.replace(secret, _REDACTED)
        return _KEY.sub(_REDACTED, text)


def redact_all(value: Any, redact: Redactor) -> Any:
    """JSON values with every text in them redacted, and without what JSON cannot carry."""
    if isinstance(value, str):
        return redact(value.encode("utf-8", "replace").decode())
    if isinstance(value, dict):
        return {redact_all(key, redact): redact_all(item, redact) for key, item in value.items()}
    if isinstance(value, list):
        return [redact_all(item, redact) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def redact_reply(text: str, redact: Redactor) -> str:
    """A judge's reply without secrets, also where JSON escapes hide them; else as it came."""
    plain = redact(text)
    if "\\u" not in plain:
        return plain
    with suppress(ValueError, RecursionError):
        data = json.loads(plain)
        if (cleaned := redact_all(data, redact)) != data:
            return json.dumps(cleaned, ensure_ascii=False)
    return plain


def one_line(text: str) -> str:
    """The text on one line of at most 300 characters, without anything that a terminal would obey."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= 300 else line[:297] + "..."
