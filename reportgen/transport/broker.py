"""Redis as the broker of the queues: its address, the way to it, and what goes wrong on that way."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from reportgen.errors import ConfigError, StreamingError

if TYPE_CHECKING:
    from dramatiq.brokers.redis import RedisBroker
    from redis import Redis

HEARTBEAT = 15.0
"""Seconds of silence after which a worker is taken for dead and what it had is given to others."""
PATIENCE: Final = 1.0
"""Seconds that Redis may take to answer."""
NAMESPACE: Final = "reportgen"
"""What the names of all that the program keeps in Redis begin with."""


class Unreachable(Exception):  # noqa: N818 - it is what the queue is, not what the program does wrong
    """Redis did not answer, or refused; the text says why, without any secret."""


def show_address(url: str) -> str:
    """The address of Redis as it may be printed, without user and password.

    >>> show_address("redis://:secret@10.0.0.5:6380/2"), show_address("unix:///run/redis.sock")
    ('10.0.0.5:6380', '/run/redis.sock')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that is none"
    if parts.scheme == "unix":
        return parts.path
    try:
        return f"{parts.hostname}:{parts.port or 6379}"
    except ValueError:
        return str(parts.hostname)


@contextmanager
def reaching(place: str) -> Iterator[None]:
    """Whatever the way to Redis raises in the block is Unreachable.

    Args:
        place: The address, as it may be printed.
    """
    from dramatiq.errors import ConnectionClosed
    from redis import RedisError

    try:
        yield
    except (AttributeError, TypeError, ValueError, LookupError, RecursionError):
        # The library believes whatever answers.
        raise Unreachable(f"Redis at {place}: what answers there does not speak as Redis does") from None
    except (RedisError, ConnectionClosed, OSError) as error:
        why = str(error).partition("\n")[0][:200] or type(error).__name__
        raise Unreachable(f"Redis at {place}: {why}") from None


def open_broker(url: str, maintenance: int) -> "RedisBroker":
    """A broker that tries once more on a connection that has gone stale, and then says that Redis is not there.

    Raises:
        StreamingError: The library is missing.
        ConfigError: The address is none.
    """
    try:
        from dramatiq.brokers.redis import RedisBroker
    except ImportError:
        raise StreamingError(
            "streaming.redis is set, and the library for it is missing", 'Install it: pip install "reportgen[worker]".'
        ) from None
    return RedisBroker(  # type: ignore[no-untyped-call]
        client=_open_client(url),
        middleware=[],
        namespace=NAMESPACE,
        maintenance_chance=maintenance,
        heartbeat_timeout=int(1000 * HEARTBEAT),
    )


def _open_client(url: str) -> "Redis":
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    try:
        _require_whole_host(url)
        client = Redis.from_url(
            url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 1),
            health_check_interval=0,
        )
        client.connection_pool.make_connection()
    except (ValueError, TypeError):
        # What is wrong with it is not said by the library's words, which may hold a part of the password.
        raise ConfigError(
            "The address of Redis, by streaming.redis or REPORTGEN_REDIS, is none",
            "Write redis://HOST:PORT/NUMBER; in a password, / is written %2F, # %23, ? %3F, @ %40, [ %5B and : %3A.",
        ) from None
    return client


def _require_whole_host(url: str) -> None:
    """Makes sure that no part of a password is taken for the host, where a character of it is not escaped."""
    parts = urlsplit(url)
    if parts.scheme != "unix" and "@" in parts.path + parts.query + parts.fragment:
        raise ValueError
