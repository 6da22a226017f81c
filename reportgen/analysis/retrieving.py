"""How a turn was retrieved for: what its retrievals state, else what its labels say."""

from dataclasses import dataclass

from reportgen.model.turn import Retrieval, Turn


@dataclass(frozen=True, slots=True)
class Retrieving:
    """The engine, the strategy and how many passages were asked for; None where the capture does not say."""

    engine: str | None
    strategy: str | None
    top_k: int | None


def find_retrieving(turn: Turn) -> Retrieving:
    """Of several retrievals the first that states it; without one the labels `engine`, `strategy` and `top_k`."""
    events, labels = turn.retrievals, turn.labels
    asked, count = next((event.top_k for event in events if event.top_k is not None), None), labels.get("top_k", "")
    return Retrieving(
        engine=_first(events, "engine") or labels.get("engine"),
        strategy=_first(events, "strategy") or labels.get("strategy"),
        top_k=int(count) if asked is None and count.isascii() and count.isdecimal() and len(count) < 10 else asked,
    )


def list_knobs(turn: Turn) -> dict[str, str]:
    """What may be changed about how a turn is answered, as far as retrievals and the capture say; labels are not asked.

    The names are those that labels for the same have.
    """
    events = turn.retrievals
    top_k = next((event.top_k for event in events if event.top_k is not None), None)
    found = {
        "engine": _first(events, "engine"),
        "strategy": _first(events, "strategy"),
        "top_k": None if top_k is None else str(top_k),
        "model": turn.model,
    }
    return {name: value for name, value in found.items() if value}


def _first(events: tuple[Retrieval, ...], name: str) -> str | None:
    return next((found for event in events if (found := getattr(event, name))), None)
