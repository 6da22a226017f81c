"""A limit on what a run may cost: what is spent is counted as verdicts are kept, and no request is drawn beyond it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction

from reportgen.analysis.pricing import Unpriced, find_price, price_attempt
from reportgen.analysis.spending import RECORDED
from reportgen.errors import CostLimitError
from reportgen.judging.keeping import Keep, Sync
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.price import Price
from reportgen.model.verdict import Judge, Verdict
from reportgen.publishing.printing import plural, print_money


class Budget:
    """What a run may spend, and what it has spent.

    Requests are drawn through `within`, verdicts kept through `counting`. A request that is drawn and not yet answered
    is taken to cost what the others cost on average, so that those in flight stay within the limit too.

    Args:
        limit: US dollars, or None for no limit.
        prices: By which the answers are priced.
    """

    def __init__(self, limit: Fraction | None, prices: Sequence[Price]) -> None:
        self.spent = Fraction(0)
        self.unpriced: str | None = None
        """Why the cost of an answer is not known, if that of one is not."""
        self._limit = limit
        self._prices = prices
        self._paid = 0
        self._open = 0
        self._is_reached = False

    def require_price(self, judge: Judge, now: datetime) -> None:
        """Makes sure, before anything is spent, that the limit can be kept.

        Raises:
            CostLimitError: There is a limit, but the judge's price is not known.
        """
        if self._limit is None or judge.provider == RECORDED:
            return
        day = now.astimezone(UTC).date()
        if find_price(judge.provider, judge.model, day, self._prices) is None:
            raise CostLimitError(
                f"--max-cost cannot be kept: no price is known for {judge.name} on {day}",
                "Give its price in a file by --prices (docs/prices.md), or leave out --max-cost.",
            )

    def count(self, verdicts: Iterable[Verdict]) -> None:
        """Adds what the requests on the way to these verdicts cost, where there is a limit to hold it against."""
        for verdict in verdicts if self._limit is not None else ():
            self._paid += 1
            for attempt in verdict.attempts if verdict.judge.provider != RECORDED else ():
                cost = price_attempt(attempt, verdict.judge, self._prices)
                if isinstance(cost, Unpriced):
                    self.unpriced = cost.reason
                else:
                    self.spent += cost or 0

    def counting(self, keep: Keep) -> Keep:
        """The same way of keeping verdicts, which counts those that are written."""

        def keep_and_count(verdicts: Sequence[Verdict]) -> Sync:
            sync = keep(verdicts)
            self.count(verdicts)
            self._open -= len(verdicts)
            return sync

        return keep_and_count

    def within(self, requests: Iterator[JudgeRequest]) -> Iterator[JudgeRequest]:
        """The requests, as long as the limit allows; those that were drawn are asked and kept as ever.

        Where it stops before their end, it may go on when it is called again: batches turn out cheaper than expected.
        """
        self._is_reached = False
        for request in requests:
            if not self.has_room(self._open):
                self._is_reached = True
                return
            self._open += 1
            yield request

    def require_whole(self) -> None:
        """Makes sure that every request could be drawn in the end.

        Raises:
            CostLimitError: The limit did not allow it.
        """
        if not self._is_reached or self._limit is None:
            return
        so_far = f"{print_money(self.spent)} of {print_money(self._limit)} are spent on {plural(self._paid, 'verdict')}"
        if self.unpriced is not None:
            raise CostLimitError(
                f"--max-cost cannot be kept any more: {self.unpriced}; {so_far}",
                "Give the price in a file by --prices (docs/prices.md), or go on without --max-cost.",
            )
        raise CostLimitError(
            f"The limit of --max-cost is reached: {so_far}, and another would go beyond it",
            "Give a higher --max-cost, which counts what is spent already, or none.",
        )

    def has_room(self, in_flight: int = 0, guess: Fraction = Fraction(0)) -> bool:
        """Whether the limit allows one more request.

        Args:
            in_flight: How many are being asked, each of which is taken to cost what the others did.
            guess: What is taken for that where no other is paid yet; the very first request is always allowed.
        """
        if self._limit is None:
            return True
        mean = self.spent / self._paid if self._paid else guess if in_flight else Fraction(0)
        expected = self.spent + mean * (in_flight + 1)
        return self.unpriced is None and self.spent < self._limit and expected <= self._limit
