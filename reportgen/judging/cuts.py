"""Shortening what the judge is shown, so that no cut is silent."""

from dataclasses import dataclass, field
from typing import Any

_MARK = " […] "
"""Stands in a shortened text where something was left out."""


@dataclass(slots=True)
class Cutter:
    """Shortens texts and gathers in words what it cut, for one place in the evidence."""

    place: str
    notes: list[str] = field(default_factory=list)

    def text(self, name: str, text: str | None, limit: int) -> str | None:
        """The text, or its head and tail where it is longer than the limit."""
        if text is None or len(text) <= limit:
            return text
        self.notes.append(f"{name}: showing {limit:,} of {len(text):,} characters")
        return shorten(text, limit)

    def noted(self, value: dict[str, Any]) -> dict[str, Any]:
        """The value, with the notes in it if there are any."""
        return {**value, "shortened": list(self.notes)} if self.notes else value

    @property
    def cuts(self) -> list[str]:
        """The notes, each with its place."""
        return [f"{self.place}: {note}" for note in self.notes]


def shorten(text: str, limit: int) -> str:
    """The text, or two thirds of the limit from its head and one from its tail, with a mark between.

    >>> shorten("abcdefghi", 6)
    'abcd […] hi'
    """
    if len(text) <= limit:
        return text
    tail = limit // 3
    return text[: limit - tail] + _MARK + text[len(text) - tail :]


def present(**values: Any) -> dict[str, Any]:
    """The values that are there."""
    return {name: value for name, value in values.items() if value is not None}
