"""A trace as turns are made from it: spans with what they mean, whatever program recorded them."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

Kind = Literal[
    "llm", "retriever", "reranker", "tool", "database", "agent", "chain", "embedding", "guardrail", "evaluator", "other"
]
ENTRANCES = ("agent", "chain", "other")
"""Kinds of spans that a user may call, and that call others."""


_END = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class Span:
    """One step of a trace.

    Attributes:
        place: Where it stands, for errors.
        input: What went in, as it was recorded: of a tool its arguments, of a retriever its query.
        output: What came out; of a retriever the passages.
        messages_in: The messages that a model was given, where they stand apart from the input.
        messages_out: What the model wrote, likewise.
        tool: The name of a tool; of a database span its dialect.
        error: How it failed; None where it did not.
        labels: What the span says of the collection and the like.
        others: How many verdicts and scores of other programs stand with it.
        is_trace: Whether it stands for the trace itself and was no step.
    """

    place: str
    kind: Kind = "other"
    name: str = ""
    id: str | None = None
    parent: str | None = None
    trace: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    error: str | None = None
    input: Any = None
    output: Any = None
    messages_in: Any = None
    messages_out: Any = None
    model: str | None = None
    tool: str | None = None
    call_id: str | None = None
    top_k: int | None = None
    row_count: int | None = None
    conversation: str | None = None
    agent: str | None = None
    version: str | None = None
    service: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    others: int = 0
    is_trace: bool = False

    @property
    def duration_ms(self) -> float | None:
        """How long it took; None where a time is missing or the end lies before the start."""
        if self.start is None or self.end is None or self.end < self.start:
            return None
        return round((self.end - self.start).total_seconds() * 1000, 3)


def order_spans(spans: Iterable[Span]) -> list[Span]:
    """The spans by their start; those without one keep their place after those before them."""
    spans = list(spans)
    if any(span.start is None for span in spans):
        return spans
    return sorted(spans, key=lambda span: span.start or _END)


def split_roots(spans: Sequence[Span]) -> list[list[Span]]:
    """The spans of a trace by the roots that are turns of their own, the root first.

    A trace with one root is one group. One with several is still one, unless several of them are agents, chains or
    the like that have an input of their own and of which none runs within another. Then each of these is a group with
    all below it, and a span that is below none goes to the one that was running when it began, or else to the first.
    """
    ids = {span.id for span in spans if span.id}
    roots = [span for span in spans if span.parent is None or span.parent not in ids]
    entrances = [root for root in roots if root.kind in ENTRANCES and root.input is not None]
    entrances = _drop_covered(entrances)
    if len(entrances) < 2:
        first = entrances or sorted(roots, key=lambda root: root.kind not in ENTRANCES) or list(spans)
        return [[first[0], *(span for span in spans if span is not first[0])]]
    return _gather(spans, entrances)


def _drop_covered(roots: Sequence[Span]) -> list[Span]:
    """The roots of which none runs within another, longer one."""
    timed = [root for root in roots if root.start is not None and root.end is not None]
    covered: set[int] = set()
    longest: Span | None = None
    for root in sorted(timed, key=lambda root: (root.start or _END, -(root.duration_ms or 0))):
        if longest is not None and (root.end or _END) <= (longest.end or _END):
            if (root.duration_ms or 0) < (longest.duration_ms or 0):
                covered.add(id(root))
        else:
            longest = root
    return [root for root in roots if id(root) not in covered]


def group_traces(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """The spans by trace, in the order in which each begins; a span that names none is a trace of its own."""
    traces: dict[str, list[Span]] = {}
    for number, span in enumerate(spans):
        traces.setdefault(span.trace or f"#{number}", []).append(span)
    for name in list(traces):
        yield traces.pop(name)


def _gather(spans: Sequence[Span], roots: Sequence[Span]) -> list[list[Span]]:
    by_id: dict[str | None, Span] = {span.id: span for span in spans if span.id}
    groups = {id(root): [root] for root in roots}
    tops: dict[int, Span] = {}
    timed = sorted((root for root in roots if root.start is not None), key=lambda root: root.start or _END)
    starts = [root.start or _END for root in timed]
    for span in spans:
        if id(span) not in groups:
            top = _climb(span, by_id, tops)
            groups[id(top) if id(top) in groups else id(_running(top, timed or roots, starts))].append(span)
    return list(groups.values())


def _climb(span: Span, by_id: dict[str | None, Span], tops: dict[int, Span]) -> Span:
    """The topmost span above, which is remembered for all on the way."""
    way: list[Span] = []
    seen: set[int] = set()
    while span.parent in by_id and id(span) not in seen and id(span) not in tops:
        seen.add(id(span))
        way.append(span)
        span = by_id[span.parent]
    top = tops.get(id(span), span)
    tops.update((id(item), top) for item in way)
    return top


def _running(span: Span, roots: Sequence[Span], starts: Sequence[datetime]) -> Span:
    """Of the roots by their start, of which none runs within another, the last that was running then."""
    place = bisect_right(starts, span.start) - 1 if span.start is not None else -1
    if place < 0 or span.start is None:
        return roots[0]
    end = roots[place].end
    return roots[place] if end is not None and span.start <= end else roots[0]


def cover_ms(spans: Iterable[Span]) -> float | None:
    """For how long at least one of the spans was running, in milliseconds; None where none has both times.

    >>> at = datetime.fromisoformat
    >>> one = Span("", start=at("2026-01-01T00:00:00Z"), end=at("2026-01-01T00:00:02Z"))
    >>> other = Span("", start=at("2026-01-01T00:00:01Z"), end=at("2026-01-01T00:00:03Z"))
    >>> cover_ms([one, other])
    3000.0
    """
    times = sorted(_times(spans))
    if not times:
        return None
    total, reached = 0.0, times[0][0]
    for start, end in times:
        if end > reached:
            total += round((end - max(start, reached)).total_seconds() * 1000, 3)
            reached = end
    return round(total, 3)


def _times(spans: Iterable[Span]) -> Iterator[tuple[datetime, datetime]]:
    for span in spans:
        if span.start is not None and span.end is not None and span.end >= span.start:
            yield span.start, span.end
