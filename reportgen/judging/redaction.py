"""Keeping keys, and what a terminal would obey, out of everything that is said or stored."""

import re
from typing import overload

_KEY = re.compile(r"sk-[A-Za-z0-9][A-Za-z0-9_\-]{6,}")
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


def one_line(text: str) -> str:
    """The text on one line of at most 300 characters, without anything that a terminal would obey."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= 300 else line[:297] + "..."
