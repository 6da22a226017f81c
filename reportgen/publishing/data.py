"""The report as JSON: the findings, and the records that they follow from."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from reportgen.analysis.figure_check.checking import TurnFigures, find_figures
from reportgen.analysis.findings import Findings
from reportgen.model.probe import Probe
from reportgen.model.revision import Revision
from reportgen.model.run import REPORT_FORMAT, RunFile
from reportgen.model.score import Score
from reportgen.model.standing import Standing
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.publishing.report import Report, TurnEntry
from reportgen.record import Record, canonical

_FINDINGS: TypeAdapter[Findings] = TypeAdapter(Findings)
_FIGURES: TypeAdapter[TurnFigures] = TypeAdapter(TurnFigures)


def findings_data(findings: Findings) -> dict[str, Any]:
    """The findings as plain JSON values, exact numbers as text."""
    data: dict[str, Any] = _FINDINGS.dump_python(findings, mode="json", by_alias=True)
    return data


def figures_data(figures: TurnFigures) -> dict[str, Any]:
    """The figures of one answer as plain JSON values, without those that have none."""
    data: dict[str, Any] = _FIGURES.dump_python(figures, mode="json", exclude_defaults=True)
    return data


def render_json(report: Report) -> Iterator[bytes]:
    """The content of `report.json`, piece by piece.

    Turns, verdicts and scores stand one a line in canonical form, just as in the files of the run, so that the
    digests of these files can be computed from them.
    """
    head: dict[str, Any] = {"format": REPORT_FORMAT, "revision": report.revision.to_data(), "run": report.run.to_data()}
    if report.standing:
        head["standing"] = report.standing.to_data()
    if report.probes:
        head["probes"] = [probe.to_data() for probe in report.probes]
    yield b"{\n"
    for name, value in {**head, "findings": findings_data(report.findings)}.items():
        yield canonical(name) + b":" + canonical(value) + b",\n"
    off = report.findings.figures.off
    yield from _lines("figures", report, lambda entry: (figures_data(find_figures(entry.turn, off)),))
    yield b",\n"
    yield from _lines("turns", report, lambda entry: (entry.turn.to_data(),))
    yield b",\n"
    yield from _lines("verdicts", report, lambda entry: (verdict.to_data() for verdict in entry.verdicts))
    yield b",\n"
    yield from _lines("scores", report, lambda entry: (entry.score.to_data(),))
    yield b"\n}\n"


def is_report_data(path: Path) -> bool:
    """Whether the file holds the data of a report."""
    with path.open("rb") as file:
        return re.match(rb'\s*\{\s*"format"\s*:\s*"reportgen/report/', file.read(200)) is not None


def _lines(name: str, report: Report, pick: Callable[[TurnEntry], Iterable[dict[str, Any]]]) -> Iterator[bytes]:
    yield canonical(name) + b":["
    mark = b"\n"
    for entry in report.turns():
        for record in pick(entry):
            yield mark + canonical(record)
            mark = b",\n"
    yield b"\n]"


def report_schema() -> dict[str, Any]:
    """The JSON Schema of `report.json`."""
    stored: dict[str, type[Record]] = {
        "revision": Revision,
        "standing": Standing,
        "run": RunFile,
        "turns": Turn,
        "verdicts": Verdict,
        "scores": Score,
        "probes": Probe,
    }
    inputs: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (name, "validation", TypeAdapter(kind)) for name, kind in stored.items()
    ]
    inputs += [("findings", "serialization", _FINDINGS), ("figures", "serialization", _FIGURES)]
    schemas, definitions = TypeAdapter.json_schemas(inputs)
    parts: dict[str, Any] = {name: schema for (name, _), schema in schemas.items()}
    for name in ("figures", "turns", "verdicts", "scores", "probes"):
        parts[name] = {"type": "array", "items": parts[name]}
    properties = {"format": {"const": REPORT_FORMAT}, **parts}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report",
        "type": "object",
        "properties": properties,
        "required": sorted(set(properties) - {"probes", "standing"}),
        "additionalProperties": False,
        **definitions,
    }
