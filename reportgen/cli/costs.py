"""What is printed about costs: an estimate before judging, the cost after it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.analysis.pricing import Unpriced
    from reportgen.pipeline.estimate import Forecast, Span
    from reportgen.pipeline.judge import JudgeOrder


def tell_estimate(order: "JudgeOrder", console: Console) -> None:
    """Says what an order would cost, from what that follows, and what is not known."""
    from reportgen.pipeline.estimate import estimate_cost

    for name, value in _say(estimate_cost(order, lambda: datetime.now(UTC))):
        console.result(f"{name:<12}{value}")
    console.say("This is an estimate: no verdict was asked for, nothing was spent, and no run was made.")


def tell_cost(folder: Path, console: Console) -> None:
    """Says what the judging of a finished run cost."""
    from reportgen.analysis.spending import build_spending
    from reportgen.archive.records import open_records
    from reportgen.publishing.spending import say_cost

    records = open_records(folder)
    spending = build_spending(records.paid(), records.run.manifest)
    if spending.asked:
        console.say(f"cost: {say_cost(spending)}")


def _say(forecast: "Forecast") -> list[tuple[str, str]]:
    from reportgen.analysis.spending import RECORDED

    judge = forecast.judge
    said = [("judge", f"{judge.name}" + (f", effort {judge.effort}" if judge.effort else ""))]
    said.append(("requests", _say_requests(forecast)))
    if judge.provider == RECORDED:
        return [*said, ("cost", "$0: no judge is asked")]
    return [
        *said,
        ("tokens in", _say_prompt(forecast)),
        ("tokens out", _say_output(forecast)),
        ("cost live", _say_span(forecast.live)),
        ("cost batch", _say_span(forecast.batch) if forecast.batch else "not offered by this judge"),
        ("not in it", "requests that fail and are sent again, and what an unfinished run already holds"),
    ]


def _say_requests(forecast: "Forecast") -> str:
    from reportgen.publishing.printing import plural, print_count

    extra = f", {print_count(forecast.extra)} of them for repeats and canaries" if forecast.extra else ""
    return f"{print_count(forecast.requests)} for {plural(forecast.turns, 'turn')}{extra}"


def _say_prompt(forecast: "Forecast") -> str:
    from reportgen.pipeline.estimate import BYTES_A_TOKEN
    from reportgen.publishing.printing import plural, print_count

    how = f"counted by the provider on {plural(forecast.counted, 'request')}"
    if not forecast.counted:
        how = f"from bytes, {BYTES_A_TOKEN} to a token, since the judge did not count them: {forecast.why_not}"
    shared = f"{print_count(forecast.common)} of them the prompt that all share, which its cache may keep"
    return f"about {print_count(forecast.prompt)}, {shared} ({how})"


def _say_output(forecast: "Forecast") -> str:
    from reportgen.publishing.printing import print_count

    low, high = forecast.output
    total = f"{print_count(low * forecast.requests)} to {print_count(high * forecast.requests)}"
    return f"{total} (an assumption, not a measurement: {low:,} to {high:,} a request, thinking included)"


def _say_span(span: "Span | Unpriced") -> str:
    from reportgen.analysis.pricing import Unpriced
    from reportgen.publishing.printing import print_money

    if isinstance(span, Unpriced):
        return f"unknown: {span.reason}"
    return f"{print_money(span[0])} to {print_money(span[1])}"
