"""What judging would cost, before anything is spent: no verdict is asked for, and no run is made."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from math import ceil

from reportgen.analysis.pricing import Tokens, Unpriced, cost_of, find_price
from reportgen.errors import JudgeError, ModelError
from reportgen.judging.backends import open_backend
from reportgen.judging.batch_contract import OffersBatches
from reportgen.judging.canaries import count_canaries
from reportgen.judging.contract import CountsTokens, Retryable, Unanswerable
from reportgen.judging.prompts import JudgeRequest, build_requests
from reportgen.model.price import Price
from reportgen.model.rubric import Rubric
from reportgen.model.run import EvidenceLimits
from reportgen.model.verdict import Judge
from reportgen.pipeline.intake import Intake
from reportgen.pipeline.judge import JudgeOrder, rubric_of
from reportgen.pipeline.plan import Extras
from reportgen.prices import load_prices

SAMPLE = 20
"""So many requests, spread evenly over the file, are counted by the provider."""
BYTES_A_TOKEN = 3
"""Where no provider counts."""

OUTPUT = {
    "low": (300, 1_000),
    "medium": (400, 2_500),
    "high": (600, 5_000),
    "xhigh": (800, 8_000),
    "max": (1_000, 12_000),
}
"""Assumed tokens of output a request, thinking included, by effort: an assumption, and said to be one."""
_OUTPUT_UNTOLD = (300, 2_500)

Span = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What judging would take.

    `extra` of the requests are for repeats and canaries; they are taken to be as large as those of the turns.
    `prompt` are the tokens of all prompts, `common` those of them that all requests of a judge call share, so that the
    provider's cache can keep them. `counted` says on how many requests the provider counted tokens, 0 for none, and
    `why_not` why it did not. `output` is assumed for one request, least and most. `live` and `batch` are US dollars,
    least and most, or why they are not known; `batch` is None where the judge offers no batches.
    """

    judge: Judge
    turns: int
    requests: int
    extra: int
    prompt: int
    common: int
    counted: int
    why_not: str | None
    output: tuple[int, int]
    live: Span | Unpriced
    batch: Span | Unpriced | None


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The size of each request in bytes, the common part by judge call, and a sample of whole requests."""

    calls: list[str]
    sizes: list[int]
    common: dict[str, JudgeRequest]
    sample: list[JudgeRequest]
    turns: int


@dataclass(frozen=True, slots=True)
class _Rates:
    """Tokens of the common part by judge call, and tokens for a byte of the rest."""

    common: dict[str, int]
    a_byte: Fraction
    counted: int
    why_not: str | None = None


def estimate_cost(order: JudgeOrder, clock: Callable[[], datetime]) -> Forecast:
    """What an order would cost if it were carried out from its beginning.

    Raises:
        ReportgenError: Turns, rubric, prices or the name of the judge are wrong.
    """
    rubric, prices = rubric_of(order), load_prices(order.prices)
    return asyncio.run(_estimate(order, rubric, prices, clock().astimezone(UTC)))


async def _estimate(order: JudgeOrder, rubric: Rubric, prices: Sequence[Price], now: datetime) -> Forecast:
    backend = open_backend(order.judge, order.effort, order.timeout)
    sizes = _measure(order, rubric, backend.judge)
    rates = await _count(sizes, backend) if isinstance(backend, CountsTokens) else _guess(sizes, "it cannot count them")
    judge = backend.judge
    price = find_price(judge.provider, judge.model, now.date(), prices)
    forecast = _build(sizes, rates, judge, price, _count_extras(order.extras, judge, rubric, sizes.turns))
    return forecast if isinstance(backend, OffersBatches) else replace(forecast, batch=None)


def expect_cost(request: JudgeRequest, judge: Judge, price: Price) -> Fraction:
    """The most, in US dollars, that a request is taken to cost before any like it was answered."""
    common = ceil(len((request.system + json.dumps(request.schema)).encode()) / BYTES_A_TOKEN)
    own, output = ceil(len(request.user.encode()) / BYTES_A_TOKEN), OUTPUT.get(judge.effort or "", _OUTPUT_UNTOLD)[1]
    cost = cost_of(_uncached(common, own, output, price, in_batch=False), price, {})
    return Fraction(0) if isinstance(cost, Unpriced) else cost


def _count_extras(extras: Extras, judge: Judge, rubric: Rubric, turns: int) -> int:
    """How many requests there are beyond one reading of each turn, canaries included."""
    repeats = extras.repeats_of(turns)
    again = repeats.turns * (repeats.samples - 1) if repeats else 0
    canaries = count_canaries(rubric, turns) if extras.tests(judge) else 0
    return (again + canaries) * len(rubric.calls)


def _build(sizes: _Sizes, rates: _Rates, judge: Judge, price: Price | None, extra: int) -> Forecast:
    output = OUTPUT.get(judge.effort or "", _OUTPUT_UNTOLD)
    own = [ceil(size * rates.a_byte) for size in sizes.sizes]
    tokens = [(rates.common[call], rest) for call, rest in zip(sizes.calls, own, strict=True)]
    tokens += [tokens[number * len(own) // extra % len(own)] for number in range(extra)]
    unknown = Unpriced(f"no price is known for {judge.name}")
    return Forecast(
        judge=judge,
        turns=sizes.turns,
        requests=len(tokens),
        extra=extra,
        prompt=sum(common + rest for common, rest in tokens),
        common=sum(common for common, _ in tokens),
        counted=rates.counted,
        why_not=rates.why_not,
        output=output,
        live=unknown if price is None else _span(tokens, output, price, in_batch=False),
        batch=unknown if price is None else _span(tokens, output, price, in_batch=True),
    )


def _requests(order: JudgeOrder, rubric: Rubric, judge: Judge, intake: Intake) -> Iterator[JudgeRequest]:
    return build_requests(intake.read(), rubric, judge, EvidenceLimits(rows=order.rows))


def _measure(order: JudgeOrder, rubric: Rubric, judge: Judge) -> _Sizes:
    """Goes through the turns twice, since what is spread evenly is known only at their end."""
    intake = Intake(order.source, order.skip_bad, order.limit)
    calls: list[str] = []
    sizes: list[int] = []
    common: dict[str, JudgeRequest] = {}
    for request in _requests(order, rubric, judge, intake):
        calls.append(request.call)
        sizes.append(len(request.user.encode()))
        common.setdefault(request.call, replace(request, user="."))
    count = min(SAMPLE, len(calls))
    places = {(2 * number + 1) * len(calls) // (2 * count) for number in range(count)}
    again = _requests(order, rubric, judge, Intake(order.source, order.skip_bad, order.limit))
    sample = [request for place, request in enumerate(again) if place in places]
    return _Sizes(calls, sizes, common, sample, intake.turns)


def _guess(sizes: _Sizes, why: str) -> _Rates:
    """Tokens from bytes alone."""
    common = {
        call: ceil(len((request.system + json.dumps(request.schema)).encode()) / BYTES_A_TOKEN)
        for call, request in sizes.common.items()
    }
    return _Rates(common, Fraction(1, BYTES_A_TOKEN), 0, why)


async def _count(sizes: _Sizes, backend: CountsTokens) -> _Rates:
    """Lets the provider count: each common part once, and a sample of whole requests.

    Raises:
        ModelError: There is no such model. Any other trouble leaves the bytes to be guessed from.
    """
    try:
        async with backend:
            common = {call: await backend.count_tokens(request) for call, request in sizes.common.items()}
            whole = await asyncio.gather(*(backend.count_tokens(request) for request in sizes.sample))
    except ModelError:
        raise
    except JudgeError as error:
        return _guess(sizes, error.what)
    except (Retryable, Unanswerable) as trouble:
        return _guess(sizes, trouble.reason)
    rest = sum(max(count - common[request.call], 0) for count, request in zip(whole, sizes.sample, strict=True))
    size = sum(len(request.user.encode()) for request in sizes.sample)
    return _Rates(common, Fraction(rest, size), len(whole))


def _span(tokens: list[tuple[int, int]], output: tuple[int, int], price: Price, *, in_batch: bool) -> Span | Unpriced:
    """The least cost, where the cache answers for all common parts, and the most, where it never does."""
    usage = {"service_tier": "batch"} if in_batch else {}
    least = most = Fraction(0)
    for common, own in tokens:
        low = cost_of(Tokens(input=own, read=common, output=output[0]), price, usage)
        high = cost_of(_uncached(common, own, output[1], price, in_batch=in_batch), price, usage)
        if isinstance(low, Unpriced):
            return low
        if isinstance(high, Unpriced):
            return high
        least, most = least + low, most + high
    return least, most


def _uncached(common: int, own: int, output: int, price: Price, *, in_batch: bool) -> Tokens:
    """The tokens of a request for which the cache has nothing, so that the common part is written to it once more."""
    if price.write_5m is None:
        return Tokens(input=common + own, output=output)
    if in_batch:
        return Tokens(input=own, write_1h=common, output=output)
    return Tokens(input=own, write_5m=common, output=output)
