"""The passages that a search gave, ready for the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.model.turn import Passage, Retrieval
from reportgen.publishing.printing import print_count
from reportgen.publishing.text import Shown, shorten

PASSAGES_SHOWN = 20
_TEXT_SHOWN = 4_000
_NAME_SHOWN = 200


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage as displayed: what it is, its text or that there is none, and whether the judge saw it."""

    title: str
    facts: tuple[str, ...]
    text: Shown | None
    seen: bool


@dataclass(frozen=True, slots=True)
class PassageList:
    """The first passages; `account` says how many were captured, are shown, and were seen by the judge."""

    passages: tuple[PassageText, ...]
    account: str


def build_passages(event: Retrieval, judged: int) -> PassageList | None:
    """The passages of a retrieval; None where none were captured, not even an empty set.

    Args:
        event: As captured.
        judged: How many passages of it the judge was shown at most.
    """
    if event.passages is None:
        return None
    shown = enumerate(event.passages[:PASSAGES_SHOWN], start=1)
    passages = tuple(_passage(number, passage, seen=number <= judged) for number, passage in shown)
    return PassageList(passages, _account(len(event.passages), judged))


def _passage(number: int, passage: Passage, *, seen: bool) -> PassageText:
    text = None if passage.text is None else shorten(passage.text, _TEXT_SHOWN)
    return PassageText(f"Passage {number}", tuple(_facts(number, passage)), text, seen)


def _facts(number: int, passage: Passage) -> Iterator[str]:
    if passage.rank is not None and passage.rank != number:
        yield f"rank {print_count(passage.rank)}"
    if passage.score is not None:
        yield f"score {passage.score:.6g}"
    if passage.id is not None:
        yield f"id {shorten(passage.id, _NAME_SHOWN)}"
    if passage.source is not None:
        yield f"source {shorten(passage.source, _NAME_SHOWN)}"
    if passage.text is not None:
        yield f"{print_count(len(passage.text))} characters"


def _account(captured: int, judged: int) -> str:
    if not captured:
        return "No passage was retrieved."
    parts = [
        f"Passages captured: {print_count(captured)}",
        f"seen by the judge: {_first(judged, captured)}",
        f"shown here: {_first(PASSAGES_SHOWN, captured)}",
    ]
    mark = ". Passages marked † were not seen by the judge" if judged < min(captured, PASSAGES_SHOWN) else ""
    return f"{'; '.join(parts)}{mark}."


def _first(count: int, of: int) -> str:
    if count >= of:
        return "all"
    return f"the first {print_count(count)}" if count else "none"
