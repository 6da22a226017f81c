"""A price: what a million tokens of a model cost from a date on, and where that is written."""

import re
from datetime import date
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from reportgen.record import Exact, Record

FORMAT: Final = "reportgen/prices/1"

Text = Annotated[str, Field(min_length=1, max_length=200)]

_PLAIN = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


def _require_plain(value: object) -> object:
    """A number as it is written in a file, from 0 on; anything but a plain decimal is refused."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        raise ValueError("must be a plain decimal such as 0.25")
    return value


Rate = Annotated[Exact, BeforeValidator(_require_plain)]
"""US dollars for a million tokens, or a factor on them; exact, never negative."""


class Rates(Record):
    """US dollars for a million tokens of each kind; None where the rate is not known.

    `input` is for tokens of the prompt that are neither written to the provider's cache nor read from it, `write_5m`
    and `write_1h` for those that are written to it for 5 minutes and for an hour. Thinking counts as output.
    """

    input: Rate = Field(alias="in")
    output: Rate = Field(alias="out")
    cache_read: Rate | None = None
    write_5m: Rate | None = None
    write_1h: Rate | None = None


class LongRates(Rates):
    """The rates of a whole request whose prompt has more than `over` tokens, cached ones included."""

    over: Annotated[int, Field(ge=1)]


class Price(Rates):
    """What a model costs from the day `starts` (UTC) until the next row of the same model.

    `batch` and `us` are factors on all rates, for requests in a batch and for inference that is kept in the United
    States. `source` says where the figures stand, `checked` when somebody looked last.
    """

    provider: Text
    model: Text
    starts: date = Field(alias="from")
    batch: Rate | None = None
    us: Rate | None = None
    long: LongRates | None = None
    source: Text
    checked: date


class PriceFile(Record):
    """The content of a price file."""

    format: Literal["reportgen/prices/1"] = FORMAT
    rows: tuple[Price, ...]
