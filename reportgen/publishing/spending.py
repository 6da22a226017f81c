"""What a run cost, in words: tokens, money, the share of the cache, and time."""

from reportgen.analysis.spending import Spending, Use
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_date,
    print_money,
    print_percent,
    print_span,
)
from reportgen.publishing.text import clean

NOTHING = "No judge was asked; nothing was spent."

_OUTCOMES = {
    "ok": "a usable reply",
    "refused": "refused",
    "truncated": "a reply that was cut off",
    "invalid": "a reply of another shape",
    "empty": "an empty reply",
    "request_error": "rejected as a request",
    "gave_up": "no answer",
}
"""How a request ended, in words."""


def say_spending(spending: Spending) -> list[tuple[str, str]]:
    """What a run cost, each fact with its name."""
    if not spending.asked:
        return [("Cost", NOTHING)]
    return [
        ("Requests", _say_requests(spending)),
        ("Tokens", say_tokens(spending.total)),
        ("Read from the provider's cache", _say_share(spending)),
        ("Cost", say_cost(spending)),
        *_say_time(spending),
    ]


def say_in_short(spending: Spending) -> str:
    """Requests, tokens and cost in one line."""
    return f"{_say_requests(spending)}; tokens: {say_tokens(spending.total)}; cost: {say_cost(spending)}"


def _say_requests(spending: Spending) -> str:
    said = f"{plural(spending.total.requests, 'request')} for {plural(spending.calls, 'judge call')}"
    if spending.by_parent:
        said += ", all of them made for what this run was made from"
    if spending.unanswered:
        said += f"; {print_count(spending.unanswered)} ended without an answer, and may have been charged or not"
    return said


def say_tokens(use: Use) -> str:
    """The tokens, by what became of them."""
    if not use.reported:
        return "none were reported"
    prompts = use.input + use.cache_written + use.cache_read
    said = f"{print_count(prompts)} in, {print_count(use.output)} out"
    if use.thinking is not None:
        said += f" (of which {print_count(use.thinking)} for thinking)"
    if use.cache_written or use.cache_read:
        said += f"; of those in, {print_count(use.cache_read)} were read from the provider's cache"
        said += f" and {print_count(use.cache_written)} written to it"
    return said


def _say_share(spending: Spending) -> str:
    total = spending.total
    prompts = total.input + total.cache_written + total.cache_read
    return f"{print_percent(total.cache_read, prompts)} of the tokens in" if prompts else "no tokens in were reported"


def say_cost(spending: Spending) -> str:
    """The cost in US dollars, or why it is unknown."""
    total = spending.total
    if spending.cost is None:
        said = f"unknown, since {'; '.join(map(clean, spending.unknown))}"
        priced = total.reported - total.unpriced
        if priced:
            said += (
                f" ({plural(total.unpriced, 'answer')}); {print_money(total.cost)} for the other {print_count(priced)}"
            )
        return said
    checked = spending.prices_checked
    return f"{print_money(spending.cost)} at list prices" + (
        f", last checked on {print_date(checked)}" if checked else ""
    )


def _say_time(spending: Spending) -> list[tuple[str, str]]:
    wall, requests = spending.wall_seconds, spending.request_seconds
    facts = []
    if wall is not None and not spending.by_parent:
        facts.append(("Time of judging", f"{print_span(wall)} from beginning to end, with any interruption"))
    if requests is not None:
        which = "requests that went by themselves" if spending.batched else "all requests"
        facts.append((f"Time of {which} together", print_span(requests)))
    return facts


def build_spending_table(spending: Spending) -> list[dict[str, str]]:
    """What the requests used, by their outcome; none where no judge was asked."""
    return [
        {
            "outcome": _OUTCOMES.get(outcome, outcome),
            "requests": print_count(use.requests),
            "tokens_in": print_count(use.input + use.cache_written + use.cache_read) if use.reported else NONE,
            "tokens_out": print_count(use.output) if use.reported else NONE,
            "cost": _print_cost(use),
        }
        for outcome, use in spending.by_outcome.items()
    ]


def _print_cost(use: Use) -> str:
    if not use.reported:
        return NONE
    return "unknown" if use.unpriced else print_money(use.cost)
