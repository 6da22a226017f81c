"""How a run was changed for its readers: derived for a client or the public, or rid of texts on request."""

from collections import Counter
from typing import Annotated, Self

from pydantic import Field, JsonValue, model_validator

from reportgen.model.turn import Name
from reportgen.record import Moment, Record

Count = Annotated[int, Field(ge=0)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Withheld(Record):
    """How often something of one kind was withheld at one place, such as `email` in `trajectory.rows`.

    The place is the path of the field in a turn, or after `verdicts.` in a verdict.
    """

    kind: str
    place: str
    count: Annotated[int, Field(ge=1)]


class Derivation(Record):
    """How a run was derived for one client or for the public.

    For a client it holds that client's turns only, without what was withheld; for the public all turns, without any
    text. `parent` and `commitments` are HMAC-SHA-256 by keys that stay with the publisher: of the parent's id and seal,
    and of each of the parent's turns, those of other clients too, in ascending order.
    """

    client: str | None = None
    """Whose turns it holds; None in a run for the public."""
    parent: Digest
    commitments: tuple[Digest, ...]
    withheld: tuple[Withheld, ...] = ()
    """What was withheld from the turns and verdicts; each is a mark in them."""
    evidence_withheld: Count = 0
    """How many verdicts do not name the digest of their evidence, by which a reader could try out what was withheld."""
    rescored: bool = False
    """Whether the parent took its verdicts from another run."""
    stated: dict[str, JsonValue] | None = None
    """In a run for the public, the parts of the findings that do not follow from it, as the publisher states them."""

    @model_validator(mode="after")
    def _check_audience(self) -> Self:
        if (self.client is None) != (self.stated is not None):
            raise ValueError('give "stated" in a run for the public, and "client" in any other')
        return self

    @property
    def is_public(self) -> bool:
        """Whether it is for the public, and shows no text."""
        return self.client is None

    @property
    def kinds(self) -> dict[str, int]:
        """How often something of each kind was withheld, over all places."""
        counts: Counter[str] = Counter()
        for item in self.withheld:
            counts[item.kind] += item.count
        return dict(sorted(counts.items()))


class Erasure(Record):
    """Texts of turns that were erased from a finished run on request, which kept its scores and got another seal.

    `labels` are those whose values were erased with the texts. `seal` and `files`, the digests of its files, are those
    that the run had before; both are None where the run was made from one in which the texts had been erased.
    """

    turns: Annotated[tuple[Name, ...], Field(min_length=1)]
    labels: tuple[Name, ...] = ()
    at: Moment
    reason: Annotated[str, Field(min_length=1, max_length=2_000)]
    seal: Digest | None = None
    files: dict[str, Digest] | None = None
