"""What an answer cost: its tokens as the provider reported them, times the price of its model on its day."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from fractions import Fraction
from typing import Any

from reportgen.model.price import Price, Rates
from reportgen.model.verdict import Attempt, Judge, Verdict

_MILLION = 1_000_000
_DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})")
"""What stands after a model's name where its id also names the day of its release."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one answer.

    `input` are those of the prompt that were neither written to the provider's cache nor read from it. `output`
    includes `thinking`, which is None where the provider does not tell it.
    """

    input: int
    output: int
    write_5m: int = 0
    write_1h: int = 0
    read: int = 0
    thinking: int | None = None

    @property
    def prompt(self) -> int:
        """All tokens of the prompt, cached or not."""
        return self.input + self.write_5m + self.write_1h + self.read


@dataclass(frozen=True, slots=True)
class Unpriced:
    """Why the cost of an answer is not known."""

    reason: str


def read_tokens(usage: Mapping[str, Any]) -> Tokens | None:
    """The tokens in a usage as Anthropic or OpenAI report it; None where it is of neither form.

    >>> read_tokens({"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 80}})
    Tokens(input=20, output=7, write_5m=0, write_1h=0, read=80, thinking=None)
    """
    if _is_count(usage.get("input_tokens")) and _is_count(usage.get("output_tokens")):
        return _read_anthropic(usage)
    if _is_count(usage.get("prompt_tokens")) and _is_count(usage.get("completion_tokens")):
        return _read_openai(usage)
    return None


def _read_anthropic(usage: Mapping[str, Any]) -> Tokens:
    """Where it is not told for how long tokens were written to the cache, it was the usual 5 minutes."""
    details = _inner(usage, "cache_creation")
    hour = _count(details.get("ephemeral_1h_input_tokens"))
    written = _count(usage.get("cache_creation_input_tokens"))
    written = max(written, hour + _count(details.get("ephemeral_5m_input_tokens")))
    thinking = _inner(usage, "output_tokens_details").get("thinking_tokens")
    return Tokens(
        input=usage["input_tokens"],
        output=usage["output_tokens"],
        write_5m=written - hour,
        write_1h=hour,
        read=_count(usage.get("cache_read_input_tokens")),
        thinking=thinking if _is_count(thinking) else None,
    )


def _read_openai(usage: Mapping[str, Any]) -> Tokens:
    """Here the tokens of the prompt include the cached ones."""
    details = _inner(usage, "prompt_tokens_details")
    read, written = _count(details.get("cached_tokens")), _count(details.get("cache_write_tokens"))
    thinking = _inner(usage, "completion_tokens_details").get("reasoning_tokens")
    return Tokens(
        input=max(usage["prompt_tokens"] - read - written, 0),
        output=usage["completion_tokens"],
        write_5m=written,
        read=read,
        thinking=thinking if _is_count(thinking) else None,
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _count(value: Any) -> int:
    return int(value) if _is_count(value) else 0


def _inner(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    inner = usage.get(name)
    return inner if isinstance(inner, dict) else {}


def find_price(provider: str, model: str, day: date, prices: Iterable[Price]) -> Price | None:
    """The price of a model on a day.

    A row fits a model of the very same name, and one whose name goes on with the day of its release, such as
    `claude-haiku-4-5-20251001` for `claude-haiku-4-5`; a row of the very same name goes before. Of the rows that fit
    it is the last that had begun.
    """
    begun = [row for row in prices if row.provider == provider and row.starts <= day]
    fitting = [row for row in begun if row.model == model] or [row for row in begun if is_named(model, row.model)]
    return max(fitting, key=lambda row: row.starts, default=None)


def is_named(model: str, name: str) -> bool:
    """Whether a model's id is that name, or the name and the day of its release.

    >>> is_named("claude-haiku-4-5-20251001", "claude-haiku-4-5"), is_named("claude-opus-5-5", "claude-opus-5")
    (True, False)
    """
    return model == name or (model.startswith(name) and _DATED.fullmatch(model[len(name) :]) is not None)


def cost_of(tokens: Tokens, price: Price, usage: Mapping[str, Any]) -> Fraction | Unpriced:
    """US dollars for an answer, exactly; or why they are not known.

    Args:
        tokens: What it used.
        price: The price of its model on its day.
        usage: The whole usage, which also tells the tier, the speed and the place of the answer.
    """
    factor = _read_factor(price, usage)
    if isinstance(factor, Unpriced):
        return factor
    rates: Rates = price.long if price.long is not None and tokens.prompt > price.long.over else price
    parts = (
        ("input", tokens.input, rates.input),
        ("output", tokens.output, rates.output),
        ("tokens read from the cache", tokens.read, rates.cache_read),
        ("tokens written to the cache for 5 minutes", tokens.write_5m, rates.write_5m),
        ("tokens written to the cache for an hour", tokens.write_1h, rates.write_1h),
    )
    total = Fraction(0)
    for name, count, rate in parts:
        if count and rate is None:
            return Unpriced(f"the price of {price.provider}:{price.model} does not say what {name} cost")
        total += count * (rate or 0)
    return factor * total / _MILLION


def _read_factor(price: Price, usage: Mapping[str, Any]) -> Fraction | Unpriced:
    """The factor on all rates that follows from tier, speed and place."""
    factor = Fraction(1)
    for name, factors in (
        ("service_tier", {"batch": price.batch, "standard": factor, "default": factor}),
        ("inference_geo", {"us": price.us, "global": factor, "not_available": factor}),
        ("speed", {"standard": factor}),
    ):
        value = usage.get(name)
        if value is None:
            continue
        found = factors.get(value) if isinstance(value, str) else None
        if found is None:
            shown = repr(value)[:40]
            return Unpriced(f"the price of {price.provider}:{price.model} does not say what {name} {shown} costs")
        factor *= found
    return factor


def price_attempt(attempt: Attempt, judge: Judge, prices: Iterable[Price]) -> Fraction | Unpriced | None:
    """What one request cost, in US dollars; None where no usage was reported, so that nothing is known to be owed."""
    if attempt.usage is None:
        return None
    tokens = read_tokens(attempt.usage)
    if tokens is None:
        return Unpriced("the usage that was reported is of no known form")
    price = price_for(attempt, judge, prices)
    if price is None:
        day = attempt.asked_at.astimezone(UTC).date()
        return Unpriced(f"no price is known for {judge.provider}:{attempt.model or judge.model} on {day}")
    usage = attempt.usage if attempt.batch is None else {**attempt.usage, "service_tier": "batch"}
    return cost_of(tokens, price, usage)


def price_for(attempt: Attempt, judge: Judge, prices: Iterable[Price]) -> Price | None:
    """The price by which a request is charged: that of the model that answered, on the day (UTC) of the request."""
    day = attempt.asked_at.astimezone(UTC).date()
    return find_price(judge.provider, attempt.model or judge.model, day, prices)


def used_prices(verdicts: Iterable[Verdict], prices: Sequence[Price]) -> tuple[Price, ...]:
    """Those of the prices by which a request on the way to these verdicts is charged, in their order."""
    used = {
        (price.provider, price.model, price.starts)
        for verdict in verdicts
        for attempt in verdict.attempts
        if attempt.usage is not None and (price := price_for(attempt, verdict.judge, prices)) is not None
    }
    return tuple(row for row in prices if (row.provider, row.model, row.starts) in used)
