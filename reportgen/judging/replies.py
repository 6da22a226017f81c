"""Reading what a live judge replied: exactly the asked form, or a reason in plain words why it is not."""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from reportgen.model.verdict import Category, Number, Outcome, Reply

CATEGORIES: tuple[Category, ...] = ("good", "partial", "poor")
FIELDS = ("quotes", "explanation", "scores", "verdict", "addressed_judge")
"""The fields of a reply, in the order in which the judge writes them: reasons before numbers."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reply must hold: a value of the scale for each dimension, or null for those in `nullable`."""

    values: tuple[Number, ...]
    dimensions: tuple[str, ...]
    nullable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reply that cannot be used: its outcome, and why."""

    outcome: Outcome
    reason: str


class _FormError(Exception):
    """What is wrong with a reply."""


def read_reply(text: str, expected: Expected) -> Reply | Unusable:
    """The judge's reply, or why it is not one.

    Nothing is repaired and nothing has a default: a reply is one JSON object with exactly the asked fields,
    and each score is a number of the scale. Only the case of the verdict is free.

    >>> read_reply("{}", Expected((0, 1), ("intent",)))
    Unusable(outcome='invalid', reason='the reply lacks quotes')
    """
    if not text.strip():
        return Unusable("empty", "the reply is empty")
    try:
        return _read(_parse(text), expected)
    except _FormError as error:
        return Unusable("invalid", str(error))


def _parse(text: str) -> Any:
    if text.lstrip().startswith("```"):
        raise _FormError("the reply is fenced in ``` and not bare JSON")
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_require_single)
    except RecursionError:
        raise _FormError("the reply is nested too deeply") from None
    except ValueError as error:
        raise _FormError(f"the reply is not JSON: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise _FormError(f"the reply holds {name}, which is not a number of JSON")


def _require_single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, item in pairs:
        if name in value:
            raise _FormError(f"the reply gives {_shown(name)} twice")
        value[name] = item
    return value


def _read(data: Any, expected: Expected) -> Reply:
    if not isinstance(data, dict):
        raise _FormError(f"the reply is {_shown(data)} and not a JSON object")
    _require_fields(data, FIELDS, "the reply")
    return Reply(
        quotes=_read_quotes(data["quotes"]),
        explanation=_read_text(data["explanation"], "explanation"),
        scores=_read_scores(data["scores"], expected),
        verdict=_read_verdict(data["verdict"]),
        addressed_judge=_read_flag(data["addressed_judge"], "addressed_judge"),
    )


def _require_fields(data: dict[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in names:
        if name not in data:
            raise _FormError(f"{where} lacks {name}")
    for name in data:
        if name not in names:
            raise _FormError(f"{where} has a field that was not asked for: {_shown(name)}")


def _read_quotes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _FormError(f"quotes is {_shown(value)} and not a list")
    return tuple(_read_text(item, f"quote {number}") for number, item in enumerate(value, start=1))


def _read_text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise _FormError(f"{name} is {_shown(value)} and not a text")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _FormError(f"{name} holds half a character, a lone surrogate")
    return value


def _read_scores(value: Any, expected: Expected) -> dict[str, Number | None]:
    if not isinstance(value, dict):
        raise _FormError(f"scores is {_shown(value)} and not an object")
    _require_fields(value, expected.dimensions, "scores")
    return {name: _read_score(value[name], name, expected) for name in expected.dimensions}


def _read_score(value: Any, name: str, expected: Expected) -> Number | None:
    if value is None and name in expected.nullable:
        return None
    if value is None:
        raise _FormError(f"the score of {name} is null, though the dimension applies to this turn")
    # True == 1 in Python, so the type is asked for before the value.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _FormError(f"the score of {name} is {_shown(value)} and not a number")
    if value not in expected.values:
        scale = f"{expected.values[0]} to {expected.values[-1]} in {len(expected.values) - 1} steps"
        raise _FormError(f"the score of {name} is {_shown(value)}, which is not on the scale of {scale}")
    return value


def _read_verdict(value: Any) -> Category:
    lowered = value.lower() if isinstance(value, str) else value
    for category in CATEGORIES:
        if lowered == category:
            return category
    raise _FormError(f"verdict is {_shown(value)} and not one of {', '.join(CATEGORIES)}")


def _read_flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise _FormError(f"{name} is {_shown(value)} and not true or false")
    return value


def _shown(value: Any) -> str:
    """The value as JSON, short enough for a sentence, and without anything that a terminal would obey."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
