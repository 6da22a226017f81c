"""How many requests may be in flight, and how long to wait. Pure counting, with no clock of its own."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from math import isfinite

TIMEOUT = 300.0
"""How many seconds one attempt may take, if nothing else is said."""
_RAMP = 0.1
"""The slots open over this part of the time that the first answer took, so that no burst begins."""
_REGAIN = 20
"""So many successes give one slot back after a rate limit took some."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a judge is asked.

    `concurrency` is how many requests are in flight, `tries` how often one is sent until it is given up, and
    `limited_tries` how often where it met a rate limit, which is no fault of its own. `wait` is
    the first back-off and `longest_wait` the longest, `timeout` the time for one attempt, `grace` the
    time that requests in flight get when the run has to stop; all in seconds. After `streak` equal failures
    with no answer between them the run stops; `long_streak` holds once the judge has answered something.
    """

    concurrency: int = 8
    tries: int = 6
    limited_tries: int = 20
    wait: float = 1.0
    longest_wait: float = 120.0
    timeout: float = TIMEOUT
    grace: float = 60.0
    streak: int = 3
    long_streak: int = 20


class Pacer:
    """Counts what is in flight and says whether one more may start.

    The first request goes alone: it warms the provider's prompt cache and proves key, model and schema. Then
    the slots open one by one. A rate limit halves them, once for each burst; successes give them back slowly.
    """

    def __init__(self, concurrency: int) -> None:
        self.concurrency = concurrency
        self.ceiling = concurrency
        self.in_flight = 0
        self.peak = 0
        self.answers = 0
        self.paused_until = float("-inf")
        self._opened_at: float | None = None
        self._ramp = 0.0
        self._halved_at = float("-inf")
        self._regained = 0

    def allowed(self, now: float) -> int:
        """How many requests may be in flight at this moment."""
        if self._opened_at is None:
            return 1
        if now >= self._opened_at + self._ramp:
            return self.ceiling
        opened = 1 + int((self.concurrency - 1) * (now - self._opened_at) / self._ramp)
        return min(self.ceiling, opened)

    def may_start(self, now: float) -> bool:
        """Whether a request may start now."""
        return now >= self.paused_until and self.in_flight < self.allowed(now)

    def next_change(self, now: float) -> float | None:
        """When a slot may open by time alone; None if only the end of a request can open one."""
        if now < self.paused_until:
            return self.paused_until
        if self._opened_at is None or now >= self._opened_at + self._ramp:
            return None
        return now + self._ramp / self.concurrency

    def started(self) -> None:
        """A request was sent."""
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)

    def ended(self) -> None:
        """A request has ended and what it brought is kept: its slot is free."""
        self.in_flight -= 1

    def open(self, now: float, seconds: float) -> None:
        """The first answer came, after so many seconds: the other slots open."""
        if self._opened_at is None:
            self._opened_at, self._ramp = now, seconds * _RAMP

    def answered(self) -> None:
        """The judge gave an answer."""
        self.answers += 1
        if self.ceiling < self.concurrency:
            self._regained += 1
            if self._regained >= _REGAIN:
                self.ceiling, self._regained = self.ceiling + 1, 0

    def limited(self, now: float, started_at: float, wait: float) -> None:
        """A request that began at `started_at` met a rate limit: all wait, and half of the slots close.

        Requests of the same burst meet the same limit; only those sent after the last halving halve again.
        """
        self.paused_until = max(self.paused_until, now + wait)
        if started_at > self._halved_at:
            self.ceiling, self._regained = max(1, self.ceiling // 2), 0
            self._halved_at = now


def seconds_to_wait(
    policy: Policy, tries: int, retry_after: float | datetime | None, now: datetime, chance: float
) -> float:
    """How long to wait before the next attempt.

    What the provider asks for is honoured, up to `longest_wait`; where it asks for less than a quarter of the
    back-off, that quarter is waited. Without it the back-off doubles with each try, and `chance` (0 to 1)
    takes off up to half of it, so that requests that failed together do not come back together.

    >>> seconds_to_wait(Policy(), 3, None, datetime(2026, 7, 1), 1.0)
    2.0
    """
    if isinstance(retry_after, datetime):
        retry_after = (retry_after - now).total_seconds()
    backoff = min(policy.wait * 2.0 ** (tries - 1), policy.longest_wait)
    if retry_after is not None and isfinite(retry_after):
        return min(max(retry_after, backoff / 4), policy.longest_wait)
    return backoff * (1 - chance / 2)


def read_retry_after(milliseconds: str | None, text: str | None) -> float | datetime | None:
    """What the headers `retry-after-ms` and `retry-after` ask for: seconds, a moment, or None for nothing.

    >>> read_retry_after(None, "7"), read_retry_after("250", "1")
    (7.0, 0.25)
    """
    with suppress(ValueError):
        return float(milliseconds or "") / 1000
    with suppress(ValueError):
        return float(text or "")
    with suppress(ValueError, OverflowError):
        moment = parsedate_to_datetime(text or "")
        return moment if moment.tzinfo else None
    return None
