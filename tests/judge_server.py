"""A judge on loopback that speaks the Messages protocol to the real SDK, in a thread or a process of its own.

`python -m tests.judge_server --port 0` prints the port and answers until its standard input ends.
"""

import argparse
import asyncio
import json
import sys
import threading
from collections import Counter, deque
from contextlib import contextmanager
from http import HTTPStatus

from tests.judge_batches import PATH as BATCHES
from tests.judge_batches import Batches
from tests.judge_script import FAULTS, MANNERS, MARK, Answer, error, find_problem, message, model_info

KEY = "sk-ant-loopback-0123456789"
REMEMBERED = 1000


class JudgeServer:
    """The server, in a thread; `with JudgeServer() as server` gives `server.url`.

    Args:
        latency: How long each answer takes, in seconds.
        every: Each so-manieth message gets the fault `fault`; 0 for none.
        key: The key that is accepted.
        manner: How it judges, by the names in `MANNERS`.
    """

    def __init__(self, port=0, latency=0.0, every=0, fault="429-seconds", key=KEY, *, manner="by-rule"):
        self.port, self.latency, self.every, self.fault, self.key = port, latency, every, fault, key
        self.manner = manner
        self.script = deque()
        """Faults for the next messages, in order; None for a proper answer."""
        self.bodies = deque(maxlen=REMEMBERED)
        self.batches = Batches(self)
        self.fields, self.usage = {}, {}
        """What stands in each message, and in its usage, in the place of what would."""
        self.asked = 0
        """Requests for a message that have come; `messages` have been answered."""
        self.messages = 0
        self.counted = 0
        self.in_flight = 0
        self.peak = 0
        self._met = Counter()
        self._prompts = set()
        self._loop = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(60), "the judge server did not start"
        return self

    def __exit__(self, *exc):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _serve(self):
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._connections = set()
        server = await asyncio.start_server(self._connect, "127.0.0.1", self.port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connect(self, reader, writer):
        """One connection, which may carry many requests."""
        self._connections.add(asyncio.current_task())
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(asyncio.current_task())
            writer.close()

    async def _exchange(self, reader, writer):
        """One request and its answer; False where the connection is to be closed."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, path, _ = head[0].split(" ")
        pairs = (line.split(": ", 1) for line in head[1:] if line)
        headers = {name.lower(): value for name, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        answer = await self._answer(method, path, headers, body)
        if answer.part is not None:
            head, _, text = self._pack(answer).partition(b"\r\n\r\n")
            writer.write(head + b"\r\n\r\n" + text[: answer.part])
            await writer.drain()
        if answer.hang:
            await asyncio.sleep(3600)
        if answer.part is not None:
            return False
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{" if answer.cut else self._pack(answer))
        await writer.drain()
        return not answer.cut

    def _pack(self, answer):
        is_json = not isinstance(answer.body, str)
        body = json.dumps(answer.body).encode() if is_json else answer.body.encode()
        lines = {
            "content-type": "application/json",
            "request-id": f"req_{self.messages}",
            "content-length": str(len(body)),
        } | answer.headers
        head = f"HTTP/1.1 {answer.status} {_phrase(answer.status)}\r\n"
        return (head + "".join(f"{n}: {v}\r\n" for n, v in lines.items()) + "\r\n").encode() + body

    async def _answer(self, method, path, headers, body):
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key")
        if given != self.key:
            return error(401, "authentication_error", f"invalid key: {given}")
        if method == "GET" and path.startswith("/v1/models/"):
            return model_info(path.rpartition("/")[2])
        if (method, path) == ("POST", "/v1/messages"):
            self.asked += 1
            self.in_flight += 1
            self.peak = max(self.peak, self.in_flight)
            try:
                await asyncio.sleep(self.latency)
                return self._judge(headers, json.loads(body))
            finally:
                self.in_flight -= 1
        if (method, path) == ("POST", "/v1/messages/count_tokens"):
            self.counted += 1
            return Answer(200, {"input_tokens": count_tokens(json.loads(body))})
        if path.startswith(BATCHES):
            await asyncio.sleep(self.latency / 2)
            answer = self.batches.answer(method, path, headers, body)
            await asyncio.sleep(self.latency / 2)
            return answer
        return error(404, "not_found_error", f"no such path: {path}")

    def _judge(self, headers, body):
        self.messages += 1
        self.bodies.append(body)
        problem = find_problem(headers, body)
        if problem:
            return error(400, "invalid_request_error", problem)
        fault = self.next_fault(body)
        said = MANNERS[self.manner](body)
        answer = FAULTS[fault](body, headers) if fault else Answer(200, message(body, json.dumps(said)))
        if isinstance(answer.body, dict) and "usage" in answer.body:
            answer.body["usage"] |= self.cache_usage(body) | self.usage
            answer.body |= self.fields
        return answer

    def next_fault(self, body):
        """By script first, then by number, then by a mark in the question."""
        if self.script:
            return self.script.popleft()
        if self.every and self.messages % self.every == 0:
            return self.fault
        text = body["messages"][0]["content"]
        mark = MARK.search(text)
        if mark is None:
            return None
        self._met[hash(text)] += 1
        return mark[2] if not mark[1] or self._met[hash(text)] == 1 else None

    def cache_usage(self, body):
        """Written to the cache by the first answer, read from it by the others."""
        prompt = json.dumps([body["system"], body["output_config"]])
        known, tokens = prompt in self._prompts, len(prompt) // 4
        self._prompts.add(prompt)
        return {
            "cache_creation_input_tokens": 0 if known else tokens,
            "cache_read_input_tokens": tokens if known else 0,
        }


def count_tokens(body):
    """As the usage of an answer counts them: what the cache takes, and the evidence."""
    return (len(json.dumps([body["system"], body["output_config"]])) // 4) + len(body["messages"][0]["content"]) // 4


def _phrase(status):
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Other"


@contextmanager
def served(patch, **options):
    """A judge to which the SDK's own variables lead."""
    with JudgeServer(**options) as server:
        patch.setenv("ANTHROPIC_BASE_URL", server.url)
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        yield server


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--fault", choices=FAULTS, default="429-seconds")
    parser.add_argument("--key", default=KEY)
    parser.add_argument("--manner", choices=MANNERS, default="by-rule")
    options = vars(parser.parse_args())
    with JudgeServer(**options) as server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
