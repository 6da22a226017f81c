"""Keeping the traceback of a bug, without any key in it."""

import os
import tempfile
import traceback
from pathlib import Path

_SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "REDIS")
_SHORTEST = 8


def save_traceback() -> Path:
    """Writes the traceback of the error at hand to a file of its own, and returns its path."""
    handle, name = tempfile.mkstemp(prefix="reportgen-bug-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(_hide_secrets(traceback.format_exc()))
    return Path(name)


def _hide_secrets(text: str) -> str:
    """The text without the value of any environment variable that is named like a secret."""
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST and any(word in name.upper() for word in _SECRETS):
            text = text.replace(value, f"[{name}]")
    return text
