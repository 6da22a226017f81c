"""What is exported: a run, its table, and what its summary says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reportgen.analysis.findings import Findings
from reportgen.analysis.gates import GateResult
from reportgen.model.run import RunFile
from reportgen.publishing.exports.table import Column, Pair, Value
from reportgen.publishing.look.overrides import NO_OVERRIDES, Overrides


@dataclass(frozen=True, slots=True)
class Export:
    """A run to be exported.

    `pairs()` reads the turns with their scores afresh on each call, one at a time. `conclude()` gives the findings and
    what its gates say; it holds a line of each turn in memory, so that only a format that needs them calls it.
    """

    run: RunFile
    columns: tuple[Column, ...]
    pairs: Callable[[], Iterator[Pair]]
    conclude: Callable[[], tuple[Findings, tuple[GateResult, ...]]]
    overrides: Overrides = NO_OVERRIDES

    def rows(self) -> Iterator[list[Value]]:
        """The rows of the table, one at a time."""
        return ([column.pick(pair) for column in self.columns] for pair in self.pairs())
