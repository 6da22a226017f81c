"""What a run cost: requests, tokens, time and money, from the attempts that stand in its verdicts.

Tokens are the truth, as the provider reported them; the cost follows from them and from the prices kept with the run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction

from reportgen.analysis.pricing import Tokens, Unpriced, price_attempt, read_tokens
from reportgen.model.price import Price
from reportgen.model.run import Manifest
from reportgen.model.verdict import Attempt, Judge, Verdict
from reportgen.record import Exact

RECORDED = "recorded"
"""The provider of verdicts that were replayed, for which nobody was asked."""


@dataclass(frozen=True, slots=True)
class Use:
    """What some requests used.

    `reported` counts the requests with a token usage; tokens and cost are of these. `input` are the tokens of the
    prompts that the provider's cache had no part in. `output` includes `thinking`, which is None where no answer told
    it. `cost` is in US dollars and of the answers with a known price; `unpriced` counts the others.
    """

    requests: int
    reported: int
    input: int
    cache_written: int
    cache_read: int
    output: int
    thinking: int | None
    cost: Exact
    unpriced: int


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run cost.

    `asked` is False where all verdicts were replayed, so that nothing was spent; `by_parent` says that the verdicts
    are those of the runs that this one was made from, and were paid for there. `calls` are the judge calls with a
    verdict. `cost` is in US dollars, or None where the price of any answer is not known, for the reasons in
    `unknown`; `total.cost` then has the part that is known. `unanswered` counts single requests that ended without an
    answer of any kind: whether the provider charged for them is not known. `cache_share` is the share of the prompts'
    tokens that were read from the cache, 0 to 1. `prices_checked` is the oldest day on which a price was looked up.
    `batched` counts the requests that went in batches, whose time is that of the batch. `request_seconds` sums up how
    long the others took, None if there were none; `wall_seconds` is from the beginning of judging to its end, with any
    interruption.
    """

    asked: bool
    by_parent: bool
    calls: int
    total: Use
    by_outcome: dict[str, Use]
    unanswered: int
    batched: int
    cache_share: Exact | None
    cost: Exact | None
    unknown: tuple[str, ...]
    prices_checked: date | None
    request_seconds: Exact | None
    wall_seconds: Exact | None


def build_spending(verdicts: Iterable[Verdict], manifest: Manifest) -> Spending:
    """What the requests on the way to the verdicts of a run cost, by the prices in its manifest."""
    spent = add_up(verdicts, manifest.prices or ())
    asked = spent.asked if spent.calls else manifest.judge.provider != RECORDED
    return replace(
        spent,
        asked=asked,
        by_parent=manifest.panel is not None or manifest.is_rescored,
        wall_seconds=_wall_seconds(manifest) if asked else None,
    )


def add_up(verdicts: Iterable[Verdict], prices: Sequence[Price]) -> Spending:
    """What the requests on the way to these verdicts cost, by these prices, whatever run they may be of."""
    count = _Count(prices)
    for verdict in verdicts:
        count.add(verdict)
    total = count.total.use()
    # Who was asked and reported nothing may still charge; that is unknown, and not free.
    silent = {"no answer reported any tokens"} if count.asked and total.requests and not total.reported else set()
    prompts = total.input + total.cache_written + total.cache_read
    return Spending(
        asked=count.asked,
        by_parent=False,
        calls=count.calls,
        total=total,
        by_outcome={outcome: tally.use() for outcome, tally in sorted(count.outcomes.items())},
        unanswered=count.unanswered,
        batched=count.batched,
        cache_share=Fraction(total.cache_read, prompts) if prompts else None,
        cost=None if total.unpriced or silent else total.cost,
        unknown=tuple(sorted(count.unknown | silent)),
        prices_checked=min((price.checked for price in prices), default=None),
        request_seconds=count.seconds if total.requests > count.batched else None,
        wall_seconds=None,
    )


def _wall_seconds(manifest: Manifest) -> Fraction | None:
    if manifest.finished_at is None or manifest.fixed_clock is not None:
        return None
    took = manifest.finished_at - manifest.started_at
    return Fraction(took // timedelta(microseconds=1), 1_000_000)


@dataclass(slots=True)
class _Tally:
    """A growing sum."""

    requests: int = 0
    reported: int = 0
    input: int = 0
    cache_written: int = 0
    cache_read: int = 0
    output: int = 0
    thinking: int | None = None
    cost: Fraction = Fraction(0)
    unpriced: int = 0

    def add(self, tokens: Tokens | None, cost: Fraction | Unpriced | None) -> None:
        self.requests += 1
        self.reported += cost is not None
        if tokens is not None:
            self.input += tokens.input
            self.cache_written += tokens.write_5m + tokens.write_1h
            self.cache_read += tokens.read
            self.output += tokens.output
            self.thinking = _sum_known(self.thinking, tokens.thinking)
        if isinstance(cost, Unpriced):
            self.unpriced += 1
        elif cost is not None:
            self.cost += cost

    def use(self) -> Use:
        return Use(
            requests=self.requests,
            reported=self.reported,
            input=self.input,
            cache_written=self.cache_written,
            cache_read=self.cache_read,
            output=self.output,
            thinking=self.thinking,
            cost=self.cost,
            unpriced=self.unpriced,
        )


def _sum_known(total: int | None, more: int | None) -> int | None:
    return total if more is None else (total or 0) + more


@dataclass(slots=True)
class _Count:
    """Goes through verdicts once and counts what their requests used."""

    prices: Sequence[Price]
    asked: bool = False
    calls: int = 0
    total: _Tally = field(default_factory=_Tally)
    outcomes: dict[str, _Tally] = field(default_factory=dict)
    unanswered: int = 0
    batched: int = 0
    unknown: set[str] = field(default_factory=set)
    seconds: Fraction = Fraction(0)

    def add(self, verdict: Verdict) -> None:
        self.calls += 1
        if verdict.judge.provider == RECORDED:
            return
        self.asked = True
        for attempt in verdict.attempts:
            self._add_attempt(attempt, verdict.judge)

    def _add_attempt(self, attempt: Attempt, judge: Judge) -> None:
        tokens = read_tokens(attempt.usage) if attempt.usage is not None else None
        cost = price_attempt(attempt, judge, self.prices)
        self.total.add(tokens, cost)
        self.outcomes.setdefault(attempt.outcome, _Tally()).add(tokens, cost)
        self.batched += attempt.batch is not None
        if attempt.batch is None:
            self.unanswered += attempt.status is None and attempt.usage is None
            # The decimal that was stored, not the binary fraction next to it.
            self.seconds += Fraction(repr(attempt.seconds))
        if isinstance(cost, Unpriced):
            self.unknown.add(cost.reason)
