"""Record: the frozen base of everything that is stored, and its canonical form."""

import hashlib
import json
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    WithJsonSchema,
)


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


def _read_exact(value: object) -> object:
    """A Fraction from its stored text; anything else is left for pydantic to refuse."""
    if isinstance(value, str) and len(value) <= 200 and "e" not in value.lower():
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
    digits = max(value.denominator.bit_length(), 1)
    scaled = value * 10**digits
    text = f"{Decimal(int(scaled)).scaleb(-digits):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


Exact = Annotated[
    Fraction,
    BeforeValidator(_read_exact),
    PlainSerializer(write_exact, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^-?[0-9]+([./][0-9]+)?$"}),
]
"""An exact rational number, stored as text such as "87.5" or "200/3"."""

Moment = Annotated[
    AwareDatetime,
    PlainSerializer(lambda moment: moment.isoformat().replace("+00:00", "Z"), return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": r"([Zz]|[+-]\d\d:?\d\d)$"}),
]
"""A date and time with its time zone, stored in ISO 8601."""
