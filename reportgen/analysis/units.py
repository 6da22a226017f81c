"""What the turns of a run are taken to depend on one another by: clients, conversations, or nothing."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.analysis.rows import Grouped
from reportgen.analysis.spread import number_clusters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_CLIENTS = 5
"""From this many clients on, clients are taken as a sample; fewer are fixed, and conversations are the units."""


@dataclass(frozen=True, slots=True)
class Units:
    """For each turn the number of its client and of its conversation; -1 where it has none."""

    clients: "NDArray[np.intp]"
    conversations: "NDArray[np.intp]"

    def among(self, chosen: "NDArray[np.bool_]") -> "Units":
        """Those of some turns."""
        return Units(self.clients[chosen], self.conversations[chosen])


def number_units(rows: Sequence[Grouped]) -> Units:
    """The clients and conversations of turns; equal names of conversations of two clients are two conversations."""
    clients = [row.labels.get("client") for row in rows]
    conversations = [(row.labels.get("client"), row.conversation) if row.conversation else None for row in rows]
    return Units(_number(clients), _number(conversations))


def choose_units(units: Units) -> tuple[str, "NDArray[np.intp]"]:
    """What to take as independent, and for each turn which it belongs to.

    Clients if every turn has one and there are at least five; else conversations, where a turn without one counts by
    itself; else turns.
    """
    import numpy as np

    size = len(units.clients)
    if size and units.clients.min() >= 0 and np.unique(units.clients).size >= MIN_CLIENTS:
        return "client", units.clients
    alone = units.conversations < 0
    if alone.all():
        return "turn", np.arange(size)
    by = "conversation or single turn" if alone.any() else "conversation"
    return by, np.where(alone, -1 - np.arange(size), units.conversations)


def choose_clusters(rows: Sequence[Grouped]) -> tuple[str, list[int]]:
    """The same, from the turns."""
    by, numbers = choose_units(number_units(rows))
    return by, numbers.tolist()


def _number(names: Sequence[Hashable]) -> "NDArray[np.intp]":
    import numpy as np

    numbers = number_clusters(names)
    return np.where([name is None for name in names], -1, numbers) if names else numbers
