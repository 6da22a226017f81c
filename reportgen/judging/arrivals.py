"""Requests that come in while others are being judged."""

from collections import deque
from collections.abc import Callable, Iterator

from reportgen.judging.prompts import JudgeRequest


class Arrivals(Iterator[JudgeRequest | None]):
    """Requests for `judge_turns` whose end is not known: it gives None where there is none at the moment.

    All calls are made in the thread of the engine. `on_arrival` is called when there may be something to draw.
    """

    def __init__(self) -> None:
        self.on_arrival: Callable[[], None] = lambda: None
        self._waiting: deque[JudgeRequest] = deque()
        self._is_closed = False

    def put(self, request: JudgeRequest) -> None:
        """Adds a request; after the end it is dropped."""
        if not self._is_closed:
            self._waiting.append(request)
            self.on_arrival()

    def end(self) -> None:
        """No other will come; those that wait are judged."""
        self._is_closed = True
        self.on_arrival()

    def stop(self) -> None:
        """No other will come, and those that wait are dropped."""
        self._waiting.clear()
        self.end()

    def __next__(self) -> JudgeRequest | None:
        if self._waiting:
            return self._waiting.popleft()
        if self._is_closed:
            raise StopIteration
        return None
