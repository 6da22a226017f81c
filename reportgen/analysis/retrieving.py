"""How a turn was retrieved for: what its retrievals state, else what its labels say."""

from collections.abc import Iterable, Mapping
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
    found = fill_facts(list_knobs(turn), turn.labels)
    count = found.get("top_k", "")
    return Retrieving(
        engine=found.get("engine"),
        strategy=found.get("strategy"),
        top_k=int(count) if count.isascii() and count.isdecimal() and len(count) < 10 else None,
    )


def fill_facts(facts: Mapping[str, str], labels: Mapping[str, str]) -> dict[str, str]:
    """What is known of a turn by the plain names of facts and labels; a fact goes before the label of its name.

    Of two labels with one plain name the one that is spelled plainly counts.

    >>> fill_facts({"top_k": "5"}, {"top-k": "4", "Chunk-Size": "512"})
    {'chunk_size': '512', 'top_k': '5'}
    """
    spelled = sorted(labels, key=lambda name: (name == plain_name(name), name))
    return {plain_name(name): labels[name] for name in spelled} | dict(facts)


def plain_name(name: str) -> str:
    """The name in small letters with `_` for `-` and spaces: names that differ in these alone are one name.

    >>> plain_name("Top-K"), plain_name("top_k")
    ('top_k', 'top_k')
    """
    return name.casefold().replace("-", "_").replace(" ", "_")


def spell_names(turns: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """How each label is shown, by its plain name: as the latest of these turns that bears it spells it.

    >>> spell_names([{"top-k": "3"}, {"Top_K": "5"}])
    {'top_k': 'Top_K'}
    """
    return {plain_name(name): name for labels in turns for name in sorted(labels)}


def list_knobs(turn: Turn) -> dict[str, str]:
    """What may be changed about how a turn is answered, as far as retrievals and the capture say; labels are not asked.

    The names are plain, as `plain_name` gives them.
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
