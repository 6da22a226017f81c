"""Handing in exchanges from a Python program, each in milliseconds.

    from reportgen.streaming import submit

    receipt = submit({"id": "t-1", "captured_at": "2026-07-01T09:00:00Z", ...}, collection="help-desk")

The exchange is on disk when the call returns. See `docs/streaming.md`.
"""

from functools import cache
from pathlib import Path

from reportgen.config import load_config
from reportgen.errors import ExchangeError, StreamingError
from reportgen.pipeline.redis_address import with_address
from reportgen.pipeline.submitting import Exchange, Receipt, Submitter

__all__ = ["Exchange", "ExchangeError", "Receipt", "StreamingError", "Submitter", "open_submitter", "submit"]


def submit(exchange: Exchange, *, collection: str | None = None, config: Path | None = None) -> Receipt:
    """Accepts one exchange, which is then on disk, and has it judged in the background.

    Args:
        exchange: A turn, as the line of a capture (text or bytes) or as a mapping of its fields.
        collection: What it belongs to; otherwise its label `collection` says so, or the configuration where that names
            a single one.
        config: The configuration file; `./config.yaml` if not given. It is read once in each process.

    Returns:
        What became of it; its `state` says whether it is in the queue.

    Raises:
        ExchangeError: It is refused, with the reason; it is kept aside.
        StreamingError: It could not be stored, and is not; the caller still has it.
        ConfigError: The configuration or the address of Redis is wrong, so that no exchange is taken in at all.
    """
    return open_submitter(config).submit(exchange, collection)


@cache
def open_submitter(config: Path | None = None) -> Submitter:
    """What takes in exchanges as the configuration says; the same for each call in a process."""
    settings = load_config(config)
    return Submitter(Path(settings.runs), with_address(settings.streaming), settings.publish.timezone)
