"""Record: the frozen base of everything that is stored, and its canonical form."""

import hashlib
import json
import re
from contextlib import suppress
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Annotated, Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    WithJsonSchema,
)

_LONGEST = 2_000
"""Digits of an exact number; subscores have few, and sums of them not many more."""


class Record(BaseModel):
    """A stored value: frozen, strict, and without room for unknown fields.

    Fields that are None are left out when it is written, so that a later version may add an optional field
    without changing a byte of an older record.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def to_data(self) -> dict[str, Any]:
        """The record as plain JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @classmethod
    def from_data(cls, data: object) -> Self:
        """The record that plain JSON values describe.

        Raises:
            pydantic.ValidationError: The values do not fit.
        """
        return cls.model_validate_json(json.dumps(data, allow_nan=False))


def canonical(data: object) -> bytes:
    """The one way in which JSON values are written where a digest depends on it.

    UTF-8, keys sorted, no white space, floats in their shortest form that reads back the same.

    >>> canonical({"b": 1.50, "a": "é"}).decode()
    '{"a":"é","b":1.5}'

    Raises:
        ValueError: A number is not finite, or a text holds a lone surrogate.
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(data: object) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(data)).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


_EXACT = re.compile(r"-?[0-9]+(\.[0-9]+|/[0-9]+)?")


def _read_exact(value: object) -> object:
    """A Fraction from its stored text; any other text is left for pydantic to refuse."""
    if isinstance(value, str) and len(value) <= _LONGEST and _EXACT.fullmatch(value):
        with suppress(ZeroDivisionError):
            return Fraction(value)
    return value


def write_exact(value: Fraction) -> str:
    """An exact number as a decimal where it has one, else as a quotient.

    >>> write_exact(Fraction(175, 2)), write_exact(Fraction(200, 3)), write_exact(Fraction(4))
    ('87.5', '200/3', '4')
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    return _write_decimal(value)


def _write_decimal(value: Fraction) -> str:
    digits = value.denominator.bit_length()
    steps = str(abs(value.numerator) * 10**digits // value.denominator).rjust(digits + 1, "0")
    text = f"{steps[:-digits]}.{steps[-digits:]}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 else text


Exact = Annotated[
    Fraction,
    BeforeValidator(_read_exact),
    PlainSerializer(write_exact, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^-?[0-9]+([./][0-9]+)?$"}),
]
"""An exact rational number, stored as text such as "87.5" or "200/3"."""


def _check_year(moment: datetime) -> datetime:
    """Far times cannot be told in each zone, and are mistakes."""
    if not 1900 <= moment.year <= 2200:
        raise ValueError("the year must lie between 1900 and 2200")
    return moment


Moment = Annotated[
    AwareDatetime,
    AfterValidator(_check_year),
    PlainSerializer(lambda moment: moment.isoformat().replace("+00:00", "Z"), return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": r"([Zz]|[+-]\d\d:?\d\d)$"}),
]
"""A date and time with its time zone, stored in ISO 8601."""


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("there is no such time zone; name one such as Europe/London or UTC") from None
    return name


Zone = Annotated[str, AfterValidator(_check_zone)]
"""The name of a time zone of the IANA database, such as `Europe/London`."""


def day_of(moment: datetime, zone: str | None) -> date:
    """The day of the calendar in a time zone, None for UTC.

    >>> day_of(datetime.fromisoformat("2026-06-30T23:30:00Z"), "Europe/London")
    datetime.date(2026, 7, 1)
    """
    return moment.astimezone(ZoneInfo(zone) if zone else UTC).date()
