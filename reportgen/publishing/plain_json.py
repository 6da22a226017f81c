"""JSON for other programs and for terminals: as readable as it can be, with nothing in it that acts."""

import json
from fractions import Fraction
from typing import Any

_PLACES = 6


def write_plain_json(value: Any, indent: int | None = None) -> str:
    r"""The JSON of a value; a letter that is not to be seen stands as its escape, so that no terminal obeys it.

    >>> write_plain_json({"a": "é\u202e\x9b"}) == '{"a": "é' + chr(92) + "u202e" + chr(92) + 'u009b"}'
    True
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return text if text.isprintable() else "".join(map(_escape, text))


def _escape(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]


def round_number(value: Fraction | None) -> float | None:
    """An exact number as a JSON number with up to six decimals; None stays null.

    >>> round_number(Fraction(2, 3)), round_number(Fraction(9, 10)), round_number(None)
    (0.666667, 0.9, None)
    """
    return None if value is None else float(round(value, _PLACES))
