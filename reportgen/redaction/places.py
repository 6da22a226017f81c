"""The places of a record: which of them hold captured text, and which are the program's own words."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from reportgen.redaction.spans import MARK

VERDICTS = "verdicts"
"""What the places of a verdict begin with; those of a turn begin with nothing."""

_OWN = frozenset(
    {
        *("format", "captured_at", "question_source", "segments.question_source"),
        *("trajectory.kind", "trajectory.status"),
        *(f"verdicts.{name}" for name in ("format", "key", "call", "rubric", "evidence", "outcome")),
        *("verdicts.judge", "verdicts.reply.scores", "verdicts.reply.verdict"),
        *("verdicts.attempts.outcome", "verdicts.attempts.asked_at", "verdicts.attempts.usage"),
    }
)
"""Places that hold a word of a closed list, a time, a digest or a count; and the judge, which belongs to the run."""

_FREE = frozenset({"labels", "trajectory.arguments"})
"""Objects whose keys are captured too; all in them has one place."""

_NUMBERS = frozenset({"trajectory.rows", "trajectory.arguments"})
"""Places where a number is captured data and not a measure of it."""

IDS = frozenset({"id", "conversation", "part_of.turn", "verdicts.turn"})
NAMES = frozenset({"labels", "agent.name", "trajectory.name", "trajectory.rule", "model", "drawn.strata"})
"""Places whose texts may have 200 letters."""


def rewrite(value: Any, place: str, change: Callable[[str, Any], Any]) -> Any:
    """The JSON values with each captured text and number, keys included, as `change` gives it for its place."""
    if place in _OWN:
        return value
    if isinstance(value, dict):
        return _rewrite_object(value, place, change)
    if isinstance(value, list):
        return [rewrite(item, place, change) for item in value]
    if isinstance(value, bool | int | float) and place not in _NUMBERS:
        return value
    return change(place, value)


def _rewrite_object(value: dict[str, Any], place: str, change: Callable[[str, Any], Any]) -> dict[str, Any]:
    if place not in _FREE:
        return {name: rewrite(item, f"{place}.{name}" if place else name, change) for name, item in value.items()}
    written: dict[str, Any] = {}
    for name, item in value.items():
        written[_unlike(change(place, name), written)] = rewrite(item, place, change)
    return written


def _unlike(name: str, taken: dict[str, Any]) -> str:
    """The name, with a number after it where it is taken, as two withheld names may be the same mark."""
    number, unlike = 1, name
    while unlike in taken:
        number += 1
        ending = f" {number}"
        unlike = name[: 200 - len(ending)] + ending
    return unlike


def texts_of(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Each captured text with its place; of a number the digits that it is written with."""
    found: list[tuple[str, str]] = []

    def note(where: str, item: Any) -> Any:
        if isinstance(item, str) or (isinstance(item, int | float) and not isinstance(item, bool)):
            found.append((where, str(item)))
        return item

    rewrite(value, place, note)
    yield from found


def count_marks(value: Any, place: str = "") -> Counter[tuple[str, str]]:
    """How much was withheld, by kind and place, as the marks in a record show."""
    return Counter(
        (match[1], where) for where, text in texts_of(value, place) if "[" in text for match in MARK.finditer(text)
    )
