"""For whom a run is: the publisher's own people, one client, or everybody."""

from dataclasses import dataclass
from typing import Literal

from reportgen.model.run import Manifest

Kind = Literal["internal", "client", "public"]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may read a report; `client` names the one, and is None for the other kinds."""

    kind: Kind
    client: str | None = None

    def __str__(self) -> str:
        return f"the client {self.client}" if self.client else self.kind


def audience_of(manifest: Manifest) -> Audience:
    """For whom a run is, which follows from how it was derived."""
    if manifest.derived is None:
        return Audience("internal")
    return Audience("client", manifest.derived.client) if manifest.derived.client else Audience("public")
