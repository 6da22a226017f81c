"""Connections: small answers leave at once, and one over which nothing is asked is dropped."""

import asyncio
import socket
from types import SimpleNamespace

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from reportgen.serving.connection import Connection
from reportgen.serving.listening import open_port


class Clock(asyncio.AbstractEventLoop):
    """Keeps what is to be done later, to be done when the test says so."""

    def __init__(self):
        self.due = []

    def call_later(self, _delay, callback, *words, context=None):
        handle = SimpleNamespace(do=lambda: callback(*words), cancel=self.due.clear)
        self.due.append(handle)
        return handle

    def pass_time(self):
        for handle in [*self.due]:
            self.due.remove(handle)
            handle.do()


class Wire(asyncio.Transport):
    """A transport of which only the end is looked at."""

    ended = False

    def get_extra_info(self, name, default=None):
        return default

    def is_closing(self):
        return self.ended

    def abort(self):
        self.ended = True

    close = abort


@pytest.fixture
def connected():
    clock, wire = Clock(), Wire()
    connection = Connection(Config(lambda: None, log_config=None), ServerState(), {}, clock)
    connection.connection_made(wire)
    return connection, clock, wire


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\nHost: loc"])
def test_a_connection_without_a_whole_request_is_dropped(connected, sent):
    connection, clock, wire = connected
    if sent:
        connection.data_received(sent)
    clock.pass_time()
    assert wire.ended


def test_a_request_under_way_is_waited_for_and_the_next_one_is_due_again(connected):
    connection, clock, wire = connected
    connection.cycle = SimpleNamespace(response_complete=False, message_event=asyncio.Event(), disconnected=False)
    for _ in range(3):
        clock.pass_time()
        assert not wire.ended
    connection.cycle.response_complete = True
    clock.pass_time()
    assert not wire.ended
    clock.pass_time()
    assert wire.ended
    connection.connection_lost(None)
    assert not clock.due


def test_nothing_is_due_of_a_connection_that_is_gone(connected):
    connection, clock, _ = connected
    connection.connection_lost(OSError())
    assert not clock.due


def test_small_answers_leave_at_once():
    async def accept():
        found = asyncio.get_running_loop().create_future()
        opened = open_port("127.0.0.1", 0)

        def connected(_reader, writer):
            taken = writer.get_extra_info("socket")
            found.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(connected, sock=opened):
            _, writer = await asyncio.open_connection(*opened.getsockname())
            result = await found
            writer.close()
            return result

    assert asyncio.run(accept())
