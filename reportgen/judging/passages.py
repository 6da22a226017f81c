"""Retrieved passages as the judge sees them, within limits, each cut noted."""

from collections.abc import Sequence
from typing import Any

from reportgen.judging.cuts import Cutter, present
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Passage, Retrieval


def show_retrieval(event: Retrieval, limits: EvidenceLimits, cutter: Cutter) -> dict[str, Any]:
    """The passages as they were retrieved; null where an ended search's passages were not captured."""
    head = present(
        query=cutter.text("query", event.query, limits.question),
        strategy=cutter.text("strategy", event.strategy, limits.cell),
        engine=cutter.text("engine", event.engine, limits.cell),
        top_k=event.top_k,
        status=event.status,
        error=cutter.text("error", event.error, limits.output),
        duration_ms=event.duration_ms,
        capture_notes=list(event.notes) or None,
    )
    if event.passages is None:
        return head | ({"passages": None} if event.status == "ok" else {})
    shown = show_passages(event.passages, limits, cutter)
    return head | {"passages": shown, "passages_shown": len(shown), "passages_captured": len(event.passages)}


def show_passages(passages: Sequence[Passage], limits: EvidenceLimits, cutter: Cutter) -> list[dict[str, Any]]:
    """The first passages, as many as the limits allow; the first one always, cut to its own limit."""
    shown: list[dict[str, Any]] = []
    room = limits.context
    for number, passage in enumerate(passages[: limits.passages], start=1):
        room -= min(len(passage.text or ""), limits.passage)
        if shown and room < 0:
            break
        shown.append(_passage(number, passage, limits, cutter))
    if len(shown) < len(passages):
        cutter.notes.append(f"passages: showing the first {len(shown):,} of {len(passages):,} captured")
    return shown


def _passage(number: int, passage: Passage, limits: EvidenceLimits, cutter: Cutter) -> dict[str, Any]:
    place = f"passage {number}"
    return {
        **present(
            passage=number,
            rank=passage.rank,
            id=cutter.text(f"{place}, id", passage.id, limits.cell),
            source=cutter.text(f"{place}, source", passage.source, limits.cell),
            score=passage.score,
        ),
        "text": cutter.text(place, passage.text, limits.passage),
    }
