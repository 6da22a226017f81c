"""What judging an open run may cost: what all its workers have spent, as their journals say, against its limit."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal

from reportgen.analysis.pricing import find_price
from reportgen.archive.open_runs import OpenRun
from reportgen.archive.open_verdicts import Added
from reportgen.archive.store import parse
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Judge, Verdict
from reportgen.pipeline.budget import Budget
from reportgen.pipeline.estimate import expect_cost
from reportgen.publishing.printing import print_money

if TYPE_CHECKING:
    from reportgen.model.opening import Limit


Room = Literal["now", "later", "none"]


class Allowance:
    """Whether the judge may be asked for an open run; where the run has no limit, it always may.

    The limit is read anew each time, so that one that was raised holds at once. What this process has asked and was not
    yet answered counts as well; what other workers have in flight is seen once it is on disk. It may be used by several
    threads.

    Args:
        run: The open run.
        say: Prints a line for a person, when the limit is reached and when the work goes on.
    """

    def __init__(self, run: OpenRun, say: Callable[[str], None] = lambda _line: None) -> None:
        self._run, self._say, self._lock = run, say, Lock()
        self._added = Added(run)
        self._limit: Limit | None = None
        self._budget = Budget(None, ())
        self._in_flight = 0
        self._guess = Fraction(0)
        self._is_held = False

    def find_room(self) -> Room:
        """Whether one more request may be made now, perhaps once those in flight are answered, or not at all."""
        with self._lock:
            self._refresh()
            is_held = not self._budget.has_room()
            if is_held != self._is_held:
                self._is_held = is_held
                self._say(f"{self._run.opening}: {self._describe()}; {_HELD if is_held else _GOING_ON}")
            if is_held:
                return "none"
            return "now" if self._budget.has_room(self._in_flight, self._guess) else "later"

    def reserve(self, requests: Sequence[JudgeRequest], judge: Judge) -> None:
        """These requests are about to be made."""
        with self._lock:
            self._in_flight += len(requests)
            if self._limit and requests:
                price = find_price(judge.provider, judge.model, datetime.now(UTC).date(), self._limit.prices)
                self._guess = expect_cost(requests[0], judge, price) if price else Fraction(0)

    def answered(self) -> None:
        """One of them has its verdict, which is in a journal."""
        with self._lock:
            self._in_flight -= 1

    def describe(self) -> str | None:
        """What is spent, of how much, and whether that is all; None where there is no limit."""
        with self._lock:
            self._refresh()
            if self._limit is None:
                return None
            return self._describe() + ("" if self._budget.has_room() else f"; {_HELD}")

    def _refresh(self) -> None:
        limit = self._run.limit
        if limit != self._limit:
            # What was counted by other prices, or not at all, is counted anew.
            self._limit, self._added = limit, Added(self._run)
            self._budget = Budget(limit.max_cost, limit.prices) if limit else Budget(None, ())
        if limit is not None:
            self._budget.count(parse(Verdict, line, str(path)) for path, line in self._added.read())

    def _describe(self) -> str:
        if self._limit is None:
            return "there is no limit to the cost any more"
        spent = f"{print_money(self._budget.spent)} of {print_money(self._limit.max_cost)} are spent"
        return f"{spent}, and more that has no known price: {self._budget.unpriced}" if self._budget.unpriced else spent


_HELD = "no more is asked until `reportgen open` gives a higher --max-cost; what is handed in waits"
_GOING_ON = "the judge is asked again"


class Allowances:
    """Those of all open runs that a worker judges for.

    Args:
        say: Prints a line for a person.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._known: dict[Path, Allowance] = {}
        self._lock = Lock()

    def of(self, run: OpenRun) -> Allowance:
        """That of an open run."""
        with self._lock:
            return self._known.setdefault(run.folder, Allowance(run, self._say))
