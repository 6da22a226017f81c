"""What is stated and what follows, held against one another."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from reportgen.errors import RunError

ABSENT = "nothing"


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where what is stated is not what follows; only a place where something cannot be read at all."""

    place: str
    stated: str | None = None
    found: str | None = None

    def __str__(self) -> str:
        if self.found is None:
            return self.place
        return f"{self.place}: states {self.stated}, but {self.found} follows"


UNWORKABLE = (ArithmeticError, AssertionError, LookupError, RecursionError, TypeError, ValueError)
"""What comes of values of the right form that no run can hold, such as numbers too large to be divided."""


def guard(place: str, check: Callable[[], Iterator[Difference]]) -> Iterator[Difference]:
    """The differences that a check finds; a record that cannot be read, or that nothing follows from, is one."""
    try:
        yield from check()
    except RunError as error:
        yield Difference(error.what.removeprefix(f"{place}: "))
    except UNWORKABLE as error:
        yield Difference(f"nothing can be computed from what stands there: {type(error).__name__}: {shorten(error)}")


def differ(place: str, stated: object, found: object) -> Iterator[Difference]:
    """Where two plain values differ, down to the single field."""
    if isinstance(stated, dict) and isinstance(found, dict):
        for key in sorted(set(stated) | set(found)):
            yield from differ(f"{place}.{key}", stated.get(key, ABSENT), found.get(key, ABSENT))
    elif isinstance(stated, list) and isinstance(found, list):
        for number, pair in enumerate(zip_longest(stated, found, fillvalue=ABSENT)):
            yield from differ(f"{place}[{number}]", *pair)
    elif stated != found or type(stated) is not type(found):
        yield Difference(place, shorten(stated), shorten(found))


def shorten(value: object) -> str:
    """A value as text of a length that can be read."""
    text = str(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
