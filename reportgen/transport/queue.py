"""The ends of a queue: what is put in by those who hand turns in, and taken out by workers."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportgen.transport.broker import NAMESPACE, Unreachable, open_broker, reaching, show_address

if TYPE_CHECKING:
    from dramatiq import MessageProxy
    from dramatiq.brokers.redis import RedisBroker

PAUSE = 5.0
"""Seconds for which a sender does not try again after Redis did not answer: no caller shall wait for it each time."""
_BEAT = 1.0
_LOOK = 200
"""Milliseconds between two looks into an empty queue, at most."""
_ALWAYS = 1_000_000
_CLAIM = 60
_PORTION = 1000
"""How many parcels a worker puts into an empty queue at once; it would take nothing out of it meanwhile."""
_SHARE = 0.8
"""Of the memory that Redis may use; once all of it is used, Redis does not even let anybody take a parcel out."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message out of the queue, which belongs to this worker until it is acknowledged or given back.

    Both raise Unreachable where Redis does not answer; the message then comes again, to this worker or another.
    """

    parcel: dict[str, Any]
    acknowledge: Callable[[], None]
    give_back: Callable[[], None]


class Sender:
    """Puts parcels into the queues. It may be used by several threads, and after a fork.

    Args:
        url: The address of Redis.
        most: How many may wait in one queue.
    """

    def __init__(self, url: str, most: int) -> None:
        self.place = show_address(url)
        self._broker = open_broker(url, maintenance=0)
        self._most = most
        self._silent_until = 0.0
        self._trouble = ""

    def send(self, collection: str, parcel: dict[str, Any]) -> str | None:
        """None if the parcel is in the queue, else why it is not."""
        if time.monotonic() < self._silent_until:
            return self._trouble
        try:
            with reaching(self.place):
                return _put(self._broker, collection, parcel, self._most)
        except Unreachable as trouble:
            self._silent_until = time.monotonic() + PAUSE
            self._trouble = str(trouble)
            return self._trouble


class Receiver:
    """Takes parcels out of one queue, for one worker. All calls are made by one thread.

    Args:
        url: The address of Redis.
        collection: Whose queue.
        most: How many parcels it may hold at once.
    """

    def __init__(self, url: str, collection: str, most: int) -> None:
        self.place = show_address(url)
        self._url, self._collection, self._most = url, collection, most
        self._claim = f"{NAMESPACE}:{collection}:refilling"
        self._beat_at = 0.0
        self._consumers: list[Any] = []
        self.reconnect()

    def reconnect(self) -> None:
        """Begins anew under another name; what was lost on the way to the old one is given out again.

        Not before what was delivered under the old one is acknowledged: meanwhile both give signs of life.
        """
        self._broker = open_broker(self._url, maintenance=_ALWAYS)
        self._consumer: Any = self._broker.consume(self._collection, prefetch=self._most, timeout=_LOOK)
        self._consumers = [*filter(_has_delivered, self._consumers), self._consumer]

    def fetch(self) -> Delivery | None:
        """The next parcel; None where there is none at the moment, or this worker has its fill.

        Raises:
            Unreachable: Redis does not answer.
        """
        with reaching(self.place):
            if time.monotonic() - self._beat_at > _BEAT:
                # A worker that has its fill fetches nothing, and would be taken for dead.
                self.beat()
            with suppress(*_list_flaws()):
                message = next(self._consumer)
                if message is None or _is_sound(message):
                    return None if message is None else self._deliver(message)
                self._consumer.queued_message_ids.discard(message.message_id)
        return self.fetch_damaged()

    def fetch_damaged(self) -> Delivery | None:
        """What was fetched, and is no message as the program sends them; None where all are.

        Another program has put it there. It would come again and again, and the queue never be empty.

        Raises:
            Unreachable: Redis does not answer.
        """
        broker, queue = self._broker, self._collection
        client: Any = broker.client
        with reaching(self.place):
            for name in client.smembers(f"{NAMESPACE}:__acks__.{broker.broker_id}.{queue}"):
                data = client.hget(f"{NAMESPACE}:{queue}.msgs", name)
                if not _is_own(name.decode(errors="replace"), data):
                    return self._deliver_damaged(name, data)
        return None

    def beat(self) -> bool:
        """Gives a sign of life, and says whether anything waits in the queue or is with a worker, this one or another.

        Raises:
            Unreachable: Redis does not answer.
        """
        with reaching(self.place):
            self._beat_at = time.monotonic()
            for former in filter(_has_delivered, self._consumers[:-1]):
                former.broker.do_qsize(self._collection)
            return bool(self._broker.do_qsize(self._collection))

    def claim_refilling(self) -> bool:
        """Whether this worker and no other may fill the queue, until it says that it is done, or is silent for long.

        Raises:
            Unreachable: Redis does not answer.
        """
        with reaching(self.place):
            return bool(self._broker.client.set(self._claim, 1, nx=True, ex=_CLAIM))

    def release_refilling(self) -> None:
        """Another worker may fill the queue.

        Raises:
            Unreachable: Redis does not answer.
        """
        with reaching(self.place):
            self._broker.client.delete(self._claim)

    def send(self, parcel: dict[str, Any]) -> bool:
        """Puts a parcel into the queue, and says whether it did: there may be enough in it for now.

        Raises:
            Unreachable: Redis does not answer.
        """
        with reaching(self.place):
            return _put(self._broker, self._collection, parcel, _PORTION) is None

    def close(self) -> None:
        """Gives back what was fetched and not yet delivered.

        Raises:
            Unreachable: Redis does not answer; it is given to others once this worker is taken for dead.
        """
        cached = getattr(self._consumer, "message_cache", [])
        with reaching(self.place):
            while cached:
                # What is damaged stays with this worker, and is removed by the next one that gets it.
                with suppress(*_list_flaws()):
                    self._consumer.requeue([next(self._consumer)])

    def _deliver_damaged(self, name: bytes, data: bytes | None) -> Delivery:
        def remove() -> None:
            with reaching(self.place):
                self._broker.do_ack(self._collection, name)

        return Delivery({"message": (data or b"").decode(errors="replace")}, remove, remove)

    def _deliver(self, message: "MessageProxy") -> Delivery:
        consumer, place = self._consumer, self.place

        def acknowledge() -> None:
            with reaching(place):
                consumer.ack(message)

        def give_back() -> None:
            with reaching(place):
                consumer.requeue([message])

        return Delivery(dict(message.kwargs), acknowledge, give_back)


def count_waiting(url: str, collection: str) -> int:
    """How many parcels of a collection wait in the queue or are with a worker.

    Raises:
        Unreachable: Redis does not answer.
    """
    with reaching(show_address(url)):
        return int(open_broker(url, maintenance=0).do_qsize(collection))


def _put(broker: "RedisBroker", collection: str, parcel: dict[str, Any], most: int) -> str | None:
    """None if the parcel is in the queue, else why it has no room there."""
    from dramatiq import Message

    if _is_short_of_memory(broker.client):
        return "the queue is full: Redis has used most of its maxmemory"
    if broker.do_qsize(collection) >= most:
        return f"the queue is full: {most:,} exchanges wait"
    broker.enqueue(Message(queue_name=collection, actor_name="judge", args=(), kwargs=parcel, options={}))
    return None


def _is_short_of_memory(client: Any) -> bool:
    """Whether Redis has used most of the memory that it may use; not where it does not tell."""
    from redis import ResponseError

    try:
        memory = client.info("memory")
    except ResponseError:
        return False
    return bool(0 < _SHARE * memory.get("maxmemory", 0) < memory["used_memory"])


def _has_delivered(consumer: Any) -> bool:
    """Whether something was delivered by it that is not acknowledged yet."""
    return bool(consumer.queued_message_ids)


def _list_flaws() -> tuple[type[Exception], ...]:
    """What reading a message may raise that the program has not sent."""
    from dramatiq.errors import DecodeError

    return (DecodeError, ValueError, TypeError, AttributeError, LookupError, RecursionError)


def _is_sound(message: Any) -> bool:
    """Whether it can be acknowledged, and holds a parcel of whatever kind."""
    options = message.options
    return isinstance(message.kwargs, dict) and isinstance(options, dict) and "redis_message_id" in options


def _is_own(name: str, data: bytes | None) -> bool:
    from dramatiq import Message

    with suppress(*_list_flaws()):
        message: Any = Message.decode(data or b"")
        return _is_sound(message) and bool(message.options["redis_message_id"] == name)
    return False
