"""The turns of a run as raw rows in JSON, one page of them at a time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from reportgen.analysis.latencies import PARTS, stated_latency
from reportgen.analysis.retrieving import find_retrieving
from reportgen.analysis.statistics import build_query
from reportgen.model.rubric import Rubric
from reportgen.model.run import RunFile
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.publishing.plain_json import round_number, write_plain_json
from reportgen.publishing.statistics import print_time, score_key

FORMAT = "reportgen/records/1"


@dataclass(frozen=True, slots=True)
class Page:
    """Which rows of a run: from `offset` on, counted from 0, at most `limit`.

    `withdrawn` says that the report of the run no longer stands. `read` gives the turns with their scores from a place
    on, up to another, one at a time.
    """

    run: RunFile
    withdrawn: bool
    offset: int
    limit: int
    read: Callable[[int, int], Iterator[tuple[Turn, Score]]]


def render_page(page: Page) -> Iterator[str]:
    """The page as JSON, one row a line, so that no more than one row is in memory."""
    bounds = bound_page(page.run.summary.turns, page.offset, page.limit)
    head = {
        "format": FORMAT,
        "run": page.run.manifest.run_id,
        "seal": page.run.seal,
        "withdrawn": page.withdrawn,
        "total": page.run.summary.turns,
        "scored": page.run.summary.scored,
        **bounds,
    }
    pairs = page.read(page.offset, page.offset + (bounds["count"] or 0))
    return render_list(head, "records", (build_raw_row(turn, score, page.run.rubric) for turn, score in pairs))


def bound_page(total: int, offset: int, limit: int) -> dict[str, int | None]:
    """How far a page reaches, by the names under which it says so.

    >>> bound_page(7, 5, 50)
    {'offset': 5, 'limit': 50, 'count': 2, 'next_offset': None}
    """
    count = max(min(limit, total - offset), 0)
    following = offset + count if count and offset + count < total else None
    return {"offset": offset, "limit": limit, "count": count, "next_offset": following}


def render_list(head: dict[str, Any], name: str, rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A JSON object that ends with a list of rows, one a line, so that no more than one row is in memory."""
    yield f'{write_plain_json(head).removesuffix("}")}, "{name}": ['
    mark = "\n"
    for row in rows:
        yield mark + write_plain_json(row)
        mark = ",\n"
    yield "\n]}\n"


def build_raw_row(turn: Turn, score: Score, rubric: Rubric) -> dict[str, Any]:
    """All that was captured and judged of a turn but its other events, by the names of the statistics."""
    query, found = build_query(turn, score, rubric), find_retrieving(turn)
    return {
        "id": turn.id,
        "question": turn.question,
        "answer": turn.answer.text if turn.answer else None,
        **{score_key(name): round_number(value) for name, value in query.values.items()},
        **({"band": score.band} if rubric.has_composite else {}),
        "scorer_error": query.failure,
        "unscored": score.unscored,
        **{f"{part}_latency_ms": round_number(stated_latency(turn.latency, part)) for part in PARTS},
        "engine": found.engine,
        "retrieval_strategy": found.strategy,
        "top_k": found.top_k,
        "passages": _list_passages(turn),
        "model": turn.model,
        "agent": turn.agent.name,
        "agent_version": turn.agent.version,
        "collection": turn.labels.get("collection"),
        "labels": dict(turn.labels),
        "conversation": turn.conversation_or_bundle,
        "created_at": print_time(turn.captured_at),
        "created_at_assumed": turn.captured_at_assumed,
    }


def _list_passages(turn: Turn) -> list[dict[str, Any]] | None:
    """The passages of all retrievals in their order; None where none was captured."""
    captured = [event.passages for event in turn.retrievals if event.passages is not None]
    if not captured:
        return None
    names = ("rank", "id", "source", "score", "text")
    return [{name: getattr(item, name) for name in names} for item in chain.from_iterable(captured)]
