"""An open run: what a collection's turns of one period are judged by while they still come in."""

from datetime import date
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field

from reportgen.model.derivation import Digest
from reportgen.model.price import Price
from reportgen.model.run import EvidenceLimits
from reportgen.model.verdict import Judge
from reportgen.record import Exact, Moment, Record

LABEL: Final = "collection"
"""The label of a turn that names its collection."""
COLLECTION: Final = r"[a-z0-9][a-z0-9-]{0,59}"
"""The form of a collection's name: it is the name of a folder and of a queue."""

CollectionName = Annotated[str, Field(pattern=rf"^{COLLECTION}$")]


def _require_period(name: str) -> str:
    """A year, a month or a day that the calendar has, with others after it."""
    year, month, day = (*map(int, name.split("-")), 1, 1)[:3]
    if date(year, month, day).year == date.max.year:
        raise ValueError("the calendar ends in that year")
    return name


def _require_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError):
        raise ValueError(f"there is no time zone {name[:80]!r}") from None
    return name


class Opening(Record):
    """That turns of a collection that were captured in a period are taken in."""

    format: Literal["reportgen/opening/1"] = "reportgen/opening/1"
    collection: CollectionName
    period: Annotated[str, Field(pattern=r"^[0-9]{4}(-[0-9]{2}){0,2}$"), AfterValidator(_require_period)]
    timezone: Annotated[str, AfterValidator(_require_zone)]
    opened_at: Moment

    def __str__(self) -> str:
        return f"{self.collection} {self.period}"


class Terms(Record):
    """What the verdicts of an open run are given by; whoever judges for it must have the very same.

    `prompts` has for each judge call the SHA-256 of the system prompt as it is sent.
    """

    format: Literal["reportgen/terms/1"] = "reportgen/terms/1"
    judge: Judge
    rubric: str
    rubric_version: int
    rubric_digest: Digest
    evidence: EvidenceLimits
    prompts: dict[str, Digest]


class Limit(Record):
    """What the workers of an open run may spend together, in US dollars, and the prices by which that is counted."""

    format: Literal["reportgen/limit/1"] = "reportgen/limit/1"
    max_cost: Exact
    prices: tuple[Price, ...]


class Closing(Record):
    """Which run an open run becomes; `seal` is there when that is finished."""

    format: Literal["reportgen/closing/1"] = "reportgen/closing/1"
    run: str
    seal: Digest | None = None
