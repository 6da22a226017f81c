"""Importers: files that others write -> turns. A family: one module a format, named in `IMPORTERS`.

Each module has `read_turns(path, options, report)`, which yields turns as it reads and counts in the report
what it took, what it changed, and what it left and why.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from reportgen.errors import CaptureError
from reportgen.model.turn import Turn

IMPORTERS: Mapping[str, str] = {
    "turns": "reportgen.capture.importers.turns",
    "adk": "reportgen.capture.importers.adk",
    "rag": "reportgen.capture.importers.rag",
    "openinference": "reportgen.capture.importers.otel",
    "otel": "reportgen.capture.importers.otel",
    "langfuse": "reportgen.capture.importers.langfuse",
    "mlflow": "reportgen.capture.importers.mlflow",
    "open-rag-eval": "reportgen.capture.importers.open_rag_eval",
}
"""The members: name of the format -> its module, which is imported when it is asked for."""

SCHEMA_TOOLS = frozenset(
    {
        "get_schema",
        "get_column_meaning",
        "get_all_column_meanings",
        "get_column_meanings",
        "list_tables",
        "describe_table",
        "describe_tables",
        "get_table_schema",
        "list_dataset_ids",
        "list_table_ids",
        "get_dataset_info",
        "get_table_info",
    }
)
"""Names of tools that look into the schema, where the user names none."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the file itself does not say.

    Attributes:
        sql_tools: Names of the tools whose calls are SQL statements.
        drop_tools: Names of the tools that belong to a test harness; their calls must not reach the judge.
        schema_tools: Names of the tools that look into the schema.
        retrievers: Names of the steps of a trace that retrieve, where their kind does not say so.
        captured_at: The time of turns that carry none, with its zone; such turns are marked as assumed.
        labels: Labels that each turn gets; they win over labels that the file gives.
    """

    sql_tools: frozenset[str] = frozenset()
    drop_tools: frozenset[str] = frozenset()
    schema_tools: frozenset[str] = SCHEMA_TOOLS
    retrievers: frozenset[str] = frozenset()
    captured_at: datetime | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class ImportReport:
    """What an import took, what it changed on the way, and what it left and why; counts by description.

    `unused` are tools and steps that the options name and that the file does not hold. `unread` are names of steps,
    the most frequent first, where no step of any trace is a retrieval, a tool or SQL.
    """

    taken: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    unused: set[str] = field(default_factory=set)
    unread: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """One line a count, in a fixed order, for printing; 0 is shown, for it tells of a mistyped name."""
        groups = (("took", self.taken), ("changed", self.changed), ("left", self.left))
        return [
            f"{verb:<8}{count:>6}  {what}"
            for verb, counts in groups
            for what, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        ]


class Importer(Protocol):
    """The contract of the family, which each member's module fulfils."""

    def read_turns(self, path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
        """The turns of a file, in the order of the file.

        Raises:
            CaptureError: The file cannot be read as this format, or a turn lacks what only the options can
                give.
        """


def load_importer(name: str) -> Importer:
    """The importer of that name.

    Raises:
        CaptureError: There is none.
    """
    if name not in IMPORTERS:
        raise CaptureError(f'there is no importer "{name}"', f"Give one of: {', '.join(IMPORTERS)}.")
    return cast(Importer, import_module(IMPORTERS[name]))
